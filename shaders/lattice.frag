// Cells, their borders, numbers and marks of the sites under one pixel, read where the kernels wrote them. Compiled in
// several versions, so that a software rasteriser does only what is needed: with LARGE, sites are squares with exact
// sides. Without, they are small, and a grid of samples is taken, two pixels wide: what is near the middle makes the
// tint, and where neighbours differ there is a border, about one pixel wide, wherever it lies. With COARSE there are
// four samples instead of sixteen. CELLS, FIELD, MARKS and FILLS are what is shown; with FILLS states colour sites
// whole, in place of tints and numbers; with NUMBERS a number of each cell does so, in place of its tint.
layout(std430, binding = 0) readonly buffer Colours { uint colours[]; };
layout(std430, binding = 1) readonly buffer Names { uint names[]; };
layout(std430, binding = 2) readonly buffer Field { float field[]; };
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) readonly buffer Numbers { uint numbers[]; };  // bits of floats
layout(location = 0) noperspective in vec2 place;
layout(location = 0) out vec4 pixel;

const int kMostLooked = 5;  // sites along a side of a pixel whose marks are looked at

bool inside(ivec2 s) { return s.x >= 0 && s.x < size.x && s.y >= rows.x && s.y < rows.y; }
uint index_of(ivec2 s) { return uint(s.y) * uint(size.x) + uint(s.x); }

uint colour_at(ivec2 s) {
#ifdef COLOURS
    if (inside(s)) return colours[index_of(s) - first_colour];
#endif
    return kNone;
}

#if defined(MARKS) || defined(FILLS)
// Quiet marks fade where sites get small: there may be some at every border.
float quiet_strength() { return clamp((site / unit - 1.0) / 8.0, 0.1, 1.0); }

uint mark_at(ivec2 s) {
    if (!inside(s)) return kPlainSite;
    const uint i = index_of(s) - first_state;
    return style_of_state[STATE_OF(states, i)];
}
#endif

// The site that lies at so many pixels from the middle.
ivec2 site_at(vec2 at) { return line + ivec2(floor((at - line_at) / site)); }

vec3 tint_of(uint colour) {
#ifdef NAMES
    const uint name = colour < name_count ? names[colour] : colour;
#else
    const uint name = colour;
#endif
    return mix(mean.rgb, tints[(((name * 0x9E3779B1u) >> 16) * kCells) >> 16].rgb, contrast);
}

#if defined(FIELD) || defined(NUMBERS)
// A number on the colour scale; no number has the colour of the low end.
vec3 scale_color(float at) {
    if ((scaling & 255u) == 2u) return field_stops[uint(clamp(at, 0.0, 10.0) + 0.5)].rgb;
    if ((scaling & 255u) == 1u) at = at > 0.0 ? log(at) : field_low;
    at = (at - field_low) * field_scale;
    at = 8.0 * colour_place(at > 0.0 ? min(at, 1.0) : 0.0, scaling);
    const int below = min(int(at), 7);
    return mix(field_stops[below].rgb, field_stops[below + 1].rgb, at - float(below));
}
#endif

// Of a cell: transparent where it has no name.
vec4 cell_color(uint colour) {
#ifdef NAMES
    if (colour < name_count && names[colour] == kNone) return vec4(0.0);
#endif
#ifdef NUMBERS
    const uint bits = colour < number_count ? numbers[colour] : 0x7FC00000u;
    const bool is_number = (bits & 0x7FFFFFFFu) <= 0x7F800000u;  // isnan() may be compiled to nothing
    return vec4(is_number ? scale_color(uintBitsToFloat(bits)) : mean.rgb, 1.0);
#else
    return vec4(tint_of(colour), 1.0);
#endif
}

vec3 hatched() {
    const float off = abs(fract((place.x + place.y + hatch_at) / hatch_pitch) - 0.5) * hatch_pitch;
    return mix(obstacle.rgb, hatching.rgb, clamp(0.16 * hatch_pitch - off + 0.5, 0.0, 1.0));
}

// With alpha 0 where there is nothing to see. `stone`: of obstacles.
vec4 fill_of(ivec2 s, uint colour, vec3 stone) {
    if (!inside(s)) return vec4(0.0);
#ifdef FILLS
    const uint row = mark_at(s);
    if (row != kPlainSite) return style_color(row);
#endif
#if defined(CELLS) || defined(FIELD)
    if (colour == kMaxLink) return vec4(stone, 1.0);
#endif
#if defined(FIELD)
    return vec4(scale_color(field[index_of(s) - first_field]), 1.0);
#elif defined(CELLS)
    return colour == kNone ? vec4(0.0) : cell_color(colour);
#else
    return vec4(0.0);
#endif
}

vec4 over(vec4 below, vec4 color) {  // both not premultiplied
    const float alpha = color.a + below.a * (1.0 - color.a);
    return alpha == 0.0 ? vec4(0.0) : vec4(mix(below.rgb * below.a, color.rgb, color.a) / alpha, alpha);
}

#ifdef LARGE
vec4 seen() {
    const vec2 from_line = place - line_at, steps = floor(from_line / site);
    const ivec2 s = line + ivec2(steps);
    // Pixels from the lower and upper sides; each for itself, since the side of a site may be millions of pixels.
    const vec2 lower = from_line - steps * site, upper = (steps + 1.0) * site - from_line;
    const vec2 off = min(lower, upper);
    const uint mine = colour_at(s);
    vec4 color = fill_of(s, mine, hatched());

    if (color.a > 0.0) {
        const float shown = smoothstep(7.0 * unit, 16.0 * unit, site);
        const float side = clamp(0.5 * unit + 0.5 - min(off.x, off.y), 0.0, 1.0);
        color.rgb = mix(color.rgb, between.rgb, between.a * side * shown);
    }
#ifdef MARKS
    const uint row = mark_at(s);
    if (row != kPlainSite) {
        vec4 mark = style_color(row);
        if (style_size_loud(row).y == 0.0) mark.a *= quiet_strength();
        const float inset = 0.14 * site, depth = min(off.x, off.y) - inset;
        const float thick = max(0.09 * site, 1.2 * unit);
        const float box = clamp(depth + 0.5, 0.0, 1.0), ring = box * clamp(thick - depth + 0.5, 0.0, 1.0);
        color = over(color, vec4(mark.rgb, mark.a * max(0.35 * box, ring)));
    }
#endif
#ifdef CELLS
    const float reach = 0.5 * border_width + 0.5;
    const ivec2 toward = ivec2(lower.x < upper.x ? -1 : 1, lower.y < upper.y ? -1 : 1);
    const uint across = colour_at(s + ivec2(toward.x, 0)), along = colour_at(s + ivec2(0, toward.y));
    const uint corner = colour_at(s + toward);
    float nearest = 1e9;
    if (mine != across) nearest = min(nearest, off.x);
    if (mine != along) nearest = min(nearest, off.y);
    // Borders of the neighbours that end at this corner.
    if (across != corner || along != corner) nearest = min(nearest, length(off));
    const float line_there = clamp(reach - nearest, 0.0, 1.0);
    const bool within = inside(s) && inside(s + toward);
    const vec4 rim = within && any(equal(uvec4(mine, across, along, corner), uvec4(kNone))) ? outline : border;
    color = over(color, vec4(rim.rgb, rim.a * border_strength * line_there));
#endif
    return color;
}
#else
// Written out, sample by sample: a software rasteriser is slow with arrays.
const float kInner = 0.25, kOuter = 0.75;  // pixels

ivec4 sites_along(float at, float from, int first) {
    return first + ivec4(floor((at - from + unit * vec4(-kOuter, -kInner, kInner, kOuter)) / site));
}

vec4 seen() {
    const ivec4 x = sites_along(place.x, line_at.x, line.x), y = sites_along(place.y, line_at.y, line.y);
    const uvec2 row1 = uvec2(colour_at(ivec2(x.y, y.y)), colour_at(ivec2(x.z, y.y)));
    const uvec2 row2 = uvec2(colour_at(ivec2(x.y, y.z)), colour_at(ivec2(x.z, y.z)));
    const vec3 stone = hatched();
    const vec4 a = fill_of(ivec2(x.y, y.y), row1.x, stone), b = fill_of(ivec2(x.z, y.y), row1.y, stone);
    const vec4 c = fill_of(ivec2(x.y, y.z), row2.x, stone), d = fill_of(ivec2(x.z, y.z), row2.y, stone);
    const float sum = a.a + b.a + c.a + d.a;
    vec4 color = vec4((a.rgb * a.a + b.rgb * b.a + c.rgb * c.a + d.rgb * d.a) / max(sum, 1.0), 0.25 * sum);
#ifdef CELLS
#ifdef COARSE
    const vec2 changes = 0.8 * vec2(dot(vec2(notEqual(uvec2(row1.x, row2.x), uvec2(row1.y, row2.y))), vec2(1.0)),
                                    dot(vec2(notEqual(row1, row2)), vec2(1.0)));
#else
    const uvec4 low = uvec4(colour_at(ivec2(x.x, y.x)), colour_at(ivec2(x.y, y.x)), colour_at(ivec2(x.z, y.x)),
                            colour_at(ivec2(x.w, y.x)));
    const uvec4 mid1 = uvec4(colour_at(ivec2(x.x, y.y)), row1, colour_at(ivec2(x.w, y.y)));
    const uvec4 mid2 = uvec4(colour_at(ivec2(x.x, y.z)), row2, colour_at(ivec2(x.w, y.z)));
    const uvec4 high = uvec4(colour_at(ivec2(x.x, y.w)), colour_at(ivec2(x.y, y.w)), colour_at(ivec2(x.z, y.w)),
                             colour_at(ivec2(x.w, y.w)));
    // A tent over two pixels: it has the same sum wherever the border lies.
    const vec4 tent = vec4(0.125, 0.375, 0.375, 0.125);
    const vec3 middle = vec3(0.5, 1.0, 0.5);
    const vec2 changes =
        vec2(dot(tent, vec4(dot(middle, vec3(notEqual(low.xyz, low.yzw))), dot(middle, vec3(notEqual(mid1.xyz, mid1.yzw))),
                            dot(middle, vec3(notEqual(mid2.xyz, mid2.yzw))), dot(middle, vec3(notEqual(high.xyz, high.yzw))))),
             dot(middle, vec3(dot(tent, vec4(notEqual(low, mid1))), dot(tent, vec4(notEqual(mid1, mid2))),
                              dot(tent, vec4(notEqual(mid2, high))))));
#endif
    const bool within = inside(ivec2(x.x, y.x)) && inside(ivec2(x.w, y.w));
#ifdef COARSE
    const bool ends = any(equal(uvec4(row1, row2), uvec4(kNone)));
#else
    const bvec4 nothing = bvec4(any(equal(low, uvec4(kNone))), any(equal(mid1, uvec4(kNone))),
                                any(equal(mid2, uvec4(kNone))), any(equal(high, uvec4(kNone))));
    const bool ends = any(nothing);
#endif
    const vec4 rim = within && ends ? outline : border;
    color = over(color, vec4(rim.rgb, rim.a * border_strength * min(length(changes), 1.0)));
#endif
#ifdef MARKS
    const ivec2 from = site_at(place - 0.5 * unit), to = site_at(place + 0.5 * unit);
    const ivec2 stride = max(ivec2(1), (to - from + kMostLooked) / kMostLooked);
    vec4 quiet = vec4(0.0), loud = vec4(0.0);
    float looked = 0.0;
    for (int y = from.y; y <= to.y; y += stride.y)
        for (int x = from.x; x <= to.x; x += stride.x) {
            const uint row = mark_at(ivec2(x, y));
            looked += 1.0;
            if (row == kPlainSite) continue;
            const vec4 mark = style_color(row);
            if (style_size_loud(row).y > 0.0)
                loud = mark.a > loud.a ? mark : loud;
            else
                quiet += vec4(mark.rgb * mark.a, mark.a);
        }
    if (quiet.a > 0.0) color = over(color, vec4(quiet.rgb / quiet.a, quiet.a / looked * quiet_strength()));
    color = over(color, loud);
#endif
    return color;
}
#endif

void main() { pixel = seen(); }
