// From a source of frames to plastic events, as a machine of named passes (Bernaschi, Lulli and Sbragaglia 2016). The
// first frame has no past, so only its graph is made; then one round is one comparison of two frames:
//
//   advance → threshold → label → measure → colour → corners → link → arrange → match → trigger → events
//
// Sources of sites begin with colour. If the graph is that of the sites themselves, "delaunay" replaces corners, link
// and arrange; for a source with its own graph it replaces all from threshold to arrange. step() runs one pass and
// waits for its counts. finish() runs the same kernels and waits once per comparison, for the counters and, on CUDA,
// the changes. detect_events() and the Events lab run it.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "compute/pass.h"
#include "events/detection/change_detector.h"
#include "events/detection/event_log.h"
#include "events/detection/events_chain.h"
#include "events/detection/matching.h"
#include "events/detection/t1_displacements.h"

namespace flipscope {

class EventsMachine {
  public:
    enum Pass : uint32_t {
        kAdvance,
        kThreshold,
        kLabel,
        kMeasure,
        kColour,
        kCorners,
        kLink,
        kArrange,
        kDelaunay,
        kMatch,
        kTrigger,
        kEvents
    };
    enum Counter : uint32_t {
        kBubbles,
        kLinks,
        kMatchedCount,
        kAppeared,
        kVanished,
        kActive,
        kLostContacts,
        kCreatedContacts,
        kT1Events,
        kBoundaryEvents,
        kMixedEvents,
        kUnmatchedEvents,
        kUnclearEvents,
        kCounters
    };

    /// The state that is not in buffers; saved and loaded bytewise.
    struct State {
        uint32_t next = kNone;
        uint32_t last = kNone;                                // pass that ran last
        uint32_t round = 0;                                   // comparisons begun
        uint32_t made = 0;                                    // 1: the graph of the first frame exists
        uint32_t next_name = 0;                               // greater than all names
        uint32_t names_before = 0;                            // next_name at the start of the last comparison
        uint64_t kinds[size_t(EventKind::kKinds)] = {};       // events so far, by EventKind
        uint64_t changes[size_t(CellChange::kChanges)] = {};  // births, deaths and the like so far, by CellChange
        uint64_t lost = 0, created = 0;                       // links so far
        ComparisonCounts counts;                              // of the last comparison
    };

    /// Restarts. The graph in `parameters` must not be kAuto, and the source must have what graph and matching need:
    /// cells() for kLabels, or a field with a film width; a field or site_radii() for kRadical; names() for kNames.
    /// Throws Error for a lattice that is too large.
    void reset(Context& context, const EventsParameters& parameters, std::unique_ptr<Source> source,
               bool records_states);

    bool done() const { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Runs one pass. If the source fails, advance ends the run with the frame before. Throws std::logic_error when
    /// done, and Cancelled.
    PassResult step();
    /// Runs to the end. `after_round` (may be empty) receives the counters of each round, summed over its passes.
    void finish(const std::function<void(const PassResult&)>& after_round);

    /// The same for stepping and finish() and on every device.
    uint64_t state_hash() const;
    Snapshot save() const;
    /// Loads a snapshot of the same source and parameters. Returns the index of the block after the last one of save().
    size_t load(const Snapshot& snapshot);

    /// Recomputes the present frame and the last comparison by simple means on the host: labels by a flood fill,
    /// colours by the nearest site, rows, partners, and the lost and created contacts as differences of two sets of
    /// links. Only between two rounds; otherwise `checked` is false. Waits for the device.
    CheckReport check() const;

    const State& state() const { return state_; }
    /// The graph triangulates a torus: no bubble is on a boundary.
    bool is_closed() const { return source_->graph_is_closed() && chain_.longest_link().is_any(); }
    /// Between two rounds: the present frame is compared with the past one.
    bool at_rest() const { return state_.made && (state_.next == kNone || state_.next == kAdvance); }
    const EventsParameters& parameters() const { return parameters_; }
    /// Steps of the source between comparisons, and the number of steps of the last advance.
    uint32_t interval() const;
    uint32_t advanced() const { return advanced_; }
    /// The last pass of a frame before it is matched.
    uint32_t last_graph_pass() const { return chain_.has_graph() || !chain_.on_lattice() ? kDelaunay : kArrange; }

    /// nullptr before the first reset().
    Source* source() const { return source_.get(); }
    const EventsChain& chain() const { return chain_; }
    const LinkedFrame& past() const { return frames_[1 - current_]; }
    const LinkedFrame& present() const { return frames_[current_]; }
    const Matching& matching() const { return matching_; }
    const ChangeDetector& detector() const { return detector_; }
    const EventLog& log() const { return log_; }
    /// Records, after every comparison, what the log alone does not say. Call it after reset(), before the first pass.
    void watch_events(const PersistenceRules& rules, double displacement_reach) {
        contact_watch_.reset(rules);
        t1_displacements_.reset(displacement_reach);
    }
    const ContactWatch& contact_watch() const { return contact_watch_; }
    const T1Displacements& t1_displacements() const { return t1_displacements_; }
    /// Of the last comparison. Waits for the device.
    ComparedSites compared_sites() const;
    /// The source has the last frame of each name: a bubble can be missing for a while.
    bool knows_gaps() const { return !last_seen_.empty(); }

    // Of the present frame, by label. These wait for the device.
    std::vector<Point> sites() const;
    /// The source's ids of the sites, or the machine's own names if matching does not use ids.
    std::vector<int64_t> ids() const;
    int64_t id_of(uint32_t label) const;
    /// The source's ids; empty: none.
    const std::vector<int64_t>& given_ids() const { return ids_[current_]; }
    /// Pixels of bubbles, or of the cells of other sites; empty for a source with its own graph, or without
    /// parameters().lists_changes.
    CellAreas areas() const { return host_areas(current_); }
    /// Bubbles of the present frame that are held by the memory; their labels are the last ones.
    const HeldBubbles& held() const { return held_; }

    /// Makes what a picture of this frame needs beyond the state: the colours, for a source with its own graph.
    void prepare_picture() {
        if (chain_.has_graph()) chain_.colour();
    }

  private:
    uint32_t first_graph_pass() const {
        return chain_.has_labels()  ? kLabel
               : chain_.has_field() ? kThreshold
               : chain_.has_graph() ? kDelaunay
                                    : kColour;
    }
    uint32_t after(uint32_t pass) const;
    void run_graph_pass(uint32_t pass, bool wait);
    void make_graph(uint32_t first, bool wait);
    bool advance(PassResult& result);
    bool by_names() const;
    bool assigns() const { return parameters_.matching == static_cast<int>(MatchBy::kAssignment); }
    void link_sites();
    void match();
    void compare() { detector_.compare(*context_, frames_[1 - current_], frames_[current_], matching_); }
    void pass_on_names();
    void name_by_ids();
    void count_names();
    void report_match(PassResult& result) const;
    void find_events(PassResult& result);
    void find_changes();
    void observe_events();
    void keep_areas();
    CellAreas host_areas(size_t frame) const;
    void end_round(PassResult& result);
    void finish_round(const std::function<void(const PassResult&)>& after_round);

    Context* context_ = nullptr;
    EventsParameters parameters_;
    bool records_states_ = true;
    std::unique_ptr<Source> source_;
    mutable EventsChain chain_;  // mutable: check() compares colours in its scratch memory
    LinkedFrame frames_[2];
    uint32_t current_ = 0, advanced_ = 0;
    std::vector<int64_t> ids_[2];  // by label the source's ids for each frame; empty: none
    // If matching uses the source's ids: from our names to ids, and back. A track that was missing for a while gets its
    // name again.
    std::vector<int64_t> named_ids_;
    std::unordered_map<int64_t, uint32_t> names_of_ids_;
    std::unordered_map<int64_t, uint64_t> last_seen_;  // by id the last frame with it; empty: unknown
    Buffer<uint32_t> areas_[2] = {Buffer<uint32_t>("areas of cells"), Buffer<uint32_t>("areas of cells before")};
    CellOverlaps overlaps_;
    Matching matching_;
    // Of assignment: partners by past label, and what is held in the present frame with areas and radii.
    std::vector<uint32_t> linked_to_;
    HeldBubbles held_;
    std::vector<uint32_t> held_areas_;
    std::vector<double> held_radii_;
    bool is_loading_ = false;  // these are from a snapshot
    ChangeDetector detector_;
    EventLog log_;
    ContactWatch contact_watch_;
    T1Displacements t1_displacements_;
    State state_;
};

}  // namespace flipscope
