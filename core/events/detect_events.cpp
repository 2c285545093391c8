#include "flipscope/detect_events.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <tuple>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/text.h"
#include "events/detection/persistence.h"
#include "events/events_machine.h"
#include "events/sources/source_parts.h"
#include "flipscope/predicates.h"
#include "geometry/range_check.h"

namespace flipscope {

namespace {

void require_ids(std::span<const EventFrame> frames) {
    std::vector<int64_t> sorted;
    for (size_t f = 0; f < frames.size(); ++f) {
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

void require_radii(const EventFrame& frame, bool needed, const std::string& where) {
    if (frame.radii.size() != (needed ? frame.sites.size() : 0))
        throw Error(where + std::to_string(frame.radii.size()) + " radii for " + std::to_string(frame.sites.size()) +
                    " sites; radical links need one for each, other links none");
    for (const double r : frame.radii)
        if (!(r >= 0 && coordinate_in_range(r)))
            throw Error(where + "a radius is " + format_short(r) + "; expected 0, or a number from 2^-200 to 2^200");
}

/// Frames of sites in the caller's memory.
class GivenFrames final : public Frames {
  public:
    GivenFrames(Context& context, const Lattice& lattice, std::span<const EventFrame> frames,
                std::span<const uint8_t> obstacles)
        : lattice_(lattice), frames_(frames) {
        obstacles_.upload(context, obstacles.data(), obstacles.size());
        show(context);
    }
    Lattice lattice() const override { return lattice_; }
    View<const Point> sites() override { return sites_.view(); }
    std::vector<int64_t> names() const override { return {frames_[frame_].ids.begin(), frames_[frame_].ids.end()}; }
    std::vector<double> site_radii() const override {
        return {frames_[frame_].radii.begin(), frames_[frame_].radii.end()};
    }
    View<const uint8_t> obstacles() override { return obstacles_.view(); }
    SourceDescription description() const override { return {SourceDescription::Kind::kTracks}; }

  private:
    uint64_t frame_count() const override { return frames_.size(); }
    void show(Context& context) override {
        std::vector<Point> within;
        if (!frames_.empty()) within.assign(frames_[frame_].sites.begin(), frames_[frame_].sites.end());
        for (Point& p : within) p = lattice_.wrapped(p);
        sites_.upload(context, within.data(), within.size());
    }

    Lattice lattice_;
    std::span<const EventFrame> frames_;
    Buffer<Point> sites_{"sites"};
    Buffer<uint8_t> obstacles_{"obstacles"};
};

PlasticEvent as_plastic(const EventLog& log, const SettledEvents& settled, const SettledEvents::Row& row) {
    PlasticEvent event;
    event.frame = log.events()[row.event].round;
    event.kind = event_kind(row.kinds);
    event.verdict = row.verdict;
    event.place = log.events()[row.event].place;
    for (const uint32_t index : settled.links_of(log, row)) {
        const LoggedLink& link = log.links()[index];
        (link.lost ? event.lost : event.created)
            .push_back({std::min(link.ids[0], link.ids[1]), std::max(link.ids[0], link.ids[1])});
        event.sites.insert(event.sites.end(), link.ids, link.ids + 2);
    }
    std::sort(event.lost.begin(), event.lost.end());
    std::sort(event.created.begin(), event.created.end());
    sort_distinct_or_cancel(event.sites);
    return event;
}

}  // namespace

DetectedEvents detect_events(Context& context, const Lattice& lattice, std::span<const EventFrame> frames,
                             const DetectEventsOptions& options) {
    const CancelScope scope(context.cancel_flag());
    const bool by_ids = std::any_of(frames.begin(), frames.end(), [](const EventFrame& f) { return !f.ids.empty(); });
    if (by_ids) require_ids(frames);
    for (size_t f = 0; f < frames.size(); ++f) {
        require_in_range(frames[f].sites, ("frame " + std::to_string(f) + ", site").c_str());
        require_radii(frames[f], options.links == EventLinks::kRadical, "frame " + std::to_string(f) + ": ");
    }
    if (options.by_assignment && by_ids) throw Error("assignment matches sites without ids; leave out the ids");
    if (options.memory > 0 && !options.by_assignment) throw Error("memory needs matching by assignment");
    const PersistenceRules rules{options.persistence, options.lost_beyond, options.created_within};
    const std::tuple<std::string, double, int> least_values[] = {{"memory", options.memory, 0},
                                                                 {"persistence", options.persistence, 1},
                                                                 {"lost_beyond", options.lost_beyond, 0},
                                                                 {"created_within", options.created_within, 0}};
    for (const auto& [name, value, least] : least_values)
        if (value < least)
            throw Error(name + " is " + format_short(value) + "; expected " + std::to_string(least) + " or more");
    EventsParameters parameters;
    parameters.comparisons = std::numeric_limits<int>::max();
    parameters.graph = static_cast<int>(options.links == EventLinks::kDelaunay  ? GraphKind::kDelaunay
                                        : options.links == EventLinks::kRadical ? GraphKind::kRadical
                                                                                : GraphKind::kLattice);
    parameters.rules = options.rules;
    parameters.matching = static_cast<int>(by_ids                  ? MatchBy::kNames
                                           : options.by_assignment ? MatchBy::kAssignment
                                                                   : MatchBy::kNearest);
    parameters.cap = options.cap;
    parameters.memory = options.memory;
    parameters.lists_changes = !rules.keeps_all();  // contacts end with the deaths of their sites
    EventsMachine machine;
    machine.reset(context, parameters, std::make_unique<GivenFrames>(context, lattice, frames, options.obstacles),
                  false);  // throws if the lattice is too small or too large
    if (!options.obstacles.empty() && options.obstacles.size() != lattice.pixel_count())
        throw Error(std::to_string(options.obstacles.size()) + " obstacle flags for a lattice of " +
                    size_text(lattice) + "; give one for every pixel, or none");
    DetectedEvents result;
    if (frames.empty()) return result;
    machine.watch_events(rules, 0);
    machine.finish([&](const PassResult& round) {
        result.ids.push_back(machine.ids());
        if (round.round > 0) result.comparisons.push_back(machine.state().counts);
    });
    SettledEvents settled;
    settled.reset(rules);
    settled.update(machine.log(), machine.contact_watch().passed(), machine.state().round, true);
    for (const SettledEvents::Row& row : settled.rows())
        if (machine.log().events()[row.event].is_plastic())
            result.events.push_back(as_plastic(machine.log(), settled, row));
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
    const std::vector<Point> positions = components.centres_of_mass().download(bubbles.size());
    const std::vector<uint32_t> areas = components.areas().download(bubbles.size());
    for (size_t i = 0; i < bubbles.size(); ++i) bubbles[i] = {positions[i], areas[i]};
    return bubbles;
}

}  // namespace flipscope
