// A rectangle around what is seen of each disc, for the fragment shader to cut it out of.
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 disc;  // radius in pixels; where its spoke points, or (0, 0)
layout(location = 2) noperspective out vec2 place;
layout(location = 3) noperspective out vec2 off;  // pixels from its centre

void main() {
    const Disc made = records[uint(gl_VertexID) / 6u];
    const vec2 at = made.disc.xy;
    color = made.color;
    disc = vec3(made.disc.z, made.spoke.xy);
    place = corner_of(uint(gl_VertexID) % 6u, max(at - disc.x - 1.0, -half_size), min(at + disc.x + 1.0, half_size));
    off = place - at;
    gl_Position = to_clip(place);
}
