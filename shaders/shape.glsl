// Discs, strokes and facets: elements that one draw puts on the picture straight from the buffers of a layer, with no list
// in between. See ShapeNumbers in renderer_shapes.cpp.
layout(std140, binding = 3) uniform ShapeNumbers {
    dvec2 box_low, box_size;  // of a periodic box, world units; size 0: not periodic that way
    double radius;            // of discs, world units
    float radius_px;          // more than 0: of discs, pixels, whatever `radius` is
    float line_px;            // of strokes, width of a plain one
    uint count;               // elements
    uint place_count;
    uint images;              // how often each element is tried: 4 in a periodic box, where it may cross the border
    uint what;
    float scalar_low, scalar_scale;
    uint logarithmic, unused;
    vec4 stops[5];  // of the colour scale
    vec4 rim;
};
const uint kHasRadii = 1u, kHasOrientations = 2u, kHasStates = 4u, kHasScalars = 8u, kHasEnds = 16u, kPolylines = 32u,
           kFades = 64u, kArrows = 128u;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) readonly buffer Scalars { float scalars[]; };

vec3 scale_color(float value) {
    float at = logarithmic != 0u ? (value > 0.0 ? log(value) : -3.4e38) : value;
    at = (at - scalar_low) * scalar_scale;
    at = at > 0.0 ? min(at, 1.0) * 4.0 : 0.0;  // no number has the colour of the low end
    const int below = min(int(at), 3);
    return mix(stops[below].rgb, stops[below + 1].rgb, at - float(below));
}

uint element_row(uint i) {
    return style_of_state[(what & kHasStates) != 0u ? (states[i >> 1] >> (16u * (i & 1u))) & 0xFFFFu : 0u];
}

/// Colour, and size relative to a plain element.
vec4 element_color(uint i, out float size) {
    const uint row = element_row(i);
    size = style_size_loud(row).x;
    return (what & kHasScalars) != 0u ? vec4(scale_color(scalars[i]), 1.0) : style_color(row);
}

dvec2 wrapped(dvec2 place) {
    for (int k = 0; k < 2; ++k)
        if (box_size[k] > 0.0LF) place[k] -= floor((place[k] - box_low[k]) / box_size[k]) * box_size[k];
    return place;
}
/// The shortest way of all that lead to the same place.
dvec2 shortest(dvec2 way) {
    for (int k = 0; k < 2; ++k)
        if (box_size[k] > 0.0LF) way[k] -= floor(way[k] / box_size[k] + 0.5LF) * box_size[k];
    return way;
}
/// How far image `image` of what spans [low, high] is moved; false: there is no such image.
bool has_image(uint image, dvec2 low, dvec2 high, out dvec2 by) {
    by = dvec2(0.0LF);
    for (int k = 0; k < 2; ++k) {
        if ((image >> uint(k) & 1u) == 0u) continue;
        if (box_size[k] <= 0.0LF) return false;
        if (low[k] < box_low[k])
            by[k] = box_size[k];
        else if (high[k] > box_low[k] + box_size[k])
            by[k] = -box_size[k];
        else
            return false;
    }
    return true;
}
dvec2 pixels_of(dvec2 place) { return (place - eye) * scale; }
vec2 near(dvec2 pixels) { return vec2(clamp(pixels, dvec2(-1e30LF), dvec2(1e30LF))); }
/// What of the picture lies in the box: low x, low y, high x, high y in pixels.
vec4 box_on_picture() {
    vec4 box = vec4(-1e30, -1e30, 1e30, 1e30);
    const vec2 low = near(pixels_of(box_low)), high = near(pixels_of(box_low + box_size));
    for (int k = 0; k < 2; ++k)
        if (box_size[k] > 0.0LF) {
            box[k] = low[k];
            box[k + 2] = high[k];
        }
    return box;
}
bool outside(vec2 place, vec4 box) { return any(lessThan(place, box.xy)) || any(greaterThan(place, box.zw)); }
/// Corner 0…5 of two triangles that fill [low, high].
vec2 corner_of(uint corner, vec2 low, vec2 high) {
    const uint pattern = corner == 0u ? 0u : corner == 1u || corner == 3u ? 1u : corner == 2u || corner == 4u ? 2u : 3u;
    return vec2((pattern & 1u) != 0u ? high.x : low.x, (pattern & 2u) != 0u ? high.y : low.y);
}
