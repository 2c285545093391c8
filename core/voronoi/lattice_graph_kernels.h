// How LatticeGraph finds corners and links with very many threads, each of which does little: a patch of sites, or a
// quarter of a corner. Used by lattice_graph.cpp alone, on CUDA, and on CPU threads by tests. What they find is what
// the kernels for CPU threads find, which follow the rules site by site.
#pragma once

#include <cstdint>

#include "voronoi/bins.h"
#include "voronoi/link_rows.h"
#include "voronoi/stencil.h"

namespace flipscope {

/// What find_corners() tells of a site: bits of SiteBit.
FLIPSCOPE_HD inline uint32_t judge_site(const Lattice& lattice, View<const uint32_t> colours, const StencilRules& rules,
                                        bool watched, uint32_t x, uint32_t y) {
    const Stencil s = read_stencil(lattice, colours, x, y);
    return (is_corner(s, rules) ? kSiteCorner : 0) | (watched ? pathologies(s) : 0);
}

/// A patch of 4 × 4 sites, for CUDA when nobody watches: the colours of 6 × 6 sites are read once, and differences
/// between sites side by side, which several rings share, are counted for four sites at a time, a byte each. The sites
/// at the lattice's rim, where rings wrap or are cut off, come before the patches, one thread each.
struct ListCornersOfPatch {
    static constexpr uint32_t kPatch = 4;  // sites, either way
    Lattice lattice;
    View<const uint32_t> colours;
    StencilRules rules;
    View<uint32_t> corners;
    uint32_t rim = 0, per_row = 1;  // sites of the rim; patches
    uint32_t asked = 0;             // gaps, of a site that is worth a look
    bool aligned = false;           // every patch's rows are words of 128 bits

    ListCornersOfPatch(const Lattice& over, View<const uint32_t> of, const StencilRules& by, View<uint32_t> out)
        : lattice(over), colours(of), rules(by), corners(out) {
        const uint32_t w = lattice.width, h = lattice.height;
        rim = w < 3 || h < 3 ? lattice.site_count() : 2 * w + 2 * (h - 2);
        per_row = (w + kPatch - 1) / kPatch;
        const int least = rules.obstacles_end && rules.open_gaps < rules.gaps ? rules.open_gaps : rules.gaps;
        asked = least < 0 ? 0 : least > 9 ? 9 : static_cast<uint32_t>(least);
        aligned = w % kPatch == 0 && reinterpret_cast<uintptr_t>(colours.data) % 16 == 0;
    }
    uint32_t thread_count() const {
        if (rim == lattice.site_count()) return rim;
        return rim + per_row * ((lattice.height + kPatch - 1) / kPatch);
    }

    /// A bit for every corner of the patch, row by row.
    FLIPSCOPE_HD static uint32_t places(uint32_t token) {
#if defined(__CUDA_ARCH__)
        return static_cast<uint32_t>(__popc(token));
#else
        return static_cast<uint32_t>(__builtin_popcount(token));
#endif
    }
    FLIPSCOPE_HD uint32_t rim_site(uint32_t i) const {
        const uint32_t w = lattice.width, h = lattice.height;
        if (rim == lattice.site_count() || i < w) return i;
        if (i < 2 * w) return lattice.site(i - w, h - 1);
        i -= 2 * w;
        return lattice.site(i & 1 ? w - 1 : 0, 1 + i / 2);
    }
    FLIPSCOPE_HD uint32_t token(uint32_t i) const {
        if (i < rim) {
            const uint32_t site = rim_site(i);
            return judge_site(lattice, colours, rules, false, lattice.x_of(site), lattice.y_of(site)) & kSiteCorner;
        }
        return judge_patch((i - rim) % per_row * kPatch, (i - rim) / per_row * kPatch);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (!token) return;
        if (i < rim) {
            corners[rank] = rim_site(i);
            return;
        }
        const uint32_t x = (i - rim) % per_row * kPatch, y = (i - rim) / per_row * kPatch;
        for (uint32_t k = 0; k < kPatch * kPatch; ++k)
            if (token >> k & 1) corners[rank++] = lattice.site(x + k % kPatch, y + k / kPatch);
    }

  private:
    /// Columns x - 1 to x + 4 of row y; what lies outside of the lattice only concerns sites of the rim.
    FLIPSCOPE_HD void read_row(uint32_t x, uint32_t y, uint32_t* row) const {
        const uint32_t* const line = colours.data + size_t(y) * lattice.width;
        const uint32_t last = lattice.width - 1;
        row[0] = line[x == 0 ? 0 : x - 1];
#if defined(__CUDA_ARCH__)
        if (aligned) {
            const uint4 four = *reinterpret_cast<const uint4*>(line + x);
            row[1] = four.x, row[2] = four.y, row[3] = four.z, row[4] = four.w;
        } else
#endif
            for (uint32_t k = 0; k < kPatch; ++k) row[1 + k] = line[x + k < last ? x + k : last];
        row[5] = line[x + 4 < last ? x + 4 : last];
    }
    FLIPSCOPE_HD uint32_t judge_patch(uint32_t x, uint32_t y) const {
        uint32_t c[kPatch + 2][kPatch + 2], differs = 0;
        for (uint32_t j = 0; j < kPatch + 2; ++j) {
            const uint32_t at = y + j == 0 ? 0 : y + j - 1;
            read_row(x, at < lattice.height ? at : lattice.height - 1, c[j]);
        }
        for (uint32_t j = 0; j < kPatch + 2; ++j)
            for (uint32_t k = 0; k < kPatch + 2; ++k) differs |= c[j][k] ^ c[0][0];
        if (differs == 0 && asked > 0) return 0;

        // Byte k: how often the colour changes along the row above or below site k, or up the columns beside it.
        uint32_t along[kPatch + 2], up[kPatch + 1];
        for (uint32_t j = 0; j < kPatch + 2; ++j) {
            along[j] = (c[j][0] != c[j][1] ? 0x00000001u : 0) + (c[j][1] != c[j][2] ? 0x00000101u : 0) +
                       (c[j][2] != c[j][3] ? 0x00010100u : 0) + (c[j][3] != c[j][4] ? 0x01010000u : 0) +
                       (c[j][4] != c[j][5] ? 0x01000000u : 0);
        }
        for (uint32_t j = 0; j < kPatch + 1; ++j) {
            up[j] = (c[j][0] != c[j + 1][0] ? 0x00000001u : 0) + (c[j][1] != c[j + 1][1] ? 0x00000100u : 0) +
                    (c[j][2] != c[j + 1][2] ? 0x00010001u : 0) + (c[j][3] != c[j + 1][3] ? 0x01000100u : 0) +
                    (c[j][4] != c[j + 1][4] ? 0x00010000u : 0) + (c[j][5] != c[j + 1][5] ? 0x01000000u : 0);
        }
        uint32_t found = 0, obstacles = 0;
        for (uint32_t j = 0; j < kPatch; ++j) {
            const uint32_t gaps = along[j] + along[j + 2] + up[j] + up[j + 1];
            const uint32_t enough = (gaps + (0x80 - asked) * 0x01010101u) & 0x80808080u;
            const uint32_t bits = (enough >> 7 & 1) | (enough >> 14 & 2) | (enough >> 21 & 4) | (enough >> 28 & 8);
            found |= bits << (kPatch * j);
        }
        // Sites of the rim have threads of their own.
        if (x == 0) found &= 0xEEEE;
        if (x + kPatch >= lattice.width) found &= column_mask(lattice.width - 1 - x);
        if (y == 0) found &= 0xFFF0;
        if (y + kPatch >= lattice.height) found &= (1u << kPatch * (lattice.height - 1 - y)) - 1;
        if (found == 0) return 0;

        for (uint32_t j = 0; j < kPatch; ++j)
            for (uint32_t k = 0; k < kPatch; ++k)
                if (c[j + 1][k + 1] >= kMaxLink) found &= ~(1u << (kPatch * j + k));
        for (uint32_t j = 0; j < kPatch + 2; ++j)
            for (uint32_t k = 0; k < kPatch + 2; ++k) obstacles |= c[j][k] == kMaxLink;
        if (!obstacles && static_cast<int>(asked) == rules.gaps) return found;
        for (uint32_t k = 0; k < kPatch * kPatch; ++k)
            if ((found >> k & 1) &&
                !(judge_site(lattice, colours, rules, false, x + k % kPatch, y + k / kPatch) & kSiteCorner))
                found &= ~(1u << k);
        return found;
    }
    /// The first `columns` (less than 4) of each row.
    FLIPSCOPE_HD static uint32_t column_mask(uint32_t columns) { return ((1u << columns) - 1) * 0x1111u; }
};

/// Four threads a corner, for CUDA, where links of ten thousand corners are all waiting for memory: each looks at one
/// place next to k and at the diagonal one after it, with the ring turned so that these come first. A colour that one
/// of the places next to k links already is not asked for again: the diagonal's fifth condition is the costly one. All
/// corners' diagonals come in a second launch, when nearly every link is known already.
struct LinkQuarter {
    Lattice lattice;
    View<const uint32_t> colours;
    BinsView bins;
    StencilRules rules;
    View<const uint32_t> corners, corner_count;
    LinkRows rows;
    uint32_t labels;   // room
    uint32_t threads;  // a multiple of 4
    bool diagonals;    // the second launch

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t count = corner_count[0];
        for (uint32_t k = i / 4; k < count; k += threads / 4) link(corners[k], static_cast<int>(i % 4 * 2));
    }

  private:
    FLIPSCOPE_HD void link(uint32_t site, int turn) const {
        const uint32_t x = lattice.x_of(site), y = lattice.y_of(site);
        const Stencil s = read_stencil(lattice, colours, x, y, turn);
        if (s.own >= labels) return;
        const uint32_t next = s.ring[0], diagonal = s.ring[1];
        bool link_next = false, link_diagonal = asks(s, 1);
        for (int place = 0; place < kRing; place += 2) {
            if (!asks(s, place)) continue;
            link_diagonal = link_diagonal && s.ring[place] != diagonal;
            // Of several places with one colour the first of the unturned ring speaks.
            if (place == 0)
                link_next = true;
            else if (s.ring[place] == next && ((place + turn) & 7) < turn)
                link_next = false;
        }
        if (!diagonals) {
            if (link_next) add(s.own, next);
            return;
        }
        if (!link_diagonal || (rows.holds(s.own, diagonal) && rows.holds(diagonal, s.own))) return;
        if (rules.inner_frame && !ask_inner(s, rules, 1, bins.nearest(inner_point(lattice, x, y, turn + 1)))) return;
        add(s.own, diagonal);
    }
    /// All conditions but the fifth.
    FLIPSCOPE_HD bool asks(const Stencil& s, int place) const {
        return s.ring[place] != s.own && s.ring[place] < labels && ask_ring(s, rules, place).linked();
    }
    FLIPSCOPE_HD void add(uint32_t a, uint32_t b) const {
        rows.insert(a, b);
        rows.insert(b, a);
    }
};

}  // namespace flipscope
