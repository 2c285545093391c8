// Once per element: counts (stage 0) or copies (stage 1) those whose state gives them a look of their own. They are few,
// and are drawn over a density that takes the place of all others.
layout(local_size_x = 64) in;
#ifdef POINTS
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 5) writeonly buffer Marked { dvec2 marked[]; };
#else
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Marked { uint marked[]; };
#endif
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 6) buffer Found { uint found; };
layout(std430, binding = 7) buffer MarkedStates { uint marked_states[]; };  // zero at first
uniform uint stage, count;
uniform uint corners;    // ids of an element
uniform uint plain_row;

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= count) return;
    const uint state = (states[i >> 1] >> (16u * (i & 1u))) & 0xFFFFu;
    const uint row = style_of_state[state];
    if (row == plain_row || style_color(row).a == 0.0) return;
#ifdef POINTS
    if (style_size_loud(row).y == 0.0) return;
#endif
    const uint at = atomicAdd(found, 1u);
    if (stage == 0u) return;
#ifdef POINTS
    marked[at] = places[i];
#else
    for (uint k = 0u; k < corners; ++k) marked[corners * at + k] = ids[corners * i + k];
#endif
    atomicOr(marked_states[at >> 1], state << (16u * (at & 1u)));
}
