// A pixel's stencil for display: its ring, inner ring, gaps and conditions, in words and diagrams (figures 3 to 6 of
// the paper). Host code; reads a few colours from the device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "lab/lab.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

/// The result of the rules for one place of the ring.
struct DirectionReport {
    const char* name = "";          // "spx", "spxpy", …, as in figure 3
    uint32_t pixel = kNone;         // kNone: outside the lattice
    uint32_t colour = kNone;        //
    uint32_t inner_colour = kNone;  // diagonal places: of a_k, b_k, c_k or d_k
    const char* inner_name = "";    // "a", …
    LinkConditions
        conditions;  // three of them (obstacle, other, long diagonal) apply to places next to k, five to diagonal ones
    bool diagonal = false;  //
    bool linked = false;    // the pixel is a corner, and all conditions hold
    std::string sentence;   // the reason
};

struct StencilReport {
    uint32_t pixel = kNone, x = 0, y = 0;
    Stencil stencil;
    int gaps = 0, gaps_requested = 0;
    bool corner = false;
    uint16_t pathologies = 0;  // bits of PixelBit
    DirectionReport directions[kRing];
};

/// sites: (n) in host memory, for the inner ring. Waits for the device.
StencilReport inspect_stencil(const Lattice& lattice, const Buffer<uint32_t>& colours, const std::vector<Point>& sites,
                              uint32_t pixel, const StencilRules& rules);
/// The same for colours on the host.
StencilReport inspect_stencil(const Lattice& lattice, View<const uint32_t> host_colours,
                              const std::vector<Point>& sites, uint32_t pixel, const StencilRules& rules);

/// Adds the stencil's diagrams, its properties, and a table of the ring's places with their conditions (true, false or
/// empty) and the deciding reason. `cell_link` returns a link to the cell of a colour, if it can be inspected; the
/// properties then link to the cells around the pixel and to the pixels of its ring.
void describe_stencil(const StencilReport& report, const StencilRules& rules, Report& to,
                      const std::function<Link(uint32_t)>& cell_link = {});
/// The stencil with its names, and with its colours, gaps and links.
std::vector<Diagram> draw_stencil(const StencilReport& report, const StencilRules& rules);

/// The variants of the rules as parameters, in a group of their own.
void visit_stencil_rules(ParameterVisitor& visitor, StencilRules& rules, const OverrideRule& rule = {});

}  // namespace flipscope
