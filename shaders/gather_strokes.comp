// What is seen of each segment, cut in double where it leaves the picture; of a polyline every piece between two of its
// points.
layout(std430, binding = 1) readonly buffer Ends { uint ends[]; };  // of segments; of polylines where each one starts

Stroke made;

bool cut(inout dvec2 p, inout dvec2 q, dvec2 room, out double enter, out double leave) {  // as in gather_edges.comp
    const dvec2 d = q - p;
    enter = 0.0LF;
    leave = 1.0LF;
    for (int axis = 0; axis < 2; ++axis) {
        if (d[axis] == 0.0LF) {
            if (abs(p[axis]) > room[axis]) return false;
            continue;
        }
        double a = (-room[axis] - p[axis]) / d[axis];
        double b = (room[axis] - p[axis]) / d[axis];
        if (a > b) {
            const double swap = a;
            a = b;
            b = swap;
        }
        enter = max(enter, a);
        leave = min(leave, b);
    }
    if (enter > leave) return false;
    q = p + d * leave;
    p = p + d * enter;
    return true;
}

bool make(uint i, uint image) {
    made.caps = vec4(0.0);
    uint a, b, element = i;
    vec2 strength = vec2(1.0);
    if ((what & kPolylines) != 0u) {
        a = i;
        b = i + 1u;
        uint low = 0u, high = count;  // ends[low] <= a < ends[high]
        while (high - low > 1u) {
            const uint middle = (low + high) / 2u;
            if (ends[middle] <= a)
                low = middle;
            else
                high = middle;
        }
        element = low;
        const uint first = ends[low], last = ends[low + 1u];
        if (a < first || b >= last) return false;
        if ((what & kFades) != 0u) strength = vec2(float(a - first), float(b - first)) / float(last - 1u - first);
        made.caps.xy = vec2(a == first ? 1.0 : 0.0, 1.0);
    } else {
        const bool given = (what & kHasEnds) != 0u;
        a = given ? ends[2u * i] : 2u * i;
        b = given ? ends[2u * i + 1u] : 2u * i + 1u;
    }
    if (a >= place_count || b >= place_count) return false;
    const dvec2 from = wrapped(places[a]), to = from + shortest(places[b] - places[a]);
    dvec2 by;
    if (!has_image(image, min(from, to), max(from, to), by)) return false;
    float size;
    made.color = element_color(element, size);
    if (made.color.a == 0.0) return false;
    const float half_width = 0.5 * line_px * size;
    dvec2 p = pixels_of(from + by), q = pixels_of(to + by);
    const double long_px = length(q - p);
    double enter, leave;
    if (!cut(p, q, dvec2(half_size + 8.0 * line_px + 16.0), enter, leave)) return false;
    const vec2 given_strength = strength;
    strength = mix(vec2(given_strength.x), vec2(given_strength.y), vec2(float(enter), float(leave)));
    float head = 0.0;
    if ((what & kArrows) != 0u && leave == 1.0LF) head = float(min(0.45LF * long_px, double(5.0 * line_px * size)));
    made.piece = vec4(vec2(p), vec2(q));
    made.how = vec4(half_width, strength, head);
    return true;
}
void put(uint place) { records[place] = made; }
