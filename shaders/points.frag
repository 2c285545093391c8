layout(location = 0) flat in vec4 color;
layout(location = 1) flat in float diameter;
layout(location = 0) out vec4 pixel;

void main() {
    const float off = length(gl_PointCoord - 0.5) * diameter;
    pixel = vec4(color.rgb, color.a * clamp(0.5 * diameter - off, 0.0, 1.0));
}
