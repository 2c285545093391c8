// Triangles whose corners lie near the picture are drawn as triangles. Others, as in triangles_deep.vert, become a box
// around their visible part and three lines, computed in double, to cut it out with.
layout(std430, binding = 1) readonly buffer Corners { uint corners[]; };

Facet made;

const double kFar = 8192.0LF;  // pixels; beyond it a float is too coarse for a corner

bool make(uint t, uint image) {
    const uvec3 v = uvec3(corners[3u * t], corners[3u * t + 1u], corners[3u * t + 2u]);
    if (any(greaterThanEqual(v, uvec3(place_count)))) return false;
    dvec2 a = places[v.x], b = places[v.y], c = places[v.z], by = dvec2(0.0LF);
    if (any(greaterThan(box_size, dvec2(0.0LF)))) {
        const dvec2 ab = shortest(b - a), ac = shortest(c - a);
        a = wrapped(a);
        b = a + ab;
        c = a + ac;
    }
    if (!has_image(image, min(a, min(b, c)), max(a, max(b, c)), by)) return false;
    const dvec2 pa = pixels_of(a + by), pb = pixels_of(b + by), pc = pixels_of(c + by);
    const dvec2 least = min(pa, min(pb, pc)), most = max(pa, max(pb, pc));
    const vec2 low = max(near(least), -half_size), high = min(near(most), half_size);
    if (any(greaterThan(low, high))) return false;
    float size;
    made.color = element_color(t, size);
    if (made.color.a == 0.0) return false;
    if ((flags & kAngles) != 0u) made.color = angle_fill(a, b, c, element_row(t));
    made.whole = all(greaterThan(least, dvec2(-kFar))) && all(lessThan(most, dvec2(kFar))) ? 1u : 0u;
    if (made.whole != 0u) {
        made.span = vec4(vec2(pa), vec2(pb));
        made.sides[0] = vec4(vec2(pc), 0.0, 0.0);
        return true;
    }
    made.span = vec4(low, high);
    const vec3 ab = side(pa, pb), bc = side(pb, pc), ca = side(pc, pa);
    made.sides[0] = vec4(ab, 0.0);
    made.sides[1] = vec4(bc, 0.0);
    made.sides[2] = vec4(ca, 0.0);
    return !is_beyond(ab) && !is_beyond(bc) && !is_beyond(ca);
}
void put(uint place) { records[place] = made; }
