// Colours for triangles by their smallest angle.

// Degrees; of the triangle with two sides d and e from one corner, in any unit.
float smallest_angle(dvec3 d, dvec3 e) {
    const double size = max(max(max(abs(d.x), abs(d.y)), abs(d.z)), max(max(abs(e.x), abs(e.y)), abs(e.z)));
    if (size == 0.0LF) return 0.0;
    const vec3 p = vec3(d / size), q = vec3(e / size), r = q - p;
    const float area = length(cross(p, q));
    const float least = min(atan(area, dot(p, q)), min(atan(area, dot(-p, r)), atan(area, dot(q, r))));
    return degrees(least);
}

vec3 angle_color(float angle) {
    const float place = clamp(angle / 15.0, 0.0, 4.0);
    const uint below = min(uint(place), 3u);
    return mix(style_color(kAngleStops + below).rgb, style_color(kAngleStops + below + 1u).rgb, place - float(below));
}

// What a triangle's state makes of the colour below it.
vec3 state_over(vec3 ground, uint row) {
    if (row == kPlainTriangle || row == kLayerRow) return ground;
    return mix(ground, style_color(row).rgb, min(3.0 * style_color(row).a, 1.0));
}

// Of the triangle a b c in the plane.
vec4 angle_fill(dvec2 a, dvec2 b, dvec2 c, uint row) {
    return vec4(state_over(angle_color(smallest_angle(dvec3(b - a, 0.0LF), dvec3(c - a, 0.0LF))), row), 1.0);
}
