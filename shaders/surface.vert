// The listed triangles of a surface.
layout(std430, binding = 1) readonly buffer Screen { vec4 screen[]; };
layout(std430, binding = 2) readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 5) readonly buffer Fills { uvec2 fills[]; };
layout(location = 0) flat out vec4 color;

void main() {
    const uvec2 fill = fills[uint(gl_VertexID) / 3u];
    color = unpackUnorm4x8(fill.y);
    gl_Position = to_clip(screen[triangles[3u * fill.x + uint(gl_VertexID) % 3u]]);
}
