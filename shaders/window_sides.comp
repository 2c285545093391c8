// On which sides of a window every vertex lies, in four bits: an element whose vertices are all on one side is away from the
// window. Elements look vertices up in no order, and these words fit into caches where places do not. One thread for the
// eight vertices of a word.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 1) writeonly buffer Sides { uint sides[]; };
layout(location = 0) uniform uint place_count;
layout(location = 1) uniform dvec2 low;  // of the window, world units
layout(location = 2) uniform dvec2 high;

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (8u * i >= place_count) return;
    uint word = 0u;
    for (uint v = 8u * i; v < min(8u * i + 8u, place_count); ++v) {
        const dvec2 at = places[v];
        const uint bits = uint(at.x < low.x) | uint(at.x > high.x) << 1 | uint(at.y < low.y) << 2 | uint(at.y > high.y) << 3;
        word |= bits << 4u * (v % 8u);
    }
    sides[i] = word;
}
