// Triangles one by one, each in its own colour: of a torus, or coloured by numbers.
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out vec3 sides[3];
layout(location = 4) noperspective out vec2 place;

void main() {
    const uint record = uint(gl_VertexID) / 6u, corner = uint(gl_VertexID) % 6u;
    const vec4 span = records[record].span;
    color = records[record].color;
    sides[0] = sides[1] = sides[2] = vec3(0.0);
    if (records[record].whole != 0u) {
        place = corner == 0u ? span.xy : corner == 1u ? span.zw : records[record].sides[0].xy;
        gl_Position = corner < 3u ? to_clip(place) : nowhere();
        return;
    }
    sides[0] = records[record].sides[0].xyz;
    sides[1] = records[record].sides[1].xyz;
    sides[2] = records[record].sides[2].xyz;
    place = corner_of(corner, span.xy, span.zw);
    gl_Position = to_clip(place);
}
