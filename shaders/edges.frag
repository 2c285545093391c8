// A box with a falloff one pixel wide. Its ends are straight: the discs of the points lie over them.
layout(location = 0) noperspective in vec2 along_across;
layout(location = 1) flat in uvec3 shape;
layout(location = 0) out vec4 pixel;

void main() {
    const vec4 color = unpackUnorm4x8(shape.z);
    const vec2 inside = clamp(uintBitsToFloat(shape.xy) + 0.5 - abs(along_across), 0.0, 1.0);
    pixel = vec4(color.rgb, color.a * inside.x * inside.y);
}
