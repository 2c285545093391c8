// Lists the triangles with a colour of their own. Plain triangles together fill the outline, which is drawn as a fan, one
// triangle for each ghost. Where helpers close the plane, where the outline is bent or has holes (see find_folds.comp), and
// where each triangle is coloured by its angles, there is no such fan, and plain triangles are listed one by one.
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Fills { uint fills[]; };  // id, and the highest bit: a ghost

uvec3 corners_of(uint t) { return uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]); }

uint list_of(uint t) {
    const uvec3 corners = corners_of(t);
    const bool ghost = any(greaterThanEqual(corners, uvec3(vertex_count)));
    const bool fan = helper_begin == kNone && (flags & kAngles) == 0u && folded == 0u;
    if (ghost) return fan ? 0u : kInNoList;
    if (helper_begin != kNone && any(greaterThanEqual(corners, uvec3(helper_begin)))) return kInNoList;  // as its edges
    uint row = kPlainTriangle;
    if ((flags & kTriangleStates) != 0u) row = style_of_state[STATE_OF(triangle_states, t)];
    if (style_color(row).a == 0.0 || (row == kPlainTriangle && fan)) return kInNoList;
    const vec2 a = screen[corners.x], b = screen[corners.y], c = screen[corners.z];
    const bool outside =
        any(greaterThan(min(a, min(b, c)), half_size)) || any(lessThan(max(a, max(b, c)), -half_size));
    return outside ? kInNoList : 0u;
}

void put(uint t, uint place) {
    const bool ghost = any(greaterThanEqual(corners_of(t), uvec3(vertex_count)));
    fills[place] = ghost ? t | 0x80000000u : t;
}
