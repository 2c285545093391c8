// Goes before every shader. Screen places are pixels from the middle of the picture, x to the right and y up.

const uint kNone = 0xFFFFFFFFu;

layout(std140, binding = 0) uniform Frame {
    dvec2 eye;          // world units, in the middle of the picture
    double scale;       // pixels per world unit
    vec2 half_size;     // pixels
    float line_width;   // pixels, of a plain edge
    float point_size;   // pixels, diameter of a plain point
    uint vertex_count;  // finite ones
    uint point_count;   // of these, drawn as points
    uint helper_begin;  // vertices from here on are helpers
    uint infinite;      // the vertex without a place
    uint edge_count;
    uint triangle_count;
    uint edge_capacity;
    uint flags;
    float fade;    // how much crowded edges fade, 1: as they should
    float gap;          // pixels between neighbouring points, roughly
};
const uint kVertexStates = 1u, kEdgeStates = 2u, kTriangleStates = 4u, kPreview = 8u;

// One row per legend entry and element kind, written by the renderer: colour, then size and loudness.
struct StyleRow {
    vec4 color;
    vec4 size_loud;
};
layout(std140, binding = 1) uniform Styles { StyleRow styles[64]; };
const uint kPlainVertex = 0u, kPlainEdge = 1u, kPlainTriangle = 2u, kHelperEdge = 3u, kHelperVertex = 4u, kWaitingVertex = 5u;

vec4 to_clip(vec2 pixels) { return vec4(pixels / half_size, 0.0, 1.0); }
vec4 nowhere() { return vec4(2.0, 2.0, 2.0, 1.0); }
