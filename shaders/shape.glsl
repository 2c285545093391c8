// Discs, strokes and facets: elements of a layer, each drawn as a rectangle around what is seen of it. gather_….comp makes
// records of those that are seen, out of the layer's buffers; ….vert draws the records. See ShapeNumbers in
// app/render/shapes.cpp.
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
    uint scaling, unused;
    vec4 stops[11];  // of the colour scale: nine and that of no number, or a colour of each class
    vec4 rim;
};
const uint kLogarithmic = 1u, kClasses = 2u;  // of `scaling`: see scaling_of() in renderer_impl.h
const uint kHasRadii = 1u, kHasOrientations = 2u, kHasStates = 4u, kHasScalars = 8u, kHasEnds = 16u, kPolylines = 32u,
           kFades = 64u, kArrows = 128u, kPeriodic = 256u, kShowsMissing = 512u;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) readonly buffer Scalars { float scalars[]; };
layout(std430, binding = 6) buffer ShapeCommand {
    uint vertices, instances, first_vertex, base_instance;
    vec4 box;                // what of the picture lies in the box: low x, low y, high x, high y in pixels
    uint records_before[];  // those of a group of 64 elements
};

vec3 scale_color(float value) {
    if ((scaling & 255u) == kClasses) return stops[uint(clamp(value, 0.0, 10.0) + 0.5)].rgb;
    float at = (scaling & 255u) == kLogarithmic ? (value > 0.0 ? log(value) : -3.4e38) : value;
    at = (at - scalar_low) * scalar_scale;
    at = 8.0 * colour_place(at > 0.0 ? min(at, 1.0) : 0.0, scaling);
    const int below = min(int(at), 7);
    return mix(stops[below].rgb, stops[below + 1].rgb, at - float(below));
}

uint element_row(uint i) {
    return style_of_state[(what & kHasStates) != 0u ? STATE_OF(states, i) : 0u];
}

/// Colour, and size relative to a plain element.
vec4 element_color(uint i, out float size) {
    const uint row = element_row(i);
    size = style_size_loud(row).x;
    // What has no number is not coloured, or grey where the key lists it.
    if ((what & kHasScalars) == 0u || (isnan(scalars[i]) && (what & kShowsMissing) == 0u)) return style_color(row);
    return vec4(isnan(scalars[i]) ? stops[10].rgb : scale_color(scalars[i]), 1.0);
}

// Axis by axis, without a computed index to write to: there are drivers that compile none for dvec2.
double wrapped_along(double at, double low, double size) {
    return size > 0.0LF ? at - floor((at - low) / size) * size : at;
}
dvec2 wrapped(dvec2 place) {
    return dvec2(wrapped_along(place.x, box_low.x, box_size.x), wrapped_along(place.y, box_low.y, box_size.y));
}
double shortest_along(double way, double size) {
    return size > 0.0LF ? way - floor(way / size + 0.5LF) * size : way;
}
/// The shortest way of all that lead to the same place.
dvec2 shortest(dvec2 way) { return dvec2(shortest_along(way.x, box_size.x), shortest_along(way.y, box_size.y)); }
bool has_image_along(double low, double high, double first, double size, out double by) {
    by = low < first ? size : -size;
    return size > 0.0LF && (low < first || high > first + size);
}
/// How far image `image` of what spans [low, high] is moved; false: there is no such image.
bool has_image(uint image, dvec2 low, dvec2 high, out dvec2 by) {
    double x = 0.0LF, y = 0.0LF;
    const bool has_x = (image & 1u) == 0u || has_image_along(low.x, high.x, box_low.x, box_size.x, x);
    const bool has_y = (image & 2u) == 0u || has_image_along(low.y, high.y, box_low.y, box_size.y, y);
    by = dvec2(x, y);
    return has_x && has_y;
}
dvec2 pixels_of(dvec2 place) { return (place - eye) * scale; }
vec2 near(dvec2 pixels) { return vec2(clamp(pixels, dvec2(-1e30LF), dvec2(1e30LF))); }
vec4 box_on_picture() {
    const vec2 low = near(pixels_of(box_low)), high = near(pixels_of(box_low + box_size));
    const bool has_x = box_size.x > 0.0LF, has_y = box_size.y > 0.0LF;
    return vec4(has_x ? low.x : -1e30, has_y ? low.y : -1e30, has_x ? high.x : 1e30, has_y ? high.y : 1e30);
}
bool outside_box(vec2 place) {
    return (what & kPeriodic) != 0u && (any(lessThan(place, box.xy)) || any(greaterThan(place, box.zw)));
}
