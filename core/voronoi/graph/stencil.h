// Local rules at a pixel, from the eight pixels around it: how many cells meet there, and which of them are neighbours
// of its own, after Bernaschi, Lulli and Sbragaglia (2016), section III B 2. Pure functions of a few colours, for the
// kernels of LatticeGraph and for the inspector, which shows every condition.
//
// The ring. The eight neighbours, counter-clockwise from +x: spx, spxpy, spy, spymx, smx, smxmy, smy, smypx. Even
// places are next to k, odd ones diagonal. Along a periodic axis it wraps. At an open border it consists of the
// neighbours inside the lattice, and its two ends count as adjacent: a border pixel where two cells meet then has two
// gaps, like any pixel of an edge.
//
// The inner ring. a_k, b_k, c_k, d_k: the points half a pixel away on the diagonals, counter-clockwise from (½, ½). The
// paper does not define their colours; here each has the label of the nearest site. Obstacles do not affect it: the
// fourth condition rejects passages between two of them.
#pragma once

#include <array>
#include <cstdint>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr int kRing = 8;

/// Bit k of a word, selected by a mask where the compiler compares many values at once.
inline constexpr std::array<uint32_t, 32> kBits = [] {
    std::array<uint32_t, 32> bits{};
    for (uint32_t k = 0; k < 32; ++k) bits[k] = 1u << k;
    return bits;
}();

/// The step to a place on the ring.
FLIPSCOPE_HD inline int ring_dx(int place) { return (place + 1) % 8 < 3 ? 1 : place % 4 == 2 ? 0 : -1; }
FLIPSCOPE_HD inline int ring_dy(int place) { return place % 4 == 0 ? 0 : place < 4 ? 1 : -1; }

struct Stencil {
    uint32_t own = kNone;    // C(k)
    uint32_t ring[kRing];    // colours; kNone outside
    uint8_t inside = 0;      // bit i: place i of the ring lies on the lattice
    bool on_border = false;  // some do not

    FLIPSCOPE_HD bool has(int place) const { return inside >> (place & 7) & 1; }
    FLIPSCOPE_HD uint32_t at(int place) const { return ring[place & 7]; }
    /// Bit i: place i of the ring has this colour.
    uint32_t places_of(uint32_t colour) const {
        uint32_t places = 0;
        for (int i = 0; i < kRing; ++i) places |= (0 - uint32_t(ring[i] == colour)) & kBits[i];
        return places;
    }
    /// Whether both places lie on the lattice and have the same colour.
    FLIPSCOPE_HD bool same(int a, int b) const { return has(a) && has(b) && at(a) == at(b); }
};

/// The pixel at a place of the ring of (x, y); kNone: outside.
FLIPSCOPE_HD inline uint32_t ring_pixel(const Lattice& lattice, uint32_t x, uint32_t y, int place) {
    const uint32_t w = lattice.width, h = lattice.height;
    uint32_t nx = x + ring_dx(place), ny = y + ring_dy(place);  // 0 - 1 is the greatest number
    if (lattice.periodic.x) nx = nx == kNone ? w - 1 : nx == w ? 0 : nx;
    if (lattice.periodic.y) ny = ny == kNone ? h - 1 : ny == h ? 0 : ny;
    return nx < w && ny < h ? lattice.pixel(nx, ny) : kNone;
}

/// The stencil of pixel (x, y). `colours[pixel]`: a view of (h, w) colours, or any other source of them.
template <class Colours>
FLIPSCOPE_HD inline Stencil read_stencil(const Lattice& lattice, const Colours& colours, uint32_t x, uint32_t y) {
    Stencil s;
    const uint32_t w = lattice.width, pixel = lattice.pixel(x, y);
    s.own = colours[pixel];
    if (x > 0 && y > 0 && x + 1 < w && y + 1 < lattice.height) {
        for (int i = 0; i < kRing; ++i) s.ring[i] = colours[pixel + ring_dy(i) * w + ring_dx(i)];
        s.inside = 0xFF;
        return s;
    }
    for (int i = 0; i < kRing; ++i) {
        const uint32_t there = ring_pixel(lattice, x, y, i);
        s.ring[i] = there == kNone ? kNone : colours[there];
        s.inside |= uint8_t(there != kNone) << i;
    }
    s.on_border = s.inside != 0xFF;
    return s;
}

/// The number of colour changes along the ring, not counting those from or to an obstacle. 0: inside a cell. With
/// `obstacles_end` places with obstacles count as outside. On an open lattice one pixel wide, which has no ring, k
/// itself counts as a place.
FLIPSCOPE_HD inline int count_gaps(const Stencil& s, bool obstacles_end = false) {
    uint32_t first = kNone, last = kNone;
    int gaps = 0, places = 0;
    const bool line = (s.inside & 0b10101010) == 0;  // no diagonal neighbours
    const auto visit = [&](uint32_t colour) {
        if (obstacles_end && colour == kMaxLink) return;
        if (places++ == 0)
            first = colour;
        else
            gaps += colour != last && colour != kMaxLink && last != kMaxLink;
        last = colour;
    };
    for (int i = 0; i < kRing; ++i) {
        if (s.has(i)) visit(s.ring[i]);
        if (line && i == 3) visit(s.own);
    }
    return gaps + (places > 1 && first != last && first != kMaxLink && last != kMaxLink);
}

FLIPSCOPE_HD inline bool has_obstacle(const Stencil& s) {
    for (int i = 0; i < kRing; ++i)
        if (s.ring[i] == kMaxLink) return true;
    return false;
}

/// The number of gaps that make this pixel a corner.
FLIPSCOPE_HD inline int gaps_requested(const Stencil& s, const StencilRules& rules) {
    return s.on_border || (rules.obstacles_end && has_obstacle(s)) ? rules.open_gaps : rules.gaps;
}
/// Whether to search links at this pixel. Obstacles have none.
FLIPSCOPE_HD inline bool is_corner(const Stencil& s, const StencilRules& rules) {
    return s.own < kMaxLink && count_gaps(s, rules.obstacles_end) >= gaps_requested(s, rules);
}

/// The conditions under which the colour at a place of the ring is a neighbour of k's, in the paper's order for spxpy.
/// A condition on a pixel outside an open lattice holds.
struct LinkConditions {
    bool inside = false;          // the place lies on the lattice
    bool no_obstacle = false;     // C(spxpy) ≠ MAXLINK
    bool other = false;           // C(spxpy) ≠ C(k)
    bool long_diagonal = false;   // C(spy) ≠ C(smypx), and with `mirror` its mirror image
    bool short_diagonal = false;  // diagonal places: C(spy) ≠ C(spx); else true
    bool inner = false;           // diagonal places: C(a_k) = C(spxpy) or C(k); else, or if not required, true

    FLIPSCOPE_HD bool but_inner() const { return inside && no_obstacle && other && long_diagonal && short_diagonal; }
    FLIPSCOPE_HD bool linked() const { return but_inner() && inner; }
};

/// Whether a strip through places a and b of the ring leaves k and `place` connected.
FLIPSCOPE_HD inline bool unparted(const Stencil& s, const StencilRules& rules, int place, int a, int b) {
    if (!s.same(a, b)) return true;
    return rules.lenient_strip && (s.at(a) == s.own || s.at(a) == s.at(place));
}

/// The conditions of `place` except the fifth, which needs the colour of the inner ring: see inner_condition(). For spx
/// the long diagonal runs through spy and smypx, for spxpy through the same two; the other places follow by rotation.
FLIPSCOPE_HD inline LinkConditions ring_conditions(const Stencil& s, const StencilRules& rules, int place) {
    LinkConditions c;
    const bool diagonal = place & 1;
    c.inside = s.has(place);
    c.no_obstacle = s.at(place) != kMaxLink;
    c.other = s.at(place) != s.own;
    const int ahead = place + (diagonal ? 1 : 2), behind = place - (diagonal ? 2 : 1);
    c.long_diagonal = unparted(s, rules, place, ahead, behind) &&
                      (!rules.mirror || unparted(s, rules, place, 2 * place - ahead + 16, 2 * place - behind + 16));
    c.short_diagonal = !diagonal || unparted(s, rules, place, place + 1, place - 1);
    c.inner = true;
    return c;
}
/// The fifth condition of a diagonal place, given the colour of the inner ring there.
FLIPSCOPE_HD inline bool inner_condition(const Stencil& s, const StencilRules& rules, int place,
                                         uint32_t inner_colour) {
    return !rules.inner_frame || inner_colour == s.at(place) || inner_colour == s.own;
}
/// The point of the inner ring at a diagonal place.
FLIPSCOPE_HD inline Point inner_point(const Lattice& lattice, uint32_t x, uint32_t y, int place) {
    return lattice.wrapped({x + 0.5 * ring_dx(place), y + 0.5 * ring_dy(place)});
}

/// Bits of a pixel's state word.
enum PixelBit : uint16_t {
    kPixelCorner = 1 << 0,         // three cells or more meet here, or two and the border
    kPixelIsland = 1 << 1,         // no pixel around it has its colour
    kPixelProlonged = 1 << 2,      // its colour crosses the stencil in a single line of pixels
    kPixelLongDiagonal = 1 << 3,   // a third cell's strip passes between it and a pixel next to it, or diagonal to it
    kPixelShortDiagonal = 1 << 4,  // a third cell's strip passes between it and a diagonal pixel
    kPixelWrongColour = 1 << 5,    // not the nearest site's: an error of jump flooding
};

/// The pathologies of figures 5 and 6 at this pixel, for every variant of the rules: bits of PixelBit except
/// kPixelCorner.
FLIPSCOPE_HD inline uint16_t pathologies(const Stencil& s) {
    if (s.own >= kMaxLink) return 0;
    uint16_t bits = 0;
    int own = 0, first = 0, last = 0;  // places of its own colour
    uint32_t other = kNone;            // the first other cell
    bool third = false;                // there are further ones
    for (int i = 0; i < kRing; ++i) {
        if (!s.has(i)) continue;
        if (s.ring[i] == s.own) {
            if (own++ == 0) first = i;
            last = i;
        } else if (s.ring[i] != kMaxLink && s.ring[i] != other) {
            third = other != kNone;
            other = third ? other : s.ring[i];
        }
    }
    if (own == 0 && s.inside) bits |= kPixelIsland;
    const int apart = last - first;
    if (own == 2 && apart >= 3 && apart <= 5) bits |= kPixelProlonged;
    if (!third) return bits;
    for (int i = 0; i < kRing; ++i) {
        if (!s.has(i) || s.ring[i] == s.own || s.ring[i] == kMaxLink) continue;
        const auto strip = [&](int a, int b) {
            return s.same(a, b) && s.at(a) != s.own && s.at(a) != s.at(i) && s.at(a) != kMaxLink;
        };
        const int near = i & 1 ? 1 : 2, far = i & 1 ? 2 : 1;
        if (strip(i + near, i - far + 8) || strip(i - near + 8, i + far)) bits |= kPixelLongDiagonal;
        if ((i & 1) && strip(i + 1, i - 1)) bits |= kPixelShortDiagonal;
    }
    return bits;
}

}  // namespace flipscope
