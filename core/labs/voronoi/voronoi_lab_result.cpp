// What came of the Voronoi lab's work: the check against brute force and against the exact graph, numbers,
// distributions, and arrays to be saved.
#include <algorithm>
#include <cmath>

#include "compute/array.h"
#include "compute/primitives.h"
#include "compute/text.h"
#include "labs/voronoi/voronoi_lab.h"
#include "mesh/collect_failures.h"

namespace flipscope {

namespace {

constexpr uint64_t kMostDistances = 30'000'000;  // of the check by brute force; of a larger lattice rows are sampled
constexpr uint32_t kAreaBins = 40, kDegreeBins = 16;

/// Asks all centres, in every so-manieth row. Tallies the sites that have another colour.
struct FindWrongColour : FailureTest {
    Lattice lattice;
    View<const uint32_t> colours;
    View<const uint8_t> obstacles;  // or empty
    View<const Point> centres;
    uint32_t count, stride;  // centres; rows to the next one
    FLIPSCOPE_HD uint32_t element(uint32_t i) const {
        return lattice.site(i % lattice.width, i / lattice.width * stride);
    }
    FLIPSCOPE_HD bool operator()(uint32_t i) const {
        const uint32_t site = element(i);
        ExactNearest nearest;
        for (uint32_t c = 0; c < count; ++c) nearest.consider(lattice, lattice.place(site), centres[c], c);
        return colours[site] != (obstacles && obstacles[site] ? kMaxLink : nearest.label);
    }
    FLIPSCOPE_HD void operator()(uint32_t i, Tally& tally) const { tally.value[0] += (*this)(i); }
};

CheckFailure wrong_colour(const Lattice& lattice, uint32_t site) {
    const uint32_t x = lattice.x_of(site), y = lattice.y_of(site);
    return {"wrong-colour",
            "pixel (" + std::to_string(x) + ", " + std::to_string(y) + ") has another colour than its nearest site's",
            {{ElementKind::kSite, site}},
            {},
            {{double(x), double(y), 0}}};
}

struct CountObstacles {
    View<const uint8_t> obstacles;
    FLIPSCOPE_HD void operator()(uint32_t site, Tally& tally) const { tally.value[0] += obstacles[site]; }
};

struct CountOddSites {
    Lattice lattice;
    View<const uint32_t> colours;
    FLIPSCOPE_HD void operator()(uint32_t site, Tally& tally) const {
        const uint16_t bits = pathologies(read_stencil(lattice, colours, lattice.x_of(site), lattice.y_of(site)));
        tally.value[0] += (bits & kSiteIsland) != 0;
        tally.value[1] += (bits & kSiteProlonged) != 0;
    }
};

void add(std::string& sentence, const std::string& more) { sentence += (sentence.empty() ? "" : "; ") + more; }

std::vector<uint64_t> counted(const std::vector<uint64_t>& values, double low, double high, uint32_t bins) {
    std::vector<uint64_t> counts(bins, 0);
    for (const uint64_t value : values) {
        const double at = (double(value) - low) / (high - low) * bins;
        ++counts[std::min<uint32_t>(at > 0 ? static_cast<uint32_t>(std::min(at, 1e9)) : 0, bins - 1)];
    }
    return counts;
}

}  // namespace

CheckReport VoronoiLab::check() const {
    CheckReport report;
    if (!(state_.made & kColoured)) {
        report.passed = report.checked = false;
        report.sentence = "nothing is coloured yet";
        return report;
    }
    check_colours(report);
    check_sites(report);
    if (!(state_.made & kLinked)) return report;
    check_rows(report);
    const ExactGraph exact =
        exact_ && (state_.made & kCompared) ? *exact_ : exact_graph(*context_, coloured_sites(), start_.lattice);
    const std::vector<uint8_t> obstacles = host_obstacles();
    const GraphComparison comparison = compare_graphs(exact, coloured_sites(), pairs_of(graph_.adjacency()), obstacles);
    const bool all = now_.rules.exact_cells != int(ExactCells::kNone);
    const uint32_t missed_long = count_missed_contacts(comparison, ExactCells(now_.rules.exact_cells));
    // The rules alone promise nothing, nor does a graph of colours that are wrong.
    const bool promised = all && method() != ColouringMethod::kJumpFlooding;
    report.passed = report.passed && !(promised && missed_long > 0);
    if (promised && missed_long > 0) list_missed_contacts(comparison, report);
    add(report.sentence,
        std::to_string(comparison.links) + " links, " + std::to_string(comparison.exact_links) +
            " in the exact graph, " + std::to_string(comparison.missed) + " missed (" + std::to_string(missed_long) +
            " of them inside, " + (obstacles.empty() ? "" : "clear of obstacles, ") +
            (all ? "" : "between cells that have pixels, ") + "with a Voronoi edge of " + format_short(kLeastContact) +
            " lattice units or more" +
            (promised && missed_long > 0 ? ", where exact cells guarantee that there are none" : "") + "), " +
            std::to_string(comparison.spurious) + " spurious" +
            (comparison.blocked.empty() ? ""
                                        : ", " + std::to_string(comparison.blocked.size()) + " blocked by obstacles"));
    return report;
}

void VoronoiLab::list_missed_contacts(const GraphComparison& comparison, CheckReport& report) const {
    const std::vector<Point> centres = coloured_sites();
    for (const LinkError& error : comparison.errors) {
        if (!breaks_promise(error, ExactCells(now_.rules.exact_cells))) continue;
        const auto [a, b] = error.labels;
        add_failure(report,
                    {"missed-link",
                     "the link of sites " + std::to_string(a) + " and " + std::to_string(b) +
                         " is missed, along a Voronoi edge of " + format_short(error.dual_length) + " lattice units",
                     {},
                     {a, b},
                     {{centres[a].x, centres[a].y, 0}, {centres[b].x, centres[b].y, 0}},
                     error.dual_length});
    }
}

void VoronoiLab::check_colours(CheckReport& report) const {
    const Lattice& lattice = start_.lattice;
    const uint64_t distances = uint64_t(lattice.site_count()) * std::max(state_.sites, 1u);
    const uint32_t stride =
        static_cast<uint32_t>(std::min<uint64_t>((distances + kMostDistances - 1) / kMostDistances, lattice.height));
    const uint32_t rows = (lattice.height + stride - 1) / stride;
    Buffer<uint64_t> tallies("tallies");
    tallies.resize(*context_, kTallyWidth);
    tallies.fill_bytes(0);
    const Buffer<uint8_t>& obstacles = colouring_.obstacles();
    const FindWrongColour find{{},
                               lattice,
                               colouring_.colours().view(),
                               obstacles.empty() ? View<const uint8_t>{} : obstacles.view(),
                               colouring_.bins().view().centres,
                               state_.sites,
                               stride};
    launch(*context_, "check.colours", lattice.width * rows, find, tallies.view());
    const uint64_t wrong = tallies.read(0);
    const bool flooded = method() == ColouringMethod::kJumpFlooding;
    if (wrong > 0 && !flooded) {
        for (const uint32_t site :
             collect_ids(*context_, "check.list colours", lattice.width * rows, find, kMostFailures))
            report.failures.push_back(wrong_colour(lattice, site));
        report.failure_count += wrong;
    }
    report.passed = report.passed && (wrong == 0 || flooded);
    const std::string where = stride == 1 ? "all pixels" : "the pixels of " + std::to_string(rows) + " rows";
    add(report.sentence, wrong == 0 ? "Voronoi: " + where + " have the colour of the nearest site"
                                    : std::to_string(wrong) + " of " + where +
                                          " have another colour than that of the nearest site" +
                                          (flooded ? ", as jump flooding leaves them" : ""));
}

void VoronoiLab::check_sites(CheckReport& report) const {
    const Lattice& lattice = start_.lattice;
    uint64_t lost = 0, outside = 0;
    int64_t number = -1;
    for (const Point& p : host_sites()) {
        ++number;
        const bool inside =
            lattice.periodic ? p.x >= 0 && p.y >= 0 && p.x < lattice.width && p.y < lattice.height
                             : p.x >= -0.5 && p.y >= -0.5 && p.x <= lattice.width - 0.5 && p.y <= lattice.height - 0.5;
        const bool left = !std::isfinite(p.x) || !std::isfinite(p.y) || (lattice.periodic && !inside);
        lost += left;
        if (left)
            add_failure(report, {"lost-site", "site " + std::to_string(number) + " left the torus", {}, {number}, {}});
        outside += !inside;
    }
    if (lost) {
        report.passed = false;
        add(report.sentence, count_text(lost, "site has", "sites have") + " left the torus");
    } else if (outside) {
        add(report.sentence, count_text(outside, "site lies", "sites lie") + " outside the lattice");
    }
}

/// Rows ascending, without repetitions, and symmetric.
void VoronoiLab::check_rows(CheckReport& report) const {
    const Adjacency& graph = graph_.adjacency();
    std::vector<uint32_t> starts(size_t(graph.count) + 1), entries(graph.entry_count);
    graph.starts.download(starts.data(), starts.size());
    graph.neighbours.download(entries.data(), entries.size());
    uint32_t broken_at = kNone;
    uint64_t broken = graph.count != state_.sites || starts[0] != 0 || starts[graph.count] != entries.size();
    for (uint32_t a = 0; broken == 0 && a < graph.count; ++a)
        for (uint32_t i = starts[a]; i < starts[a + 1]; ++i) {
            const uint32_t b = entries[i];
            broken += b >= graph.count || b == a || (i > starts[a] && entries[i - 1] >= b);
            if (b < graph.count)
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
    add(report.sentence,
        "the rows of the graph are not ascending and symmetric, in " + count_text(broken, "place", "places"));
}

Result VoronoiLab::result() const {
    Result result;
    result.points = input_ && !input_->points.empty() ? input_->points.size() : state_.sites;
    const auto tell = [&](const char* name, const char* unit, double value, const char* former = "") {
        result.numbers.push_back({name, unit, value, former});
    };
    if (start_.units)
        result.lattice = {start_.lattice.width, start_.lattice.height, start_.lattice.periodic, *start_.units};
    tell("sites", "", state_.sites);
    if (state_.made & kLinked) {
        result.edges = graph_.adjacency().entry_count / 2;
        tell("links", "", double(result.edges));
    }
    if (state_.made & kCompared) {
        tell("missed links", "", comparison_.missed);
        tell("spurious links", "", comparison_.spurious);
        if (!colouring_.obstacles().empty()) tell("blocked links", "", double(comparison_.blocked.size()));
    }
    tell("pixels", "", start_.lattice.site_count(), "lattice sites");
    if (!colouring_.obstacles().empty()) tell("obstacle pixels", "", double(count_obstacles()), "obstacle sites");
    tell("Lloyd iterations", "", state_.moves);
    if (state_.made & kMeasured) {
        const std::vector<uint64_t> sizes = areas();
        tell("empty cells", "", double(std::count(sizes.begin(), sizes.end(), 0u)));
        tell("energy", "lattice units squared", state_.energy);
        if (lloyd_.of_points() && start_.scale != 1)
            tell("energy in the input's units", "", state_.energy / (start_.scale * start_.scale));
        tell("largest move", "lattice units", state_.largest_move);
    }
    if (method() == ColouringMethod::kJumpFlooding && (state_.made & kColoured))
        tell("wrong colours", "", double(colouring_.count_errors(*context_)));
    if (!(state_.made & kLinked)) return result;
    tell("corners", "", graph_.read_corner_count());
    const OddSites odd = count_odd_sites();
    tell("islands", "", double(odd.islands));
    tell("prolonged", "", double(odd.prolonged));
    if (state_.sites) tell("mean neighbours", "", 2 * double(result.edges) / state_.sites);
    if (!(state_.made & kCompared)) return result;
    tell("exact links", "", comparison_.exact_links);
    tell("longest missed Voronoi edge", "lattice units", comparison_.longest_missed);
    return result;
}

uint64_t VoronoiLab::count_obstacles() const {
    Buffer<uint64_t> tallies("tallies");
    tallies.resize(*context_, kTallyWidth);
    tallies.fill_bytes(0);
    launch(*context_, "count.obstacles", start_.lattice.site_count(), CountObstacles{colouring_.obstacles().view()},
           tallies.view());
    return tallies.read(0);
}

VoronoiLab::OddSites VoronoiLab::count_odd_sites() const {
    Buffer<uint64_t> tallies("tallies");
    tallies.resize(*context_, kTallyWidth);
    tallies.fill_bytes(0);
    launch(*context_, "count.odd sites", start_.lattice.site_count(),
           CountOddSites{start_.lattice, colouring_.colours().view()}, tallies.view());
    return {tallies.read(0), tallies.read(1)};
}

std::vector<Histogram> VoronoiLab::histograms() const {
    std::vector<Histogram> made;
    const std::vector<uint64_t> now = areas();
    if (now.empty()) return made;
    const bool points = lloyd_.of_points();
    const double content = points ? lloyd_.point_count() : start_.lattice.site_count();
    const double high = std::max(4.0 * content / double(std::max<size_t>(start_.sites.size(), 1)), 1.0);
    Histogram sizes;
    sizes.name = points ? "cluster sizes" : "cell areas";
    sizes.sentence = points ? "The number of points in each cluster; the last bin has all larger ones, too."
                            : "The number of pixels in each cell; the last bin has all larger ones, too.";
    sizes.unit = points ? "points" : "pixels";
    sizes.high = high;
    sizes.before = counted(areas_before_, 0, high, kAreaBins);
    sizes.now = counted(now, 0, high, kAreaBins);
    sizes.before_name = "first round";
    made.push_back(std::move(sizes));
    if (!(state_.made & kLinked)) return made;

    const auto degrees = [&](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint64_t> counts(state_.sites, 0);
        for (const auto& link : links)
            for (const uint32_t label : link) ++counts[label];
        return counted(counts, 0, kDegreeBins, kDegreeBins);
    };
    Histogram neighbours;
    neighbours.name = "neighbours";
    neighbours.sentence =
        "The number of cells that each cell is linked to: 6 on average far from borders. Beside it the exact graph on "
        "the lattice.";
    neighbours.high = kDegreeBins;
    neighbours.now = degrees(pairs_of(graph_.adjacency()));
    neighbours.now_name = "lattice";
    neighbours.before_name = "exact";
    if (state_.made & kCompared) {
        std::vector<std::array<uint32_t, 2>> in_sight;
        for (size_t e = 0; e < exact_->edges.size(); ++e)
            if (exact_->in_sight[e]) in_sight.push_back(exact_->edges[e]);
        neighbours.before = degrees(in_sight);
    }
    made.push_back(std::move(neighbours));
    return made;
}

std::vector<ArrayInfo> VoronoiLab::arrays() const {
    return {
        {"colours", "(height, width) the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"obstacles", "(height, width) 1 where an obstacle is, else 0"},
        {"density", "(height, width) the weight of each pixel, 1 to 65535, which is a density of 1; all 1: uniform"},
        {"sites",
         "(sites, 2) x and y, in the units of the input where its points were scaled, else lattice units; the row is "
         "the label"},
        {"names", "(sites) what stays the same of each label over time: index in the input, or running number"},
        {"areas", "(sites) pixels in each cell, or points in each cluster"},
        {"links", "(links, 2) labels of cells that are neighbours, the lower first"},
        {"exact_links", "(links, 2) labels of the exact Delaunay edges of the whole plane, or torus, the lower first"},
        {"clusters", "(points) the label of each point's nearest site; nothing unless data=points"}};
}

Array VoronoiLab::array(const std::string& name) const {
    using Type = Array::Type;
    const std::vector<size_t> lattice{start_.lattice.height, start_.lattice.width};
    const size_t site_count = start_.lattice.site_count();
    const auto pairs = [](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint32_t> flat;
        for (const auto& link : links) flat.insert(flat.end(), link.begin(), link.end());
        return make_array(Type::kUint32, {links.size(), 2}, flat);
    };
    if (name == "colours") return make_array(Type::kUint32, lattice, colouring_.colours().download());
    if (name == "obstacles") {
        const std::vector<uint8_t> marks = colouring_.obstacles().download();
        std::vector<uint32_t> values(marks.begin(), marks.end());
        values.resize(site_count, 0);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "density") {
        std::vector<uint32_t> values(start_.density.begin(), start_.density.end());
        values.resize(site_count, 1);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "sites") {
        std::vector<Point> places = host_sites();
        for (Point& at : places) at = start_.as_given(at);
        return make_array(Type::kFloat64, {state_.sites, 2}, places);
    }
    if (name == "names") return make_array(Type::kUint32, {names_.size()}, names_);
    if (name == "areas") {
        const std::vector<uint64_t> sizes = areas();
        return make_array(Type::kInt64, {sizes.size()}, sizes);
    }
    const bool linked = state_.made & kLinked;
    if (name == "links") return pairs(linked ? pairs_of(graph_.adjacency()) : std::vector<std::array<uint32_t, 2>>{});
    if (name == "exact_links")
        return pairs(exact_ && (state_.made & kCompared) ? exact_->edges
                                                         : exact_graph(*context_, host_sites(), start_.lattice).edges);
    if (name == "clusters") {
        const std::vector<uint32_t> labels =
            lloyd_.of_points() ? lloyd_.clusters().download() : std::vector<uint32_t>();
        return make_array(Type::kUint32, {labels.size()}, labels);
    }
    throw std::logic_error("the Voronoi lab has no array \"" + name + "\"");
}

TriangleSoup VoronoiLab::soup() const {
    TriangleSoup soup;
    soup_points_ = host_sites();
    soup.points = &soup_points_;
    return soup;
}

}  // namespace flipscope
