// Prepended to every shader. Screen places are pixels from the middle of the picture, x to the right and y up. Where SPACE
// is defined, vertices have heights, and a screen place has a depth: -1 is nearest to the eye, 1 farthest.

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
    uint spare;
    uint edge_count;
    uint triangle_count;
    uint flags;
    float fade;         // how far crowded edges fade, 0 to 1
    float gap;          // pixels between neighbouring points, about
    float motion;       // how far the way to this state is, 0 to 1
};
const uint kVertexStates = 1u, kEdgeStates = 2u, kTriangleStates = 4u, kPreview = 8u, kAngles = 16u, kOnSurface = 32u,
           kOneStyle = 64u, kNumbers = 128u, kGrows = 256u;

// Rows of the layer at hand, written by the renderer: those that are always there, then one per legend entry. Two texels
// each: colour, then size and loudness.
layout(binding = 0) uniform samplerBuffer style_rows;
vec4 style_color(uint row) { return texelFetch(style_rows, 2 * int(row)); }
vec4 style_size_loud(uint row) { return texelFetch(style_rows, 2 * int(row) + 1); }
bool style_of_fault(uint row) { return style_size_loud(row).z > 0.0; }
const uint kPlainVertex = 0u, kPlainEdge = 1u, kPlainTriangle = 2u, kHelperEdge = 3u, kHelperVertex = 4u, kWaitingVertex = 5u;
const uint kSurface = 6u, kSurfaceInside = 7u, kSurfaceEdge = 8u, kAngleStops = 9u;  // five rows, from 0 to 60 degrees
const uint kPlainSite = 14u;
const uint kLayerRow = 15u;  // what no entry of the layer's legend matches, where that is not plain

#ifdef SPACE
layout(std140, binding = 2) uniform Space {
    dvec4 eye_place;  // world units: the place in the middle of the picture, in the middle of the depths
    dvec4 right, up, toward;
    double depth_scale;  // depth per world unit
    float pixel_depth;   // depth of as much space as a pixel is wide
};
#define SCREEN vec4
// Where nothing hides what lies behind, it is fainter.
float by_depth(float depth) { return mix(1.0, 0.15, clamp(2.0 * depth + 0.5, 0.0, 1.0)); }
vec4 to_clip(vec4 place) { return vec4(place.xy / half_size, place.z, 1.0); }
#else
#define SCREEN vec2
#endif
vec4 to_clip(vec2 pixels) { return vec4(pixels / half_size, 0.0, 1.0); }
vec4 nowhere() { return vec4(2.0, 2.0, 2.0, 1.0); }

/// Where the colour of a place on a scale lies. `scaling`: see scaling_of() in renderer_impl.h.
float colour_place(float place, uint scaling) {
    const float steps = float(scaling >> 8 & 255u);
    if (steps < 2.0) return steps == 1.0 ? 0.5 : place;
    return min(floor(place * steps), steps - 1.0) / ((scaling & 65536u) != 0u ? steps : steps - 1.0);
}

/// Corner 0…5 of two triangles that fill [low, high].
vec2 corner_of(uint corner, vec2 low, vec2 high) {
    const uint pattern = corner == 0u ? 0u : corner == 1u || corner == 3u ? 1u : corner == 2u || corner == 4u ? 2u : 3u;
    return vec2((pattern & 1u) != 0u ? high.x : low.x, (pattern & 2u) != 0u ? high.y : low.y);
}

// The state of element i, a half of a word.
#define STATE_OF(states, i) ((states[(i) >> 1] >> (16u * ((i) & 1u))) & 0xFFFFu)
