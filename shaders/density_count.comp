// Once per point: shares 256 parts of it out among the four cells around it, so that every point counts the same wherever
// in a cell it lies, and a regular grid of points makes no pattern. Whole numbers: the sums are the same in any order.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) buffer Counts { uint counts[]; };  // row after row from below
uniform dvec2 origin;   // world units: the lower left corner of the first cell
uniform double per_cell;  // cells per world unit
uniform ivec2 cells;
uniform uint count;

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= count) return;
    const vec2 at = vec2(clamp((positions[i] - origin) * per_cell, dvec2(-1e6LF), dvec2(1e6LF))) - 0.5;
    if (!(all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(cells - 1))))) return;
    const ivec2 cell = ivec2(at);
    const uvec2 high = uvec2((at - vec2(cell)) * 16.0 + 0.5), low = 16u - high;
    const int first = cell.y * cells.x + cell.x;
    atomicAdd(counts[first], low.x * low.y);
    atomicAdd(counts[first + 1], high.x * low.y);
    atomicAdd(counts[first + cells.x], low.x * high.y);
    atomicAdd(counts[first + cells.x + 1], high.x * high.y);
}
