// Copies the elements whose state has a style of its own. They are few and are drawn over the density that replaces all
// others.
#ifdef POINTS
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 5) writeonly buffer Marked { dvec2 marked[]; };
#else
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Marked { uint marked[]; };
#endif
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 7) buffer MarkedStates { uint marked_states[]; };  // zero at first
uniform uint corners;  // ids of an element
uniform uint plain_row;
uniform uint each;  // 1: all are listed; else one of so many, and what failed

uint state_of(uint i) { return STATE_OF(states, i); }

uint list_of(uint i) {
    const uint row = style_of_state[state_of(i)];
    if (row == plain_row || style_color(row).a == 0.0) return kInNoList;
#ifdef POINTS
    if (style_size_loud(row).y == 0.0) return kInNoList;
#endif
    return each == 1u || style_of_fault(row) || (i * 0x9E3779B1u >> 8) % each == 0u ? 0u : kInNoList;
}

void put(uint i, uint place) {
#ifdef POINTS
    marked[place] = places[i];
#else
    for (uint k = 0u; k < corners; ++k) marked[corners * place + k] = ids[corners * i + k];
#endif
    atomicOr(marked_states[place >> 1], state_of(i) << (16u * (place & 1u)));
}
