layout(location = 0) flat in vec4 color;
layout(location = 1) flat in vec3 disc;
layout(location = 2) noperspective in vec2 place;
layout(location = 3) noperspective in vec2 off;
layout(location = 0) out vec4 pixel;

void main() {
    if (outside_box(place)) discard;
    const float from_centre = length(off);
    float rim_here = 0.0;  // discs that touch are told apart by it
    if (disc.x > 5.0) rim_here = 0.55 * clamp(from_centre - disc.x + 1.5, 0.0, 1.0);
    if (disc.y != 0.0 || disc.z != 0.0) {
        const float along = clamp(dot(off, disc.yz), 0.0, disc.x);
        rim_here = max(rim_here, 0.8 * clamp(0.06 * disc.x + 1.0 - length(off - along * disc.yz), 0.0, 1.0));
    }
    pixel = vec4(mix(color.rgb, rim.rgb, rim_here), color.a * clamp(disc.x + 0.5 - from_centre, 0.0, 1.0));
}
