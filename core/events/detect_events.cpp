#include "events/detect_events.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compute/error.h"
#include "events/detection/event_groups.h"
#include "events/detection/matching.h"
#include "geometry/range_check.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/components/components.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/lattice_graph.h"

namespace flipscope {

namespace {

std::string size_text(const Lattice& lattice) {
    return std::to_string(lattice.width) + " × " + std::to_string(lattice.height) + " pixels";
}

void require_ids(std::span<const EventFrame> frames) {
    std::vector<int64_t> sorted;
    bool any = false;
    for (const EventFrame& frame : frames) any = any || !frame.ids.empty();
    for (size_t f = 0; any && f < frames.size(); ++f) {
        const std::span<const int64_t> ids = frames[f].ids;
        const std::string where = "frame " + std::to_string(f) + ": ";
        if (ids.size() != frames[f].sites.size())
            throw Error(where + std::to_string(ids.size()) + " ids for " + std::to_string(frames[f].sites.size()) +
                        " sites; give every site of every frame an id, or none");
        sorted.assign(ids.begin(), ids.end());
        sort_or_cancel(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (twice != sorted.end()) throw Error(where + "id " + std::to_string(*twice) + " is there twice");
    }
}

/// From the sites of a frame to a LinkedFrame.
class Linker {
  public:
    Linker(Context& context, const Lattice& lattice, const DetectEventsOptions& options)
        : context_(context), lattice_(lattice), options_(options) {
        colouring_.reset(context, lattice);  // throws for a lattice that is too small or too large
        if (!options.obstacles.empty() && options.obstacles.size() != lattice.pixel_count())
            throw Error(std::to_string(options.obstacles.size()) + " obstacle flags for a lattice of " +
                        size_text(lattice) + "; give one for every pixel, or none");
        colouring_.obstacles().upload(context, options.obstacles.data(), options.obstacles.size());
        if (options.links == EventLinks::kLattice) graph_.reset(context, lattice);
    }

    void link(std::span<const Point> sites, LinkedFrame& linked) {
        std::vector<Point> within(sites.begin(), sites.end());
        for (Point& p : within) p = lattice_.wrapped(p);
        sites_.upload(context_, within.data(), within.size());
        const View<const Point> positions = sites_.view();
        const auto count = static_cast<uint32_t>(within.size());
        colouring_.colour(context_, ColouringMethod::kExact, positions, count);
        if (options_.links == EventLinks::kDelaunay) {
            const Adjacency exact = exact_graph(context_, within, lattice_).adjacency(context_);
            linked.take(context_, positions, count, exact.view(), colouring_.share_bins());
            return;
        }
        const View<const uint32_t> colours = colouring_.colours().view();
        graph_.find_corners(context_, colours, options_.rules);
        graph_.link(context_, colours, colouring_.bins().view(), count, options_.rules);
        graph_.arrange(context_);
        graph_.read_counts(context_);
        linked.take(context_, positions, count, graph_.adjacency().view(), colouring_.share_bins());
    }

  private:
    Context& context_;
    Lattice lattice_;
    const DetectEventsOptions& options_;
    Colouring colouring_;
    LatticeGraph graph_;
    Buffer<Point> sites_{"sites"};
};

/// What the ends of a link are called.
std::array<int64_t, 2> ids_of(const ChangedLink& link, const std::vector<int64_t>& past,
                              const std::vector<int64_t>& now) {
    std::array<int64_t, 2> ids{};
    for (size_t k = 0; k < 2; ++k) ids[k] = link.now[k] != kNone ? now[link.now[k]] : past[link.past[k]];
    if (ids[0] > ids[1]) std::swap(ids[0], ids[1]);
    return ids;
}

void add_events(uint32_t frame, const FoundLinks& found, EventGroups& groups, DetectedEvents& result) {
    const std::span<const ChangedLink> links = found.links();
    const std::vector<int64_t>&past = result.ids[frame - 1], &now = result.ids[frame];
    groups.visit(links, [&](std::span<const uint32_t> of_event) {
        PlasticEvent event;
        event.frame = frame;
        uint32_t kinds = 0;
        for (const uint32_t i : of_event) {
            const std::array<int64_t, 2> ids = ids_of(links[i], past, now);
            (links[i].lost ? event.lost : event.created).push_back(ids);
            event.sites.insert(event.sites.end(), ids.begin(), ids.end());
            kinds |= links[i].kinds;
        }
        event.kind = event_kind(kinds);
        event.place = groups.place(links, of_event);
        std::sort(event.lost.begin(), event.lost.end());
        std::sort(event.created.begin(), event.created.end());
        std::sort(event.sites.begin(), event.sites.end());
        event.sites.erase(std::unique(event.sites.begin(), event.sites.end()), event.sites.end());
        result.events.push_back(std::move(event));
    });
}

}  // namespace

DetectedEvents detect_events(Context& context, const Lattice& lattice, std::span<const EventFrame> frames,
                             const DetectEventsOptions& options) {
    const CancelScope scope(context.cancel_flag());
    require_ids(frames);
    for (size_t f = 0; f < frames.size(); ++f)
        require_in_range(frames[f].sites, ("frame " + std::to_string(f) + ", site").c_str());
    const bool by_ids = std::any_of(frames.begin(), frames.end(), [](const EventFrame& f) { return !f.ids.empty(); });
    Linker linker(context, lattice, options);
    LinkedFrame linked_frames[2];
    for (LinkedFrame& linked : linked_frames) linked.reset(context, lattice);
    Matching matching;
    ChangeDetector detector;
    detector.reset(context, lattice);
    EventGroups groups;
    groups.reset(lattice);
    DetectedEvents result;
    uint32_t next_name = 0;
    for (uint32_t f = 0; f < frames.size(); ++f) {
        const LinkedFrame& past = linked_frames[1 - f % 2];
        LinkedFrame& now = linked_frames[f % 2];
        now.give_bins_back();
        linker.link(frames[f].sites, now);
        now.take_given(context, {frames[f].ids.begin(), frames[f].ids.end()});
        // The first frame has an empty past, from which all its sites have appeared.
        if (by_ids)
            matching.match_names(context, past, now);
        else
            matching.match_nearest(context, past, now, options.cap);
        matching.pass_on_names(context, past, now, next_name);
        detector.compare(context, past, now, matching);
        const ComparisonCounts counts = detector.read();
        next_name += static_cast<uint32_t>(counts.appeared());
        if (by_ids) {
            result.ids.emplace_back(frames[f].ids.begin(), frames[f].ids.end());
        } else {
            std::vector<uint32_t> names(frames[f].sites.size());
            now.names().download(names.data(), names.size());
            result.ids.emplace_back(names.begin(), names.end());
        }
        if (f == 0) continue;
        result.comparisons.push_back(counts);
        if (!counts.triggered()) continue;
        detector.extract(context, past, now, matching, counts);
        add_events(f, *detector.found(), groups, result);
    }
    return result;
}

DetectedEvents detect_events(const Lattice& lattice, std::span<const EventFrame> frames,
                             const DetectEventsOptions& options) {
    Context context(options.device, options.threads);
    return detect_events(context, lattice, frames, options);
}

std::vector<Bubble> find_bubbles(Context& context, const Lattice& lattice, std::span<const float> field,
                                 double threshold, bool below) {
    const CancelScope scope(context.cancel_flag());
    if (field.size() != size_t(lattice.width) * lattice.height)
        throw Error("a field of " + std::to_string(field.size()) + " values for a lattice of " + size_text(lattice));
    if (field.empty()) return {};
    Buffer<float> uploaded("field");
    uploaded.upload(context, field.data(), field.size());
    Components components;
    components.reset(context, lattice);
    components.threshold(context, uploaded.view(), threshold, below, {});
    components.label(context);
    components.measure(context);
    std::vector<Bubble> bubbles(components.read_count(context));
    std::vector<Point> positions(bubbles.size());
    std::vector<uint32_t> areas(bubbles.size());
    components.centres_of_mass().download(positions.data(), positions.size());
    components.areas().download(areas.data(), areas.size());
    for (size_t i = 0; i < bubbles.size(); ++i) bubbles[i] = {positions[i], areas[i]};
    return bubbles;
}

}  // namespace flipscope
