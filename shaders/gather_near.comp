// Copies the elements that a window of the world may show: the part of a large layer that the pictures near here are drawn
// from. Ghosts are copied, too, because the outside is drawn by them, and so is the first triangle, which stays the first,
// because the middle of a fan is taken from it.
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
#ifdef POINTS
layout(std430, binding = 5) writeonly buffer Near { dvec2 near[]; };
#else
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) writeonly buffer Near { uint near[]; };
#endif
layout(std430, binding = 3) readonly buffer States { uint states[]; };
layout(std430, binding = 7) buffer NearStates { uint near_states[]; };  // zero at first
layout(std430, binding = 1) readonly buffer Scalars { float scalars[]; };
layout(std430, binding = 4) writeonly buffer NearScalars { float near_scalars[]; };
uniform uint corners;      // ids of an element
uniform uint place_count;  // ids from here on have no place
uniform uint has_states, has_scalars;
uniform dvec2 low, high;   // of the window, world units
uniform double least;      // world units, that an element must be long in x or y

uint list_of(uint i) {
#ifdef POINTS
    const bool near_by = all(greaterThanEqual(places[i], low)) && all(lessThanEqual(places[i], high));
    return near_by ? 0u : kInNoList;
#else
    if (corners == 3u && i == 0u && least == 0.0LF) return 0u;
    bool ghost = false;
    dvec2 least_place = dvec2(1e300LF), most = dvec2(-1e300LF);
    for (uint k = 0u; k < corners; ++k) {
        const uint v = ids[corners * i + k];
        if (v >= place_count) {
            ghost = true;
            continue;
        }
        least_place = min(least_place, places[v]);
        most = max(most, places[v]);
    }
    if (least > 0.0LF && (ghost || all(lessThan(most - least_place, dvec2(least))))) return kInNoList;
    const bool away = ghost ? corners == 2u : any(greaterThan(least_place, high)) || any(lessThan(most, low));
    return away ? kInNoList : 0u;
#endif
}

void put(uint i, uint place) {
#ifdef POINTS
    near[place] = places[i];
#else
    for (uint k = 0u; k < corners; ++k) near[corners * place + k] = ids[corners * i + k];
#endif
    if (has_scalars != 0u) near_scalars[place] = scalars[i];
    if (has_states == 0u) return;
    const uint state = STATE_OF(states, i);
    atomicOr(near_states[place >> 1], state << (16u * (place & 1u)));
}
