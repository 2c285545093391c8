// Places on their way: after those of a mesh, the ones that move from one of its vertices to another.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { dvec2 places[]; };
layout(std430, binding = 1) writeonly buffer Moved { dvec2 moved[]; };
layout(std430, binding = 2) readonly buffer Ways { uvec2 ways[]; };
#ifdef SPACE
layout(std430, binding = 5) writeonly buffer MovedHeights { double moved_heights[]; };
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };
#endif
uniform uint place_count, moved_count;
uniform double at;

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= place_count + moved_count) return;
    const uvec2 way = i < place_count ? uvec2(i) : ways[i - place_count];
    moved[i] = places[way.x] + at * (places[way.y] - places[way.x]);
#ifdef SPACE
    moved_heights[i] = heights[way.x] + at * (heights[way.y] - heights[way.x]);
#endif
}
