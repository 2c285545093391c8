// Once per vertex: from the world to pixels, in double until the eye is subtracted.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) writeonly buffer Screen { SCREEN screen[]; };
#ifdef SPACE
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };
#endif

void main() {
    const uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= vertex_count) return;
#ifdef SPACE
    const dvec3 off = dvec3(positions[i], heights[i]) - eye_place.xyz;
    const dvec2 pixels = dvec2(dot(off, right.xyz), dot(off, up.xyz)) * scale;
    screen[i] = vec4(vec2(clamp(pixels, dvec2(-1e30LF), dvec2(1e30LF))),
                     float(clamp(-dot(off, toward.xyz) * depth_scale, -2.0LF, 2.0LF)), 0.0);
#else
    screen[i] = vec2(clamp((positions[i] - eye) * scale, dvec2(-1e30LF), dvec2(1e30LF)));
#endif
}
