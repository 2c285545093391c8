// Once per triangle: lists the fills that have a colour of their own. Plain triangles need none: all of them together
// fill the hull, which is drawn as a fan, one triangle for each ghost. Where helpers close the plane there is no such
// fan, and plain triangles are listed one by one.
layout(local_size_x = 64) in;
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Fills { uint fills[]; };  // id, and the highest bit: a ghost
layout(std430, binding = 6) buffer FillCommand { uint count, instances, first_vertex, base_instance; };

void main() {
    const uint t = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (t >= triangle_count) return;
    const uvec3 corners = uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]);
    const bool ghost = any(greaterThanEqual(corners, uvec3(vertex_count)));
    if (ghost && helper_begin != kNone) return;
    if (any(greaterThanEqual(corners, uvec3(helper_begin)))) {
        if (helper_begin != kNone) return;  // faint, as its edges are
    }
    uint entry = t;
    if (ghost) {
        entry |= 0x80000000u;
    } else {
        uint row = kPlainTriangle;
        if ((flags & kTriangleStates) != 0u)
            row = style_of_state[0x10000u + ((triangle_states[t >> 1] >> (16u * (t & 1u))) & 0xFFFFu)];
        if (styles[row].color.a == 0.0 || (row == kPlainTriangle && helper_begin == kNone)) return;
        const vec2 a = screen[corners.x], b = screen[corners.y], c = screen[corners.z];
        if (any(greaterThan(min(a, min(b, c)), half_size)) || any(lessThan(max(a, max(b, c)), -half_size))) return;
    }
    fills[atomicAdd(count, 3u) / 3u] = entry;
}
