// A rectangle around what is seen of each disc, for the fragment shader to cut it out of.
layout(std430, binding = 1) readonly buffer Radii { double radii[]; };
layout(std430, binding = 2) readonly buffer Orientations { double orientations[]; };
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 disc;  // radius in pixels; where its spoke points, or (0, 0)
layout(location = 2) flat out vec4 box;
layout(location = 3) noperspective out vec2 place;
layout(location = 4) noperspective out vec2 off;  // pixels from its centre

void main() {
    const uint each = uint(gl_VertexID) / 6u, i = each / images, image = each % images;
    gl_Position = nowhere();
    place = off = vec2(0.0);
    box = box_on_picture();
    disc = vec3(0.0);
    float size;
    color = element_color(i, size);
    const double wanted = (what & kHasRadii) != 0u ? radii[i] : radius;
    const double r = radius_px > 0.0 ? double(radius_px * size) / scale : max(wanted, 0.0LF);
    const dvec2 centre = wrapped(places[i]);
    dvec2 by;
    if (!has_image(image, centre - r, centre + r, by)) return;
    const vec2 at = near(pixels_of(centre + by));
    const float seen = float(min(r * scale, 1e30LF));
    // Less than a pixel wide it is a tint, not a hole.
    disc.x = max(seen, 0.5);
    if (seen < 0.5) color.a *= max(4.0 * seen * seen, 0.02);
    if ((what & kHasOrientations) != 0u && seen > 3.0) {
        const float turn = float(orientations[i]);
        disc.yz = vec2(cos(turn), sin(turn));
    }
    const vec2 low = max(at - disc.x - 1.0, -half_size), high = min(at + disc.x + 1.0, half_size);
    if (any(greaterThan(low, high))) return;
    place = corner_of(uint(gl_VertexID) % 6u, low, high);
    off = place - at;
    gl_Position = to_clip(place);
}
