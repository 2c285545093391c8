// Between the two stages of listing.glsl: for every group how many elements are listed before it, and the commands that
// draw the lists. One workgroup.
const uint kThreads = 256u, kEach = 16u;  // groups of a thread at a time
layout(local_size_x = 256) in;
layout(location = 0) uniform uint groups_each;  // of a list
layout(location = 1) uniform uint lists;
layout(location = 2) uniform uint vertices;  // of an element
layout(location = 3) uniform uint chunk;     // elements that an instance draws; 0: all

shared uint sums[kThreads], in_first;

void main() {
    const uint me = gl_LocalInvocationID.x, all = lists * groups_each;
    uint done = 0u;  // elements listed in the groups before these
    if (me == 0u) in_first = 0u;
    for (uint first = 0u; first < all; first += kThreads * kEach) {
        const uint begin = first + me * kEach, end = min(begin + kEach, all);
        uint mine = 0u;
        for (uint g = begin; g < end; ++g) mine += uint(bitCount(groups[g].low) + bitCount(groups[g].high));
        sums[me] = mine;
        barrier();
        for (uint reach = 1u; reach < kThreads; reach *= 2u) {
            const uint other = me >= reach ? sums[me - reach] : 0u;
            barrier();
            sums[me] += other;
            barrier();
        }
        uint before = done + sums[me] - mine;
        for (uint g = begin; g < end; ++g) {
            if (g == groups_each) in_first = before;
            groups[g].before = before;
            before += uint(bitCount(groups[g].low) + bitCount(groups[g].high));
        }
        done += sums[kThreads - 1u];
        barrier();
    }
    barrier();
    if (me >= lists) return;
    const uint quiet = lists == 2u ? in_first : done, here = me == 0u ? quiet : done - quiet;
    listed[me] = here;
    commands[me] = Command(vertices * (chunk == 0u ? here : chunk), chunk == 0u ? 1u : (here + chunk - 1u) / chunk, 0u, 0u);
}
