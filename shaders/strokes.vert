// A rectangle around each piece of a line, for the fragment shader to cut it out of.
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec4 piece;
layout(location = 2) flat out vec4 how;
layout(location = 3) noperspective out vec2 place;
layout(location = 4) flat out vec2 caps;

void main() {
    const Stroke made = records[uint(gl_VertexID) / 6u];
    color = made.color;
    piece = made.piece;
    how = made.how;
    caps = made.caps.xy;
    const vec2 d = piece.zw - piece.xy;
    const float longness = length(d);
    const vec2 along = longness > 1e-6 ? d / longness : vec2(1.0, 0.0), across = vec2(-along.y, along.x);
    const float reach = max(how.x, 0.5 * how.w) + 1.0;
    const vec2 in_box = corner_of(uint(gl_VertexID) % 6u, vec2(-reach), vec2(longness + reach, reach));
    place = piece.xy + along * in_box.x + across * in_box.y;
    gl_Position = to_clip(place);
}
