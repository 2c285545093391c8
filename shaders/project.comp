// Once per vertex: from the world to pixels, in double until the eye is subtracted.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) writeonly buffer Screen { vec2 screen[]; };

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= vertex_count) return;
    screen[i] = vec2(clamp((positions[i] - eye) * scale, dvec2(-1e30LF), dvec2(1e30LF)));
}
