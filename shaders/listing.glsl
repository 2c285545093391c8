// Lists some of a layer's elements in their order, so that what overlaps looks the same in every picture. Run twice: stage
// 0 notes which elements of every group of 64 are listed; list_sums.comp sums up how many lie before each group; stage 1
// writes the listed ones. There are one or two lists; the second lies behind the first.
layout(local_size_x = 64) in;
layout(location = 0) uniform uint stage;
layout(location = 1) uniform uint element_count;
layout(location = 2) uniform uint lists;  // 1 or 2

const uint kInNoList = 2u;
/// 0, 1 or kInNoList.
uint list_of(uint element);
/// `place`: in both lists together.
void put(uint element, uint place);

void main() {
    const uint element = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (element >= element_count) return;
    const uint group = element / 64u, groups_each = (element_count + 63u) / 64u;
    const uint bit = 1u << (element % 32u);
    const bool high = element % 64u >= 32u;
    if (stage == 0u) {
        const uint list = list_of(element);
        if (list == kInNoList) return;
        if (high) atomicOr(groups[list * groups_each + group].high, bit);
        else atomicOr(groups[list * groups_each + group].low, bit);
        return;
    }
    for (uint list = 0u; list < lists; ++list) {
        const Group mine = groups[list * groups_each + group];
        const uint bits = high ? mine.high : mine.low;
        if ((bits & bit) == 0u) continue;
        const int before = bitCount(bits & (bit - 1u)) + (high ? bitCount(mine.low) : 0);
        put(element, mine.before + uint(before));
    }
}
