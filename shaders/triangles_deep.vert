// Fills when the eye is so close that corners lie millions of pixels away: a box around what is seen of each triangle, and
// its three sides as lines a x + b y + c >= 0 in pixels, made in double. The fragment shader cuts the triangle out.
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 sides[3];
layout(location = 4) noperspective out vec2 place;

vec3 side(dvec2 p, dvec2 q) {
    const dvec2 d = q - p;
    const double size = max(max(abs(d.x), abs(d.y)), 1e-300LF);
    const dvec2 n = dvec2(-d.y, d.x) / size;
    const double longness = sqrt(dot(n, n));
    return vec3(vec2(n / longness), float(clamp(-dot(n, p) / longness, -1e30LF, 1e30LF)));
}

void main() {
    const uint t = uint(gl_VertexID) / 6u, corner = uint(gl_VertexID) % 6u;
    const uvec3 corners = uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]);
    gl_Position = nowhere();
    color = vec4(0.0);
    place = vec2(0.0);
    sides[0] = sides[1] = sides[2] = vec3(0.0);
    if (any(greaterThanEqual(corners, uvec3(min(vertex_count, helper_begin))))) return;
    const vec2 a = screen[corners.x], b = screen[corners.y], c = screen[corners.z];
    const vec2 low = max(min(a, min(b, c)), -half_size), high = min(max(a, max(b, c)), half_size);
    if (any(greaterThan(low, high))) return;
    uint row = kPlainTriangle;
    if ((flags & kTriangleStates) != 0u)
        row = style_of_state[(triangle_states[t >> 1] >> (16u * (t & 1u))) & 0xFFFFu];
    color = style_color(row);
    if (color.a == 0.0) return;
    if ((flags & kAngles) != 0u)
        color = angle_fill(positions[corners.x], positions[corners.y], positions[corners.z], row);
    const dvec2 pa = (positions[corners.x] - eye) * scale, pb = (positions[corners.y] - eye) * scale,
                pc = (positions[corners.z] - eye) * scale;
    sides[0] = side(pa, pb);
    sides[1] = side(pb, pc);
    sides[2] = side(pc, pa);
    for (int k = 0; k < 3; ++k)  // wholly on the wrong side of one: not seen
        if (dot(abs(sides[k].xy), half_size) + sides[k].z < 0.0) return;
    const uint pattern = corner == 0u ? 0u : corner == 1u || corner == 3u ? 1u : corner == 2u || corner == 4u ? 2u : 3u;
    place = vec2((pattern & 1u) != 0u ? high.x : low.x, (pattern & 2u) != 0u ? high.y : low.y);
    gl_Position = to_clip(place);
}
