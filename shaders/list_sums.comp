// Between the two stages of listing.glsl: for every group how many elements are listed before it, and the commands that
// draw the lists. Blocks of groups are summed, then the blocks, then the groups of each block; a single block needs the
// last stage only.
const uint kThreads = 256u, kEach = 16u, kBlock = kThreads * kEach;  // groups of a workgroup
layout(local_size_x = 256) in;
layout(location = 0) uniform uint groups_each;  // of a list
layout(location = 1) uniform uint lists;
layout(location = 2) uniform uint vertices;  // of an element
layout(location = 3) uniform uint chunk;     // elements that an instance draws; 0: all
layout(location = 4) uniform uint stage;     // 0: a block's sum; 1: sums of blocks, one workgroup; 2: groups, commands

shared uint sums[kThreads], before_block, in_first;

/// Adds up one number of each thread; returns the sum of the threads before this one.
uint sum_before(uint mine) {
    const uint me = gl_LocalInvocationID.x;
    sums[me] = mine;
    barrier();
    for (uint reach = 1u; reach < kThreads; reach *= 2u) {
        const uint other = me >= reach ? sums[me - reach] : 0u;
        barrier();
        sums[me] += other;
        barrier();
    }
    return sums[me] - mine;
}

uint size_of(uint group) { return uint(bitCount(groups[group].low) + bitCount(groups[group].high)); }

void sum_blocks(uint all) {
    const uint me = gl_LocalInvocationID.x;
    uint done = 0u;
    for (uint first = 0u; first < all; first += kThreads * kBlock) {
        const uint group = first + me * kBlock, mine = group < all ? groups[group].before : 0u;
        const uint before = sum_before(mine);
        if (group < all) groups[group].before = done + before;
        done += sums[kThreads - 1u];
        barrier();
    }
    if (me == 0u) listed[1] = done;  // until the last stage
}

void main() {
    const uint me = gl_LocalInvocationID.x, block = gl_WorkGroupID.x, all = lists * groups_each;
    if (stage == 1u) {
        sum_blocks(all);
        return;
    }
    const uint begin = min(block * kBlock + me * kEach, all), end = min(begin + kEach, all);
    if (me == 0u) before_block = stage == 2u && begin < all ? groups[begin].before : 0u;
    uint mine = 0u;
    for (uint g = begin; g < end; ++g) mine += size_of(g);
    uint before = sum_before(mine) + before_block;
    if (stage == 0u) {
        if (me == 0u) groups[begin].before = sums[kThreads - 1u];
        return;
    }
    const uint last = (max(all, 1u) - 1u) / kBlock, done = last == 0u ? sums[kThreads - 1u] : listed[1];
    if (lists == 1u) in_first = done;
    for (uint g = begin; g < end; ++g) {
        if (g == groups_each) in_first = before;
        groups[g].before = before;
        before += size_of(g);
    }
    // The block with the first group of the second list knows how long the first is.
    if (block != (lists == 1u || all == 0u ? last : groups_each / kBlock)) return;
    barrier();
    if (me >= lists) return;
    const uint quiet = all == 0u ? 0u : in_first, here = me == 0u ? quiet : done - quiet;
    listed[me] = here;
    commands[me] = Command(vertices * (chunk == 0u ? here : chunk), chunk == 0u ? 1u : (here + chunk - 1u) / chunk, 0u, 0u);
}
