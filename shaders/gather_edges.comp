// Edges: skips invisible ones, cuts those that leave the picture, and looks up the colour. The first list has the quiet
// edges, the second the loud ones.
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { SCREEN screen[]; };
layout(std430, binding = 2) readonly buffer Edges { uint edges[]; };
layout(std430, binding = 3) readonly buffer EdgeStates { uint edge_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Records { uint records[]; };
#ifdef SPACE
layout(std430, binding = 7) readonly buffer Heights { double heights[]; };
const uint kWords = 8u;  // of a record
const float kLeastWire = 2.4;  // pixels
#else
const uint kWords = 6u;
#endif

const uint kEnd = 0x7FFFFFFFu;  // the other bit: of the first end, the edge arrives; of the second, it leaves
const float kFar = 8192.0;  // pixels; beyond it a float is too coarse to cut with

// Pixels, in double.
dvec2 far_place(uint v) {
#ifdef SPACE
    const dvec3 off = dvec3(positions[v], heights[v]) - eye_place.xyz;
    return dvec2(dot(off, right.xyz), dot(off, up.xyz)) * scale;
#else
    return (positions[v] - eye) * scale;
#endif
}

struct Made {
    vec2 p, q, depths;
    vec4 color;
    float width;
    bool loud;
};

/// Whether it is seen.
bool make(uint e, out Made made) {
    const uint a = edges[2u * e] & kEnd, b = edges[2u * e + 1u] & kEnd;
    if (a >= vertex_count || b >= vertex_count) return false;  // to the vertex at infinity
    vec2 p = screen[a].xy, q = screen[b].xy;
    const vec2 room = half_size + 16.0;
    if (any(greaterThan(min(p, q), room)) || any(lessThan(max(p, q), -room))) return false;

    float length_px = distance(p, q);
#ifdef SPACE
    vec2 depths = vec2(screen[a].z, screen[b].z);
#else
    const vec2 depths = vec2(0.0);
#endif
    if (any(greaterThan(max(abs(p), abs(q)), vec2(kFar)))) {
        dvec2 from = far_place(a), to = far_place(b);
        double enter, leave;
        if (!cut(from, to, dvec2(room), enter, leave)) return false;
#ifdef SPACE
        depths = mix(vec2(depths.x), vec2(depths.y), vec2(float(enter), float(leave)));
#endif
        p = vec2(from);
        q = vec2(to);
        length_px = kFar;
    }

    const bool helper = a >= helper_begin || b >= helper_begin;
    uint row = kPlainEdge;
    const bool on_color = (flags & (kAngles | kOnSurface)) != 0u;
    if ((flags & kEdgeStates) != 0u) row = style_of_state[STATE_OF(edge_states, e)];
    else if ((flags & kOneStyle) != 0u) row = style_of_state[0];
    if (helper && row == kPlainEdge) row = kHelperEdge;
    if (on_color && row == kPlainEdge) row = kSurfaceEdge;
    const bool loud = style_size_loud(row).y > 0.0;
    vec4 color = style_color(row);
#ifdef SPACE
    if (row == kSurfaceEdge) {  // crowded, they would only make the surface dark
        color.a *= smoothstep(kLeastWire, 3.0 * kLeastWire, length_px);
        if (color.a == 0.0) return false;
    }
    if (row == kPlainEdge) color.a *= by_depth(0.5 * (depths.x + depths.y));
#endif
    // Short edges become thinner and lighter, so that a crowd of them stays a tint.
#ifdef SPACE
    const float roomy = 14.0;  // line widths; a surface shows its shape only between its edges
#else
    const float roomy = 6.0;
#endif
    const float room_each = clamp(length_px / (roomy * line_width), 0.0, 1.0);
    float thick = style_size_loud(row).x;
#ifdef SPACE
    thick = mix(1.0, thick, 0.6);  // where a surface turns away, its edges crowd
#endif
    const float width = line_width * mix(max(0.4, 0.8 / line_width), thick, room_each);
    // However dense they lie, edges of a length together cover about the same part of the ground.
    const float tint = length_px * length_px / (7.0 * line_width * (length_px + 1.0));
    const float shown = loud ? clamp(4.0 * tint, 0.04, 1.0) : clamp(tint, 0.004, 1.0);
    color.a *= mix(1.0, shown, fade);

    if (edges[2u * e] > kEnd) color.a *= motion;
    if (edges[2u * e + 1u] > kEnd) color.a *= 1.0 - motion;
    made = Made(p, q, depths, color, width, loud);
    return true;
}

uint list_of(uint e) {
    Made made;
    return !make(e, made) ? kInNoList : made.loud ? 1u : 0u;
}

void put(uint e, uint place) {
    Made made;
    make(e, made);
    const uint at = kWords * place;
    records[at] = floatBitsToUint(made.p.x);
    records[at + 1u] = floatBitsToUint(made.p.y);
    records[at + 2u] = floatBitsToUint(made.q.x);
    records[at + 3u] = floatBitsToUint(made.q.y);
    records[at + 4u] = packUnorm4x8(made.color);
    records[at + 5u] = floatBitsToUint(made.width);
#ifdef SPACE
    // A little towards the eye, so that the surface it lies on does not swallow it.
    const vec2 depths = made.depths - (0.75 * pixel_depth + 2e-7);
    records[at + 6u] = floatBitsToUint(depths.x);
    records[at + 7u] = floatBitsToUint(depths.y);
#endif
}
