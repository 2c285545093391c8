layout(std430, binding = 1) readonly buffer Radii { double radii[]; };
layout(std430, binding = 2) readonly buffer Orientations { double orientations[]; };

Disc made;

bool make(uint i, uint image) {
    float size;
    made.color = element_color(i, size);
    const double wanted = (what & kHasRadii) != 0u ? radii[i] : radius;
    const double r = radius_px > 0.0 ? double(radius_px * size) / scale : max(wanted, 0.0LF);
    const dvec2 centre = wrapped(places[i]);
    dvec2 by;
    if (!has_image(image, centre - r, centre + r, by)) return false;
    const vec2 at = near(pixels_of(centre + by));
    const float seen = float(min(r * scale, 1e30LF));
    // A disc narrower than a pixel is drawn as a tint.
    made.disc = vec4(at, max(seen, 0.5), 0.0);
    if (seen < 0.5) made.color.a *= max(4.0 * seen * seen, 0.02);
    made.spoke = vec4(0.0);
    if ((what & kHasOrientations) != 0u && seen > 3.0) {
        const float turn = float(orientations[i]);
        made.spoke.xy = vec2(cos(turn), sin(turn));
    }
    return all(lessThanEqual(abs(at) - made.disc.z - 1.0, half_size));
}
void put(uint place) { records[place] = made; }
