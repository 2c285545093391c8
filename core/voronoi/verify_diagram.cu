#include "voronoi/verify_diagram.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compute/launch.h"
#include "compute/text.h"
#include "mesh/collect_failures.h"

namespace flipscope {

namespace {

constexpr uint64_t kMostDistances = 30'000'000;  // by brute force; rows of larger lattices are sampled

/// Tests all sites in every stride-th row. Counts the pixels with another colour.
struct FindWrongColour : FailureTest {
    Lattice lattice;
    View<const uint32_t> colours;
    View<const uint8_t> obstacles;  // or empty
    View<const Point> sites;
    uint32_t count, stride;  // sites; distance of sampled rows
    FLIPSCOPE_HD uint32_t element(uint32_t i) const {
        return lattice.pixel(i % lattice.width, i / lattice.width * stride);
    }
    FLIPSCOPE_HD bool operator()(uint32_t i) const {
        const uint32_t pixel = element(i);
        ExactNearest nearest;
        for (uint32_t c = 0; c < count; ++c) nearest.consider(lattice, lattice.place(pixel), sites[c], c);
        return colours[pixel] != (obstacles && obstacles[pixel] ? kMaxLink : nearest.label);
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += (*this)(i); }
};

void add_clause(CheckReport& report, const std::string& clause) {
    report.sentence += (report.sentence.empty() ? "" : "; ") + clause;
}

}  // namespace

void add_pixel_failure(CheckReport& report, const char* code, const Lattice& lattice, uint32_t pixel,
                       const std::string& says) {
    const uint32_t x = lattice.x_of(pixel), y = lattice.y_of(pixel);
    add_failure(report, {code,
                         "pixel " + std::to_string(x) + ", " + std::to_string(y) + " " + says,
                         {{ElementKind::kPixel, pixel}},
                         {},
                         {{double(x), double(y), 0}}});
}

void verify_colours(Context& context, const Colouring& colouring, uint32_t count, bool floods, CheckReport& report) {
    const Lattice& lattice = colouring.lattice();
    const uint64_t distances = uint64_t(lattice.pixel_count()) * std::max(count, 1u);
    const uint32_t stride =
        static_cast<uint32_t>(std::min<uint64_t>((distances + kMostDistances - 1) / kMostDistances, lattice.height));
    const uint32_t rows = (lattice.height + stride - 1) / stride;
    const Buffer<uint8_t>& obstacles = colouring.obstacles();
    const FindWrongColour find{{},
                               lattice,
                               colouring.colours().view(),
                               obstacles.empty() ? View<const uint8_t>{} : obstacles.view(),
                               colouring.bins().view().sites,
                               count,
                               stride};
    const uint64_t wrong = sums_of(context, "check.colours", lattice.width * rows, find).value[0];
    if (wrong > 0 && !floods) {
        const uint64_t known = report.failure_count;
        for (const uint32_t pixel :
             collect_ids(context, "check.list colours", lattice.width * rows, find, kMostFailures))
            add_pixel_failure(report, "wrong-colour", lattice, pixel, kWrongColour);
        report.failure_count = known + wrong;
    }
    report.passed = report.passed && (wrong == 0 || floods);
    const std::string where = stride == 1 ? "all pixels" : "the pixels of " + std::to_string(rows) + " rows";
    add_clause(report, wrong == 0 ? "Voronoi: " + where + " have the colour of the nearest site"
                                  : std::to_string(wrong) + " of " + where +
                                        " have another colour than that of the nearest site" +
                                        (floods ? ", as jump flooding leaves them" : ""));
}

void verify_sites(const Lattice& lattice, std::span<const Point> sites, CheckReport& report) {
    const char* const left_it = lattice.periodic.both() ? " left the torus" : " left the cylinder";
    uint64_t lost = 0, outside = 0;
    int64_t number = -1;
    for (const Point& p : sites) {
        ++number;
        const bool inside_x =
            lattice.periodic.x ? p.x >= 0 && p.x < lattice.width : p.x >= -0.5 && p.x <= lattice.width - 0.5;
        const bool inside_y =
            lattice.periodic.y ? p.y >= 0 && p.y < lattice.height : p.y >= -0.5 && p.y <= lattice.height - 0.5;
        const bool left = !std::isfinite(p.x) || !std::isfinite(p.y) || (lattice.periodic.x && !inside_x) ||
                          (lattice.periodic.y && !inside_y);
        lost += left;
        if (left) add_failure(report, {"lost-site", "site " + std::to_string(number) + left_it, {}, {number}, {}});
        outside += !inside_x || !inside_y;
    }
    if (lost) {
        report.passed = false;
        add_clause(report, count_text(lost, "site has", "sites have") + left_it);
    } else if (outside) {
        add_clause(report, count_text(outside, "site lies", "sites lie") + " outside the lattice");
    }
}

void verify_rows(std::span<const uint32_t> starts, std::span<const uint32_t> entries, uint32_t sites,
                 CheckReport& report) {
    const auto count = static_cast<uint32_t>(starts.size() - 1);
    uint32_t broken_at = kNone;
    uint64_t broken = count != sites || starts[0] != 0 || starts[count] != entries.size();
    for (uint32_t a = 0; broken == 0 && a < count; ++a)
        for (uint32_t i = starts[a]; i < starts[a + 1]; ++i) {
            const uint32_t b = entries[i];
            broken += b >= count || b == a || (i > starts[a] && entries[i - 1] >= b);
            if (b < count)
                broken += !std::binary_search(entries.begin() + starts[b], entries.begin() + starts[b + 1], a);
            if (broken > 0 && report.failures.size() < kMostFailures && broken_at != a) {
                broken_at = a;
                add_failure(report,
                            {"broken-row",
                             "the row of neighbours of site " + std::to_string(a) + " is not ascending and symmetric",
                             {},
                             {a},
                             {}});
            }
        }
    if (broken && broken_at == kNone)
        add_failure(report, {"broken-row", "the rows of neighbours do not fit the sites", {}, {}, {}});
    report.broken_references += broken;
    if (broken == 0) return;
    report.passed = false;
    add_clause(report,
               "the rows of the graph are not ascending and symmetric, in " + count_text(broken, "place", "places"));
}

void verify_contacts(const GraphComparison& comparison, std::span<const Point> sites, ExactCells cells, bool exact,
                     bool has_obstacles, CheckReport& report) {
    const bool all = cells != ExactCells::kNone;  // the rules alone guarantee nothing
    const uint32_t missed_long = count_missed_contacts(comparison, cells);
    const bool broken = all && exact && missed_long > 0;
    if (broken) {
        report.passed = false;
        for (const LinkError& error : comparison.errors) {
            if (!breaks_promise(error, cells)) continue;
            const auto [a, b] = error.labels;
            add_failure(report, {"missed-link",
                                 "the link of sites " + std::to_string(a) + " and " + std::to_string(b) +
                                     " is missed, along a Voronoi edge of " + format_short(error.dual_length) +
                                     " lattice units",
                                 {},
                                 {a, b},
                                 {{sites[a].x, sites[a].y, 0}, {sites[b].x, sites[b].y, 0}},
                                 error.dual_length});
        }
    }
    add_clause(
        report,
        std::to_string(comparison.links) + " links, " + std::to_string(comparison.exact_links) +
            " in the exact graph, " + std::to_string(comparison.missed) + " missed (" + std::to_string(missed_long) +
            " of them inside, " + (has_obstacles ? "clear of obstacles, " : "") +
            (all ? "" : "between cells that have pixels, ") + "with a Voronoi edge of " + format_short(kLeastContact) +
            " lattice units or more" + (broken ? ", where exact cells guarantee that there are none" : "") + "), " +
            std::to_string(comparison.spurious) + " spurious" +
            (comparison.blocked.empty() ? ""
                                        : ", " + std::to_string(comparison.blocked.size()) + " blocked by obstacles"));
}

}  // namespace flipscope
