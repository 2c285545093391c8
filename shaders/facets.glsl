struct Facet {
    vec4 color;
    vec4 span;      // of the rectangle around what is seen of it, pixels
    vec4 sides[3];  // three lines: normals, and how far from the middle of the picture
};
layout(std430, binding = 7) buffer Records { Facet records[]; };
