// Two frames in host memory, the result of the labs' kernels, and that of a plain set difference.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "events/detection/change_detector.h"
#include "test_support.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/site_sets.h"

namespace flipscope {

using Pair = std::array<uint32_t, 2>;
using PairSet = std::set<Pair>;

inline Pair ordered(uint32_t a, uint32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; }

/// Sites and links of one frame.
struct Still {
    std::vector<Point> sites;
    PairSet links;
    std::vector<int64_t> names = {};

    void rows(std::vector<uint32_t>& starts, std::vector<uint32_t>& neighbours) const {
        std::vector<std::set<uint32_t>> row(sites.size());
        for (const Pair& link : links) {
            row[link[0]].insert(link[1]);
            row[link[1]].insert(link[0]);
        }
        starts.assign(1, 0);
        neighbours.clear();
        for (const auto& entries : row) {
            neighbours.insert(neighbours.end(), entries.begin(), entries.end());
            starts.push_back(static_cast<uint32_t>(neighbours.size()));
        }
    }
    void take_delaunay(Context& context, const Lattice& lattice) {
        const ExactGraph graph = exact_graph(context, sites, lattice);
        links.clear();
        for (const auto& edge : graph.edges) links.insert(ordered(edge[0], edge[1]));
    }
};

/// The complete result of comparing two frames.
struct Comparing {
    explicit Comparing(Context& context, const Lattice& lattice, double cap = 0.5)
        : context_(context), lattice_(lattice), cap_(cap) {
        for (LinkedFrame& frame : frames_) frame.reset(context, lattice);
        detector.reset(context, lattice);
    }

    void operator()(const Still& past, const Still& now, bool by_names = false) {
        const Still* stills[2] = {&past, &now};
        std::vector<uint32_t> starts, neighbours;
        for (int k = 0; k < 2; ++k) {
            stills[k]->rows(starts, neighbours);
            frames_[k].take(context_, stills[k]->sites, starts, neighbours);
            frames_[k].use_names(context_, stills[k]->names);
        }
        std::vector<uint32_t> names(past.sites.size());
        for (size_t i = 0; i < names.size(); ++i) names[i] = static_cast<uint32_t>(100 + i);
        frames_[0].names().upload(context_, names.data(), names.size());
        if (by_names)
            matching.match_names(context_, frames_[0], frames_[1]);
        else
            matching.match_nearest(context_, frames_[0], frames_[1], cap_);
        matching.pass_on_names(context_, frames_[0], frames_[1], 1000);
        detector.compare(context_, frames_[0], frames_[1], matching);
        if (ahead) detector.extract_ahead(context_, frames_[0], frames_[1], matching);
        counts = detector.read();
        if (counts.triggered()) detector.extract(context_, frames_[0], frames_[1], matching, counts);
        to_now = matching.to_now_buffer().empty() ? std::vector<uint32_t>{} : matching.to_now_buffer().download();
        to_past = matching.to_past_buffer().empty() ? std::vector<uint32_t>{} : matching.to_past_buffer().download();
        found = detector.found();
        links.assign(found->links().begin(), found->links().end());
    }

    /// In present labels.
    PairSet listed(bool lost) const {
        PairSet set;
        for (const ChangedLink& link : links)
            if (bool(link.lost) == lost) CHECK(set.insert(ordered(link.now[0], link.now[1])).second);
        return set;
    }
    const LinkedFrame& past() const { return frames_[0]; }
    const LinkedFrame& now() const { return frames_[1]; }

    bool ahead = false;  // extracts before it knows how much there is
    Matching matching;
    ChangeDetector detector;
    ComparisonCounts counts;
    std::vector<uint32_t> to_now, to_past;
    std::shared_ptr<const FoundLinks> found;
    std::vector<ChangedLink> links;

  private:
    Context& context_;
    Lattice lattice_;
    double cap_;
    LinkedFrame frames_[2];
};

/// Around each changed link: the neighbours of its corners, each once, and none that is a corner.
inline void check_surroundings(const Comparing& compared, const Still& past, const Still& now) {
    const FoundLinks& found = *compared.found;
    REQUIRE(found.surroundings().size() == std::min<size_t>(compared.links.size(), kMostDrawn));
    const auto before = [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); };
    for (const bool is_past : {true, false}) {
        const Still& still = is_past ? past : now;
        std::vector<uint32_t> starts, neighbours;
        still.rows(starts, neighbours);
        for (size_t i = 0; i < found.surroundings().size(); ++i) {
            const uint32_t* corners = is_past ? compared.links[i].past : compared.links[i].now;
            std::set<uint32_t> around;
            for (int k = 0; k < 4; ++k)
                if (corners[k] != kNone)
                    for (uint32_t e = starts[corners[k]], n = 0; e < starts[corners[k] + 1] && n < kAround; ++e, ++n)
                        around.insert(neighbours[e]);
            for (int k = 0; k < 4; ++k) around.erase(corners[k]);
            std::vector<Point> expected;
            for (const uint32_t label : around) expected.push_back(still.sites[label]);
            const Surroundings& at = found.surroundings()[i];
            const auto told = is_past ? found.places().subspan(at.first, at.past_count)
                                      : found.places().subspan(at.first + at.past_count, at.now_count);
            std::vector<Point> listed(told.begin(), told.end());
            std::sort(expected.begin(), expected.end(), before);
            std::sort(listed.begin(), listed.end(), before);
            CHECK(listed == expected);
        }
    }
}

/// Mutual nearest sites by looking at all pairs.
inline std::vector<uint32_t> plain_matching(const Lattice& lattice, const Still& past, const Still& now, double cap) {
    const auto nearest = [&](Point p, const std::vector<Point>& among) {
        uint32_t best = kNone;
        for (uint32_t i = 0; i < among.size(); ++i)
            if (best == kNone || lattice.squared_distance(p, among[i]) < lattice.squared_distance(p, among[best]))
                best = i;
        return best;
    };
    std::vector<uint32_t> partners(past.sites.size(), kNone);
    const double reach = cap * cap * lattice.width * lattice.height;
    for (uint32_t p = 0; p < partners.size(); ++p) {
        const uint32_t q = nearest(past.sites[p], now.sites);
        if (q == kNone || nearest(now.sites[q], past.sites) != p) continue;
        if (lattice.squared_distance(past.sites[p], now.sites[q]) * double(partners.size()) <= reach) partners[p] = q;
    }
    return partners;
}

/// Φ(E_P) \ E_N, or E_N \ Φ(E_P), over those that have a partner, in present labels.
inline PairSet plain_difference(const Still& past, const Still& now, const std::vector<uint32_t>& to_now, bool lost) {
    PairSet translated, present, difference;
    std::set<uint32_t> partners(to_now.begin(), to_now.end());
    for (const Pair& link : past.links)
        if (to_now[link[0]] != kNone && to_now[link[1]] != kNone)
            translated.insert(ordered(to_now[link[0]], to_now[link[1]]));
    for (const Pair& link : now.links)
        if (partners.count(link[0]) && partners.count(link[1])) present.insert(link);
    const PairSet &from = lost ? translated : present, &without = lost ? present : translated;
    std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                        std::inserter(difference, difference.begin()));
    return difference;
}

}  // namespace flipscope
