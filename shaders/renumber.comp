// Gives copied elements vertices of their own: those that they use, in their order, without the others. Run twice, like
// listing.glsl: stage 0 notes which vertices are used, list_sums.comp counts them, stage 1 writes their places and new
// numbers.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 1) writeonly buffer Own { dvec2 own[]; };
layout(std430, binding = 5) buffer Ids { uint ids[]; };
layout(location = 0) uniform uint stage;
layout(location = 1) uniform uint id_count;
layout(location = 2) uniform uint place_count;  // ids from here on have no place

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= id_count) return;
    const uint v = ids[i];
    if (v >= place_count) {
        ids[i] = kNone;
        return;
    }
    const uint bit = 1u << (v % 32u);
    const bool high = v % 64u >= 32u;
    if (stage == 0u) {
        if (high) atomicOr(groups[v / 64u].high, bit);
        else atomicOr(groups[v / 64u].low, bit);
        return;
    }
    const Group mine = groups[v / 64u];
    const uint bits = high ? mine.high : mine.low;
    const uint found = mine.before + uint(bitCount(bits & (bit - 1u)) + (high ? bitCount(mine.low) : 0));
    ids[i] = found;
    own[found] = places[v];  // the same from all elements that use it
}
