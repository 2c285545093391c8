// Faint fills of the listed triangles, and the fan that fills the hull.
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 3) readonly buffer TriangleStates { uint triangle_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) readonly buffer Fills { uint fills[]; };
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(location = 0) flat out vec4 color;

// A place within the hull: the middle of the finite vertices of one triangle.
vec2 middle() {
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < 3u; ++k)
        if (triangles[k] < vertex_count) sum += vec3(screen[triangles[k]], 1.0);
    return sum.xy / sum.z;
}

void main() {
    const uint entry = fills[uint(gl_VertexID) / 3u], corner = uint(gl_VertexID) % 3u, t = entry & 0x7FFFFFFFu;
    const uint vertex = triangles[3u * t + corner];
    uint row = kPlainTriangle;
    if (entry == t && (flags & kTriangleStates) != 0u)
        row = style_of_state[STATE_OF(triangle_states, t)];
    color = style_color(row);
    if ((flags & kAngles) != 0u)
        color = angle_fill(positions[triangles[3u * t]], positions[triangles[3u * t + 1u]], positions[triangles[3u * t + 2u]], row);
    gl_Position = to_clip(vertex < vertex_count ? screen[vertex] : middle());
}
