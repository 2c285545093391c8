// Once per element: counts (stage 0) or copies (stage 1) those that a window of the world may show: a part of a large
// layer, from which the pictures around here are drawn. Ghosts go along: what lies outside is drawn by them.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
#ifdef POINTS
layout(std430, binding = 5) writeonly buffer Near { dvec2 near[]; };
#else
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Near { uint near[]; };
#endif
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 6) buffer Found { uint found; };
layout(std430, binding = 7) buffer NearStates { uint near_states[]; };  // zero at first
uniform uint stage, count;
uniform uint corners;      // ids of an element
uniform uint place_count;  // ids from here on have no place
uniform uint has_states;
uniform dvec2 low, high;   // of the window, world units

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= count) return;
#ifdef POINTS
    if (!(all(greaterThanEqual(places[i], low)) && all(lessThanEqual(places[i], high)))) return;
#else
    if (corners == 3u && i == 0u) return;  // copied already: the first stays the first
    bool ghost = false;
    dvec2 least = dvec2(1e300LF), most = dvec2(-1e300LF);
    for (uint k = 0u; k < corners; ++k) {
        const uint v = ids[corners * i + k];
        if (v >= place_count) {
            ghost = true;
            continue;
        }
        least = min(least, places[v]);
        most = max(most, places[v]);
    }
    if (ghost ? corners == 2u : any(greaterThan(least, high)) || any(lessThan(most, low))) return;
#endif
    const uint at = atomicAdd(found, 1u);
    if (stage == 0u) return;
#ifdef POINTS
    near[at] = places[i];
#else
    for (uint k = 0u; k < corners; ++k) near[corners * at + k] = ids[corners * i + k];
#endif
    if (has_states == 0u) return;
    const uint state = (states[i >> 1] >> (16u * (i & 1u))) & 0xFFFFu;
    atomicOr(near_states[at >> 1], state << (16u * (at & 1u)));
}
