// The visible part of each segment; of a polyline the pieces between its points, several as one where they lie within half
// a pixel.
layout(std430, binding = 1) readonly buffer Ends { uint ends[]; };  // of segments; of polylines where each one starts

Stroke made;

const uint kNothing = 0xFFFFFFFFu, kMostAtOnce = 32u;  // a power of two
const double kNear = 0.5LF;                           // pixels

// Of the last element of make(), which is called once for each image.
uint asked = kNothing, line, a, b;
vec2 strength;
bool is_piece;

/// Whether all points from `begin` to `end` lie near the one at `begin`.
bool is_near(uint begin, uint end) {
    const dvec2 from = places[begin];
    for (uint k = begin + 1u; k <= end; ++k) {
        const dvec2 off = shortest(places[k] - from) * scale;
        if (dot(off, off) > kNear * kNear) return false;
    }
    return true;
}

/// The steps of a line are the leaves of binary trees. A piece stands for the largest subtree that is near its first
/// point, and is made at that point alone.
void find_piece(uint i) {
    a = i;
    b = i + 1u;
    uint low = 0u, high = count;  // ends[low] <= a < ends[high]
    while (high - low > 1u) {
        const uint middle = (low + high) / 2u;
        if (ends[middle] <= a)
            low = middle;
        else
            high = middle;
    }
    line = low;
    const uint first = ends[low], last = ends[low + 1u] - 1u;
    is_piece = a >= first && b <= last && last < place_count;
    if (!is_piece) return;
    for (uint size = kMostAtOnce; size > 1u; size /= 2u) {
        const uint begin = first + (a - first) / size * size, end = min(begin + size, last);
        if (!is_near(begin, end)) continue;
        is_piece = a == begin;
        b = end;
        break;
    }
    strength = vec2(1.0);
    if ((what & kFades) != 0u) strength = vec2(float(a - first), float(b - first)) / float(last - first);
    made.caps = vec4(a == first ? 1.0 : 0.0, 1.0, 0.0, 0.0);
}

void find_segment(uint i) {
    const bool given = (what & kHasEnds) != 0u;
    line = i;
    a = given ? ends[2u * i] : 2u * i;
    b = given ? ends[2u * i + 1u] : 2u * i + 1u;
    is_piece = true;
    strength = vec2(1.0);
    made.caps = vec4(0.0);
}

bool make(uint i, uint image) {
    if (asked != i) {
        asked = i;
        if ((what & kPolylines) != 0u)
            find_piece(i);
        else
            find_segment(i);
    }
    if (!is_piece) return false;
    if (a >= place_count || b >= place_count) return false;
    const dvec2 from = wrapped(places[a]), to = from + shortest(places[b] - places[a]);
    dvec2 by;
    if (!has_image(image, min(from, to), max(from, to), by)) return false;
    float size;
    made.color = element_color(line, size);
    if (made.color.a == 0.0) return false;
    const float half_width = 0.5 * line_px * size;
    dvec2 p = pixels_of(from + by), q = pixels_of(to + by);
    const double long_px = length(q - p);
    double enter, leave;
    if (!cut(p, q, dvec2(half_size + 8.0 * line_px + 16.0), enter, leave)) return false;
    const vec2 strengths = mix(vec2(strength.x), vec2(strength.y), vec2(float(enter), float(leave)));
    float head = 0.0;
    if ((what & kArrows) != 0u && leave == 1.0LF) head = float(min(0.45LF * long_px, double(5.0 * line_px * size)));
    made.piece = vec4(vec2(p), vec2(q));
    made.how = vec4(half_width, strengths, head);
    return true;
}
void put(uint place) { records[place] = made; }
