// Once per triangle of a surface: skips what cannot be seen, lets the light fall on it, and lists it with its colour. The
// light comes from beside the eye, so nothing that is seen lies in the dark.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec4 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Fills { uvec2 fills[]; };  // id, colour
layout(std430, binding = 6) buffer FillCommand { uint count, instances, first_vertex, base_instance; };
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };
uniform uint corners_each;  // vertices in the draw for one triangle

const vec3 kLight = vec3(-0.30, 0.42, 0.857);  // right, up, toward the eye; of length 1

dvec3 place(uint v) { return dvec3(positions[v], heights[v]); }

void main() {
    const uint t = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (t >= triangle_count) return;
    const uvec3 corners = uvec3(triangles[3u * t], triangles[3u * t + 1u], triangles[3u * t + 2u]);
    if (any(greaterThanEqual(corners, uvec3(min(vertex_count, helper_begin))))) return;
    const vec2 a = screen[corners.x].xy, b = screen[corners.y].xy, c = screen[corners.z].xy;
    if (any(greaterThan(min(a, min(b, c)), half_size)) || any(lessThan(max(a, max(b, c)), -half_size))) return;

    const dvec3 origin = place(corners.x), d = place(corners.y) - origin, e = place(corners.z) - origin;
    const double size = max(max(max(abs(d.x), abs(d.y)), abs(d.z)), max(max(abs(e.x), abs(e.y)), abs(e.z)));
    if (size == 0.0LF) return;
    // The cross product of slivers comes out of cancellation: in double.
    const dvec3 normal = cross(d / size, e / size);
    const double longness = sqrt(dot(normal, normal));
    if (longness == 0.0LF) return;
    vec3 seen = vec3(dvec3(dot(normal, right.xyz), dot(normal, up.xyz), dot(normal, toward.xyz)) / longness);
    const bool inside = seen.z < 0.0;
    if (inside) seen = -seen;

    vec3 color = style_color(inside ? kSurfaceInside : kSurface).rgb;
    if ((flags & kOneStyle) != 0u) color = mix(color, style_color(kLayerRow).rgb, min(3.0 * style_color(kLayerRow).a, 1.0));
    else if ((flags & kAngles) != 0u) color = angle_color(smallest_angle(d, e));
    if ((flags & kTriangleStates) != 0u)
        color = state_over(color, style_of_state[(triangle_states[t >> 1] >> (16u * (t & 1u))) & 0xFFFFu]);
    float ambient = style_size_loud(kSurface).x;
    if ((flags & (kAngles | kNumbers)) != 0u) ambient = max(ambient, 0.62);  // the scale is to be read off
    color *= ambient + (1.0 - ambient) * max(dot(seen, kLight), 0.0);
    const uint at = atomicAdd(count, corners_each) / corners_each;
    fills[at] = uvec2(t, packUnorm4x8(vec4(color, 1.0)));
}
