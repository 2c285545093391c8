// Triangles of a surface: skips invisible ones and lights the others, from beside the camera, so that no visible one is
// dark.
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec4 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Fills { uvec2 fills[]; };  // id, colour
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };

const vec3 kLight = vec3(-0.30, 0.42, 0.857);  // right, up, toward the eye; of length 1

dvec3 place_of(uint v) { return dvec3(positions[v], heights[v]); }
uvec3 corners_of(uint t) { return uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]); }

/// `d` and `e`: sides from its first corner, of any length. The normal's length is 0 where there is no triangle.
dvec3 normal_of(uvec3 corners, out dvec3 d, out dvec3 e) {
    const dvec3 origin = place_of(corners.x);
    d = place_of(corners.y) - origin;
    e = place_of(corners.z) - origin;
    const double size = max(max(max(abs(d.x), abs(d.y)), abs(d.z)), max(max(abs(e.x), abs(e.y)), abs(e.z)));
    // The cross product of slivers comes out of cancellation: in double.
    return size == 0.0LF ? dvec3(0.0LF) : cross(d / size, e / size);
}

uint list_of(uint t) {
    const uvec3 corners = corners_of(t);
    if (any(greaterThanEqual(corners, uvec3(min(vertex_count, helper_begin))))) return kInNoList;
    const vec2 a = screen[corners.x].xy, b = screen[corners.y].xy, c = screen[corners.z].xy;
    if (any(greaterThan(min(a, min(b, c)), half_size)) || any(lessThan(max(a, max(b, c)), -half_size))) return kInNoList;
    dvec3 d, e;
    const dvec3 normal = normal_of(corners, d, e);
    return dot(normal, normal) == 0.0LF ? kInNoList : 0u;
}

void put(uint t, uint at) {
    dvec3 d, e;
    const dvec3 normal = normal_of(corners_of(t), d, e);
    const double longness = sqrt(dot(normal, normal));
    vec3 seen_normal = vec3(dvec3(dot(normal, right.xyz), dot(normal, up.xyz), dot(normal, toward.xyz)) / longness);
    const bool inside = seen_normal.z < 0.0;
    if (inside) seen_normal = -seen_normal;

    vec3 color = style_color(inside ? kSurfaceInside : kSurface).rgb;
    if ((flags & kOneStyle) != 0u) color = mix(color, style_color(kLayerRow).rgb, min(3.0 * style_color(kLayerRow).a, 1.0));
    else if ((flags & kAngles) != 0u) color = angle_color(smallest_angle(d, e));
    if ((flags & kTriangleStates) != 0u)
        color = state_over(color, style_of_state[STATE_OF(triangle_states, t)]);
    float ambient = style_size_loud(kSurface).x;
    if ((flags & (kAngles | kNumbers)) != 0u) ambient = max(ambient, 0.62);  // the scale is to be read off
    color *= ambient + (1.0 - ambient) * max(dot(seen_normal, kLight), 0.0);
    fills[at] = uvec2(t, packUnorm4x8(vec4(color, 1.0)));
}
