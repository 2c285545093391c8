// The whole view, as one rectangle.
layout(location = 0) noperspective out vec2 place;  // pixels from the middle of the picture

void main() {
    const uint corner = uint(gl_VertexID);
    place = vec2((corner & 1u) != 0u ? half_size.x : -half_size.x, (corner & 2u) != 0u ? half_size.y : -half_size.y);
    gl_Position = to_clip(place);
}
