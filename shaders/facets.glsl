struct Facet {
    vec4 color;
    vec4 span;      // of the rectangle around what is seen of it, pixels; of a whole one two corners
    vec4 sides[3];  // three lines: normals, and how far from the middle of the picture; of a whole one the third corner
    uint whole, unused_0, unused_1, unused_2;
};
layout(std430, binding = 7) buffer Records { Facet records[]; };
