// One round disc per point; waiting points smaller and quiet, loud ones in a second draw over the others.
layout(std430, binding = 1) readonly buffer Screen { SCREEN screen[]; };
layout(std430, binding = 2) readonly buffer Fresh { uint fresh[]; };  // a bit for each vertex
layout(std430, binding = 3) readonly buffer VertexStates { uint vertex_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
#ifdef SPACE
const float kLeastOnSurface = 18.0;  // line widths between points
#endif
uniform uint list;  // 0: quiet points, 1: loud ones
layout(location = 0) flat out vec4 color;
layout(location = 1) flat out float diameter;  // pixels, with the falloff

void main() {
    const uint i = uint(gl_VertexID);
    gl_Position = nowhere();
    gl_PointSize = 1.0;
    color = vec4(0.0);
    diameter = 1.0;
    uint row = i >= helper_begin ? kHelperVertex : kPlainVertex;
    if ((flags & kPreview) != 0u) row = kWaitingVertex;
    if ((flags & kVertexStates) != 0u) {
        const uint found = style_of_state[STATE_OF(vertex_states, i)];
        if (found != kPlainVertex) row = found;
    } else if ((flags & kOneStyle) != 0u) {
        row = style_of_state[0];
    }
    if ((style_size_loud(row).y > 0.0) != (list == 1u)) return;
#ifdef SPACE
    // On a surface small plain points would only make it dark.
    if (list == 0u && (flags & kOnSurface) != 0u && gap < kLeastOnSurface * line_width) return;
#endif
    color = style_color(row);
#ifdef SPACE
    if (row == kPlainVertex && (flags & kOnSurface) == 0u) color.a *= by_depth(screen[i].z);
#endif
    float wanted = point_size * style_size_loud(row).x;
    if ((flags & kGrows) != 0u && (fresh[i >> 5] >> (i & 31u) & 1u) != 0u) wanted *= mix(0.4, 1.0, motion);
#ifdef SPACE
    if ((flags & kOnSurface) != 0u) wanted *= 0.7;  // the surface is to be seen, too
#endif
    diameter = max(wanted, list == 1u ? 3.0 : 1.0) + 1.0;
    if (wanted < 1.0) color.a *= min((list == 1u ? 1.2 : 0.4) * gap * gap, 1.0);  // a tint, however many
    gl_PointSize = diameter;
#ifdef SPACE
    // The disc faces the eye; in front of the surface that rises around its place.
    gl_Position = to_clip(screen[i] - vec4(0.0, 0.0, (0.75 * diameter + 1.0) * pixel_depth + 4e-7, 0.0));
#else
    gl_Position = to_clip(screen[i]);
#endif
}
