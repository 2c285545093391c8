// Once per element of a layer that is coloured by numbers: shares its number out among the four cells around its middle,
// 256 parts of it in all. Whole numbers: the sums are the same in any order.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 5) readonly buffer Scalars { float scalars[]; };
layout(std430, binding = 1) buffer Sums { uint sums[]; };  // by cell: parts, their numbers, and what that carries over
uniform dvec2 origin;     // world units: the lower left corner of the first cell
uniform double per_cell;  // cells per world unit
uniform ivec2 cells;
uniform uint begin, end;   // elements
uniform uint corners;      // ids of an element; 0: places are its own
uniform uint place_count;  // ids from here on have no place
uniform float scalar_low, scalar_scale;
uniform uint logarithmic;

void add(int cell, uint parts, uint number) {
    if (parts == 0u) return;
    atomicAdd(sums[3 * cell], parts);
    const uint more = parts * number, before = atomicAdd(sums[3 * cell + 1], more);
    if (before + more < before) atomicAdd(sums[3 * cell + 2], 1u);
}

void main() {
    const uint i = begin + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= end) return;
    float value = scalars[i];
    if (isnan(value)) return;
    if (logarithmic != 0u) value = value > 0.0 ? log(value) : -3.4e38;
    const uint number = uint(clamp((value - scalar_low) * scalar_scale, 0.0, 1.0) * 4095.0 + 0.5);
    dvec2 middle;
    if (corners == 0u) {
        middle = places[i];
    } else {
        const uint first = ids[corners * i];
        if (first >= place_count) return;
        const dvec2 from = places[first];
        dvec2 off = dvec2(0.0LF);
        for (uint k = 1u; k < corners; ++k) {
            const uint v = ids[corners * i + k];
            if (v >= place_count) return;
            off += places[v] - from;
        }
        middle = from + off / double(corners);
    }
    const vec2 at = vec2(clamp((middle - origin) * per_cell, dvec2(-1e6LF), dvec2(1e6LF))) - 0.5;
    if (!(all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(cells - 1))))) return;
    const ivec2 cell = ivec2(at);
    const uvec2 high = uvec2((at - vec2(cell)) * 16.0 + 0.5), low = 16u - high;
    const int first = cell.y * cells.x + cell.x;
    add(first, low.x * low.y, number);
    add(first + 1, high.x * low.y, number);
    add(first + cells.x, low.x * high.y, number);
    add(first + cells.x + 1, high.x * high.y, number);
}
