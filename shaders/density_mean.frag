// The mean of the numbers of the elements around a pixel, in the colours of their scale. Where there is none, nothing.
layout(location = 0) noperspective in vec2 place;
layout(location = 0) out vec4 pixel;
layout(std430, binding = 2) readonly buffer Sums { uint sums[]; };
uniform ivec2 cells;
uniform vec2 corner;  // pixels from the middle of the picture: the lower left corner of the first cell
uniform float cell;   // pixels
uniform vec4 stops[9];
uniform uint scaling;
uniform float strength;  // 0...1
uniform float least;     // parts around a pixel, of so many elements as there are where it is full

vec2 of(ivec2 at) {  // parts, and their numbers
    const int i = 3 * (at.y * cells.x + at.x);
    return vec2(float(sums[i]), float(sums[i + 1]) + 4294967296.0 * float(sums[i + 2]));
}

void main() {
    const vec2 at = clamp((place - corner) / cell - 0.5, vec2(1.0), vec2(cells) - 2.001);
    const ivec2 low = ivec2(at);
    const vec2 part = at - vec2(low);
    // Weights 1 2 1 around, so that no cell of few elements stays empty.
    vec2 sum = vec2(0.0);
    for (int y = -1; y <= 2; ++y)
        for (int x = -1; x <= 2; ++x) {
            const vec2 off = abs(vec2(x, y) - part);
            const vec2 near = max(2.0 - off, vec2(0.0));
            const ivec2 there = low + ivec2(x, y);
            if (any(greaterThanEqual(there, cells))) continue;
            sum += near.x * near.y * of(there);
        }
    if (sum.x <= 0.0) discard;
    const float t = 8.0 * colour_place(clamp(sum.y / (sum.x * 4095.0), 0.0, 1.0), scaling);
    const int stop = min(int(t), 7);
    pixel = vec4(mix(stops[stop].rgb, stops[stop + 1].rgb, t - float(stop)),
                 strength * smoothstep(0.0, least, sum.x));
}
