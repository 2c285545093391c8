// The density of points as a colour, between the cells interpolated. Over empty ground it is the ground's own colour.
layout(location = 0) noperspective in vec2 place;
layout(location = 0) out vec4 pixel;
layout(std430, binding = 2) readonly buffer Smooth { float smoothed[]; };
uniform ivec2 cells;
uniform vec2 corner;     // pixels from the middle of the picture: the lower left corner of the first cell
uniform float cell;      // pixels
uniform float gain;      // from a cell's number to the density, as a multiple of the mean
uniform float decades;   // binary ones, from the low end of the scale to the mean
uniform vec4 stops[9];
uniform vec4 ground;
uniform float strength;  // 0...1

void main() {
    const vec2 at = clamp((place - corner) / cell - 0.5, vec2(0.0), vec2(cells) - 1.001);
    const ivec2 low = ivec2(at);
    const vec2 part = at - vec2(low);
    const int i = low.y * cells.x + low.x;
    const float ratio = gain * mix(mix(smoothed[i], smoothed[i + 1], part.x),
                                   mix(smoothed[i + cells.x], smoothed[i + cells.x + 1], part.x), part.y);
    const float t = 8.0 * clamp(0.5 + 0.5 * log2(max(ratio, 1e-30)) / decades, 0.0, 1.0);
    const int stop = min(int(t), 7);
    const vec3 color = mix(stops[stop].rgb, stops[stop + 1].rgb, t - float(stop));
    pixel = vec4(mix(ground.rgb, color, clamp(ratio * exp2(decades), 0.0, 1.0)), strength);
}
