struct Disc {
    vec4 color;
    vec4 disc;  // centre and radius, pixels
    vec4 spoke;  // where its spoke points, or (0, 0)
};
layout(std430, binding = 7) buffer Records { Disc records[]; };
