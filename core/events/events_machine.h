// From a source of frames to plastic events, as a machine of named passes (Bernaschi, Lulli and Sbragaglia 2016). The
// first frame has no past, so there is only its graph; then one round is one comparison of two frames:
//
//   advance → threshold → label → measure → colour → corners → link → arrange → match → trigger → events
//
// Sites begin with colour. "delaunay" replaces corners, link and arrange when the graph is that of the sites
// themselves; of a source that keeps its graph it replaces all from threshold to arrange. step() runs one pass and
// asks the device how much there is; finish() runs the same kernels and waits once a comparison, for the counters and,
// on CUDA, what was found with them. detect_events() and the Events lab run it.
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

    /// What of the state is in no buffer; saved and loaded as it is.
    struct State {
        uint32_t next = kNone;
        uint32_t last = kNone;                                // pass that ran last
        uint32_t round = 0;                                   // comparisons begun
        uint32_t made = 0;                                    // 1: there is a graph of the first frame
        uint32_t next_name = 0;                               // beyond all names
        uint32_t names_before = 0;                            // next_name as the last comparison began
        uint64_t kinds[size_t(EventKind::kKinds)] = {};       // events so far, by EventKind
        uint64_t changes[size_t(CellChange::kChanges)] = {};  // births and their like so far, by CellChange
        uint64_t lost = 0, created = 0;                       // links so far
        ComparisonCounts counts;                              // of the last comparison
    };

    /// Starts over. `parameters`: its graph is not kAuto, and the source has what its graph and matching need: cells()
    /// for kLabels, names() for kNames. Throws Error for a lattice that is too large.
    void reset(Context& context, const EventsParameters& parameters, std::unique_ptr<Source> source,
               bool records_states);

    bool done() const { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Runs one pass. Where the source is in trouble, advance ends the run with the frame before. Throws
    /// std::logic_error when done, Cancelled when the context was told to.
    PassResult step();
    /// Runs to the end. `after_round` (may be empty) gets the counters of each round, summed over its passes.
    void finish(const std::function<void(const PassResult&)>& after_round);

    /// The same after every step and finish() on every device.
    uint64_t state_hash() const;
    Snapshot save() const;
    /// Of the same source and parameters. Returns the index of the block after the last one that save() wrote.
    size_t load(const Snapshot& snapshot);

    /// Recomputes the present frame and the last comparison plainly, on the host: labels by a flood fill, colours by
    /// the nearest site, rows, partners, and the lost and created contacts as differences of two sets of links. Between
    /// two rounds only; `checked` is false elsewhere. Waits for the device.
    CheckReport check() const;

    const State& state() const { return state_; }
    /// Between two rounds: the present frame is compared with the past one, and all is known of both.
    bool at_rest() const { return state_.made && (state_.next == kNone || state_.next == kAdvance); }
    const EventsParameters& parameters() const { return parameters_; }
    /// Steps of the source from one comparison to the next, and how many the last advance went.
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
    /// The source says which frame has a name last: a bubble can be missing for a while.
    bool knows_gaps() const { return !last_seen_.empty(); }

    // Of the present frame, by label. They wait for the device.
    std::vector<Point> sites() const;
    /// What the source calls the sites, or by its own names where it matches without those.
    std::vector<int64_t> ids() const;
    int64_t id_of(uint32_t label) const;
    /// What the source calls them; empty: nothing.
    const std::vector<int64_t>& given_ids() const { return ids_[current_]; }
    /// Of bubbles their pixels, of other sites those of their cells; empty: a source that keeps its graph, or
    /// parameters().lists_changes is off.
    CellAreas areas() const { return host_areas(current_); }

    /// Brings what a picture of this frame needs beyond the state: how many links graph() has and, where the source
    /// keeps its graph, the colours.
    void prepare_picture();

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
    void match();
    void compare() { detector_.compare(*context_, frames_[1 - current_], frames_[current_], matching_); }
    void pass_on_names();
    void name_by_ids();
    void count_names();
    void find_events(PassResult& result);
    void find_changes();
    void keep_areas();
    CellAreas host_areas(size_t frame) const;
    void end_round(PassResult& result);
    void finish_round(const std::function<void(const PassResult&)>& after_round);

    Context* context_ = nullptr;
    EventsParameters parameters_;
    bool records_states_ = true;
    std::unique_ptr<Source> source_;
    mutable EventsChain chain_;  // a check compares colours, which needs working memory
    LinkedFrame frames_[2];
    uint32_t current_ = 0, advanced_ = 0;
    std::vector<int64_t> ids_[2];  // by label what the source calls the sites of each; empty: nothing
    // Where the source's names match: by name of our own that of the source, and the other way; a track that was
    // missing for a while gets its name again.
    std::vector<int64_t> named_ids_;
    std::unordered_map<int64_t, uint32_t> names_of_ids_;
    std::unordered_map<int64_t, uint64_t> last_seen_;  // by id the last frame that has it; empty: not known
    Buffer<uint32_t> areas_[2] = {Buffer<uint32_t>("areas of cells"), Buffer<uint32_t>("areas of cells before")};
    CellOverlaps overlaps_;
    Matching matching_;
    ChangeDetector detector_;
    EventLog log_;
    State state_;
};

}  // namespace flipscope
