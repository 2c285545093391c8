// Once per triangle: whether the fan that fills the outline of a triangulation (gather_triangles.comp) is folded anywhere.
layout(local_size_x = 64) in;
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };

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
    if (!any(greaterThanEqual(corners, uvec3(vertex_count)))) return;
    const uint k = corners.x >= vertex_count ? 0u : corners.y >= vertex_count ? 1u : 2u;
    const vec2 p = screen[corners[(k + 1u) % 3u]], q = screen[corners[(k + 2u) % 3u]], m = middle();
    if ((p.x - m.x) * (q.y - m.y) - (p.y - m.y) * (q.x - m.x) > 1.0) folded = 1u;
}
