// Once per two elements of a surface that numbers colour: which of the 256 rows of the colour scale each of them has, as
// state words. NaN has 0xFFFF, which is the plain row.
layout(local_size_x = 64) in;
layout(std430, binding = 5) readonly buffer Scalars { float scalars[]; };
layout(std430, binding = 6) writeonly buffer Words { uint words[]; };
uniform uint scalar_count;
uniform vec2 scalar_range;  // the low end, and one over the length; of logarithms where the scale has these
uniform uint logarithmic;

uint level_of(uint i) {
    if (i >= scalar_count || isnan(scalars[i])) return 0xFFFFu;
    float at = scalars[i];
    if (logarithmic != 0u) at = at > 0.0 ? log(at) : scalar_range.x;
    return uint(clamp((at - scalar_range.x) * scalar_range.y, 0.0, 1.0) * 255.0 + 0.5);
}

void main() {
    const uint at = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (2u * at >= scalar_count) return;
    words[at] = level_of(2u * at) | level_of(2u * at + 1u) << 16u;
}
