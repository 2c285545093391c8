// Once per edge: skips what cannot be seen, cuts what leaves the picture (in double, where float would bend it), looks up
// the colour, and appends the edge to one of two lists: quiet edges from the front, loud ones from the back.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { dvec2 positions[]; };
layout(std430, binding = 1) readonly buffer Screen { vec2 screen[]; };
layout(std430, binding = 2) readonly buffer Edges { uint edges[]; };
layout(std430, binding = 3) readonly buffer EdgeStates { uint edge_states[]; };
layout(std430, binding = 4) readonly buffer Lookup { uint style_of_state[]; };
layout(std430, binding = 5) writeonly buffer Records { uint records[]; };
struct Command {
    uint count, instances, first_vertex, base_instance;
};
layout(std430, binding = 6) buffer Commands {
    Command commands[2];
    uint listed[2];
};

const float kFar = 8192.0;  // pixels; beyond it a float is too coarse to cut with
const uint kChunk = 1024u;  // edges in one instance of the draw

// Liang and Barsky: the part of p…q within ±room, in double.
bool cut(inout dvec2 p, inout dvec2 q, dvec2 room) {
    const dvec2 d = q - p;
    double enter = 0.0LF, leave = 1.0LF;
    for (int axis = 0; axis < 2; ++axis) {
        if (d[axis] == 0.0LF) {
            if (abs(p[axis]) > room[axis]) return false;
            continue;
        }
        double a = (-room[axis] - p[axis]) / d[axis];
        double b = (room[axis] - p[axis]) / d[axis];
        if (a > b) {
            const double swap = a;
            a = b;
            b = swap;
        }
        enter = max(enter, a);
        leave = min(leave, b);
    }
    if (enter > leave) return false;
    q = p + d * leave;
    p = p + d * enter;
    return true;
}

void main() {
    const uint e = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (e >= edge_count) return;
    const uint a = edges[2u * e], b = edges[2u * e + 1u];
    if (a >= vertex_count || b >= vertex_count) return;  // to the vertex at infinity
    vec2 p = screen[a], q = screen[b];
    const vec2 room = half_size + 16.0;
    if (any(greaterThan(min(p, q), room)) || any(lessThan(max(p, q), -room))) return;

    float length_px = distance(p, q);
    if (any(greaterThan(max(abs(p), abs(q)), vec2(kFar)))) {
        dvec2 from = (positions[a] - eye) * scale, to = (positions[b] - eye) * scale;
        if (!cut(from, to, dvec2(room))) return;
        p = vec2(from);
        q = vec2(to);
        length_px = kFar;
    }

    const bool helper = a >= helper_begin || b >= helper_begin;
    uint row = kPlainEdge;
    if ((flags & kEdgeStates) != 0u) row = style_of_state[(edge_states[e >> 1] >> (16u * (e & 1u))) & 0xFFFFu];
    if (helper && row == kPlainEdge) row = kHelperEdge;
    const bool loud = styles[row].size_loud.y > 0.0;
    vec4 color = styles[row].color;
    // Short edges get thinner and lighter, so that a crowd of them stays a tint and not a blot.
    const float room_each = clamp(length_px / (6.0 * line_width), 0.0, 1.0);
    const float width = line_width * mix(max(0.4, 0.8 / line_width), styles[row].size_loud.x, room_each);
    // However dense they lie, edges of a length together cover about the same part of the ground.
    const float tint = length_px * length_px / (7.0 * line_width * (length_px + 1.0));
    const float shown = loud ? clamp(4.0 * tint, 0.04, 1.0) : clamp(tint, 0.004, 1.0);
    color.a *= mix(1.0, shown, fade);

    const uint list = loud ? 1u : 0u;
    const uint place = atomicAdd(listed[list], 1u);
    if ((place & (kChunk - 1u)) == 0u) atomicAdd(commands[list].instances, 1u);
    const uint at = 6u * (loud ? edge_capacity - 1u - place : place);
    records[at] = floatBitsToUint(p.x);
    records[at + 1u] = floatBitsToUint(p.y);
    records[at + 2u] = floatBitsToUint(q.x);
    records[at + 3u] = floatBitsToUint(q.y);
    records[at + 4u] = packUnorm4x8(color);
    records[at + 5u] = floatBitsToUint(width);
}
