struct Stroke {
    vec4 color;
    vec4 piece;  // from and to, pixels
    vec4 how;    // half width; strength at both ends; length of the head at the second
    vec4 caps;   // whether there is a round end at the first and at the second
};
layout(std430, binding = 7) buffer Records { Stroke records[]; };
