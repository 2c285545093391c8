// One triangle around each listed edge: it holds the edge's box and a pixel more, for the fragment shader
// to cut out smoothly. One is cheaper than the two of a rectangle, though it covers twice as much (measured on a software
// rasteriser: 26 ms against 39 ms for 30,000 short edges).
layout(std430, binding = 5) readonly buffer Records { uint records[]; };
#ifdef SPACE
const uint kWords = 8u;  // of a record
#else
const uint kWords = 6u;
#endif
uniform uint list;  // 0: quiet edges, 1: loud ones

layout(location = 0) noperspective out vec2 along_across;  // pixels from the middle of the edge
layout(location = 1) flat out uvec3 shape;                 // half length and half width as floats, colour

void main() {
    const uint place = uint(gl_InstanceID) * 1024u + uint(gl_VertexID) / 3u;
    const uint corner = uint(gl_VertexID) % 3u;
    gl_Position = nowhere();
    along_across = vec2(0.0);
    shape = uvec3(0u);
    if (place >= listed[list]) return;
    const uint at = kWords * (list == 1u ? listed[0] + place : place);
    const vec2 p = vec2(uintBitsToFloat(records[at]), uintBitsToFloat(records[at + 1u]));
    const vec2 q = vec2(uintBitsToFloat(records[at + 2u]), uintBitsToFloat(records[at + 3u]));
    const vec2 d = q - p;
    const float length_px = length(d);
    const vec2 along = length_px > 1e-6 ? d / length_px : vec2(1.0, 0.0);
    const vec2 halves = 0.5 * vec2(length_px, uintBitsToFloat(records[at + 5u]));
    shape = uvec3(floatBitsToUint(halves), records[at + 4u]);
    // Base on one long side and twice as long, apex beyond the other: the box of ±halves fits in.
    const vec2 place_in_box = corner == 0u ? vec2(-2.0, -1.0) : corner == 1u ? vec2(2.0, -1.0) : vec2(0.0, 3.0);
    along_across = place_in_box * (halves + 0.5);
    const vec2 pixels = 0.5 * (p + q) + along * along_across.x + vec2(-along.y, along.x) * along_across.y;
#ifdef SPACE
    const vec2 depths = vec2(uintBitsToFloat(records[at + 6u]), uintBitsToFloat(records[at + 7u]));
    // Past its ends an edge has the depth of its line, but an edge that points at the eye has none.
    const float place_along = clamp(along_across.x / max(halves.x, 0.5), -2.5, 2.5);
    gl_Position = to_clip(vec4(pixels, mix(depths.x, depths.y, 0.5 + 0.5 * place_along), 0.0));
#else
    gl_Position = to_clip(pixels);
#endif
}
