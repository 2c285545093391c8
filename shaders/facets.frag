layout(location = 0) flat in vec4 color;
layout(location = 1) flat in vec3 sides[3];
layout(location = 4) noperspective in vec2 place;
layout(location = 0) out vec4 pixel;

void main() {
    if (outside_box(place)) discard;
    for (int k = 0; k < 3; ++k)
        if (dot(sides[k].xy, place) + sides[k].z < 0.0) discard;
    pixel = color;
}
