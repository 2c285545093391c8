// Fills at a zoom where corners lie millions of pixels away: a box around the visible part of each triangle, and its three
// sides as lines, computed in double. The fragment shader cuts the triangle out.
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 sides[3];
layout(location = 4) noperspective out vec2 place;

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
        row = style_of_state[STATE_OF(triangle_states, t)];
    color = style_color(row);
    if (color.a == 0.0) return;
    if ((flags & kAngles) != 0u)
        color = angle_fill(positions[corners.x], positions[corners.y], positions[corners.z], row);
    const dvec2 pa = (positions[corners.x] - eye) * scale, pb = (positions[corners.y] - eye) * scale,
                pc = (positions[corners.z] - eye) * scale;
    sides[0] = side(pa, pb);
    sides[1] = side(pb, pc);
    sides[2] = side(pc, pa);
    if (is_beyond(sides[0]) || is_beyond(sides[1]) || is_beyond(sides[2])) return;
    place = corner_of(corner, low, high);
    gl_Position = to_clip(place);
}
