// The listed triangles of a surface at a zoom where corners lie far outside: as in triangles_deep.vert, a box around the
// visible part of each and three lines to cut it out with; its depth follows from its plane.
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec4 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 5) readonly buffer Fills { uvec2 fills[]; };
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 sides[3];
layout(location = 4) noperspective out vec2 place;

dvec3 seen(uint v) {  // pixels, and pixels towards the eye
    const dvec3 off = dvec3(positions[v], heights[v]) - eye_place.xyz;
    return dvec3(dot(off, right.xyz), dot(off, up.xyz), dot(off, toward.xyz)) * scale;
}

void main() {
    const uvec2 fill = fills[uint(gl_VertexID) / 6u];
    const uint corner = uint(gl_VertexID) % 6u;
    const uvec3 corners = uvec3(triangles[3u * fill.x], triangles[3u * fill.x + 1u], triangles[3u * fill.x + 2u]);
    gl_Position = nowhere();
    color = unpackUnorm4x8(fill.y);
    place = vec2(0.0);
    const vec2 a = screen[corners.x].xy, b = screen[corners.y].xy, c = screen[corners.z].xy;
    const vec2 low = max(min(a, min(b, c)), -half_size), high = min(max(a, max(b, c)), half_size);
    dvec3 p = seen(corners.x), q = seen(corners.y), r = seen(corners.z);
    double area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    if (area < 0.0LF) {  // seen from inside: the lines are those of the turned triangle
        const dvec3 swap = q;
        q = r;
        r = swap;
        area = -area;
    }
    sides[0] = side(p.xy, q.xy);
    sides[1] = side(q.xy, r.xy);
    sides[2] = side(r.xy, p.xy);
    if (area == 0.0LF) return;
    if (is_beyond(sides[0]) || is_beyond(sides[1]) || is_beyond(sides[2])) return;
    place = corner_of(corner, low, high);
    const dvec2 off = dvec2(place) - p.xy;
    const double u = (off.x * (r.y - p.y) - off.y * (r.x - p.x)) / area, v = ((q.x - p.x) * off.y - (q.y - p.y) * off.x) / area;
    const double near = p.z + u * (q.z - p.z) + v * (r.z - p.z);  // pixels
    gl_Position = to_clip(vec4(place, float(clamp(-near / scale * depth_scale, -64.0LF, 64.0LF)), 0.0));
}
