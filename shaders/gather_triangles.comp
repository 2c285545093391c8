// Once per triangle: lists the fills that have a colour of their own. Plain triangles need none: all of them together
// fill the outline, which is drawn as a fan, one triangle for each ghost. Where helpers close the plane, or the outline is
// bent or has holes, there is no such fan, and plain triangles are listed one by one; so they are where each is coloured
// by its angles. Run twice: first to see whether the fan folds over itself anywhere.
layout(local_size_x = 64) in;
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Fills { uint fills[]; };  // id, and the highest bit: a ghost
layout(std430, binding = 6) buffer FillCommand {
    uint count, instances, first_vertex, base_instance;
    uint folded;  // fan triangles that are turned over
};
uniform uint stage;

// A place within the triangulation: the middle of the finite vertices of one triangle. As in triangles.vert.
vec2 middle() {
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < 3u; ++k)
        if (triangles[k] < vertex_count) sum += vec3(screen[triangles[k]], 1.0);
    return sum.xy / sum.z;
}

void main() {
    const uint t = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (t >= triangle_count) return;
    const uvec3 corners = uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]);
    const bool ghost = any(greaterThanEqual(corners, uvec3(vertex_count)));
    if (stage == 0u) {
        if (!ghost) return;
        const uint k = corners.x >= vertex_count ? 0u : corners.y >= vertex_count ? 1u : 2u;
        const vec2 p = screen[corners[(k + 1u) % 3u]], q = screen[corners[(k + 2u) % 3u]], m = middle();
        if ((p.x - m.x) * (q.y - m.y) - (p.y - m.y) * (q.x - m.x) > 1.0) folded = 1u;
        return;
    }
    const bool fan = helper_begin == kNone && (flags & kAngles) == 0u && folded == 0u;
    if (ghost && !fan) return;
    if (any(greaterThanEqual(corners, uvec3(helper_begin)))) {
        if (helper_begin != kNone) return;  // faint, as its edges are
    }
    uint entry = t;
    if (ghost) {
        entry |= 0x80000000u;
    } else {
        uint row = kPlainTriangle;
        if ((flags & kTriangleStates) != 0u)
            row = style_of_state[(triangle_states[t >> 1] >> (16u * (t & 1u))) & 0xFFFFu];
        if (style_color(row).a == 0.0 || (row == kPlainTriangle && fan)) return;
        const vec2 a = screen[corners.x], b = screen[corners.y], c = screen[corners.z];
        if (any(greaterThan(min(a, min(b, c)), half_size)) || any(lessThan(max(a, max(b, c)), -half_size))) return;
    }
    fills[atomicAdd(count, 3u) / 3u] = entry;
}
