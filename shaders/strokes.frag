layout(location = 0) flat in vec4 color;
layout(location = 1) flat in vec4 piece;
layout(location = 2) flat in vec4 how;
layout(location = 3) noperspective in vec2 place;
layout(location = 4) flat in vec2 caps;
layout(location = 0) out vec4 pixel;

void main() {
    if (outside_box(place)) discard;
    const vec2 d = piece.zw - piece.xy, off = place - piece.xy;
    const float longness = length(d);
    const vec2 along = longness > 1e-6 ? d / longness : vec2(1.0, 0.0);
    const float x = dot(off, along), y = abs(dot(off, vec2(-along.y, along.x))), half_width = how.x, head = how.w;
    // The shaft: straight ends, or round ones where pieces of a line meet. It ends within the head.
    const float end = longness - 0.7 * head;
    float here;
    if (caps.y > 0.0) {
        const float beyond = x < 0.0 ? (caps.x > 0.0 ? -x : 1e9) : max(x - longness, 0.0);
        here = clamp(half_width + 0.5 - length(vec2(beyond, y)), 0.0, 1.0);
    } else {
        here = clamp(half_width + 0.5 - y, 0.0, 1.0) * clamp(min(x, end - x) + 0.5, 0.0, 1.0);
    }
    if (head > 0.0) {  // a triangle as wide as it is long, its tip at the second end
        const float from_tip = longness - x;
        const float inside = min((0.5 * from_tip - y) * 0.894, head - from_tip);
        here = max(here, clamp(inside + 0.5, 0.0, 1.0));
    }
    const float strength = mix(how.y, how.z, longness > 0.0 ? clamp(x / longness, 0.0, 1.0) : 1.0);
    pixel = vec4(color.rgb, color.a * here * strength);
}
