// A timeline owns one algorithm and its history: play, step by pass, iteration or round, run to the end, go back, seek.
// Going back replays from a keyframe, which repeatability makes exact. Memory and the cost of a step are bounded
// however long the run is: the history keeps recent steps exactly and summarises the rest, and keyframes are thinned.
// Driven by the window and the command line.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "instruments/history.h"
#include "lab/lab.h"
#include "lab/manual_edits.h"

namespace flipscope {

class Timeline {
  public:
    explicit Timeline(std::unique_ptr<Lab> algorithm) : lab_(std::move(algorithm)) {}

    /// Restarts. Throws what Lab::reset() throws; after an Error nothing has changed.
    void reset(Context& context, std::shared_ptr<const Geometry> input);
    /// Makes the state that the caller has loaded into the lab position 0, without earlier history.
    void begin_here();
    Lab& lab() { return *lab_; }
    const Lab& lab() const { return *lab_; }

    /// False before the first reset() and after a step threw (Cancelled, a failed device): then done() is true, and the
    /// algorithm must not be used until recover() or the next reset().
    bool usable() const { return usable_; }
    /// Whether the cause was Cancelled or a lost device, and there is a keyframe. The history is then intact; after any
    /// other failure known() is 0.
    bool can_recover() const { return interrupted_; }
    /// Goes back from the cancelled step to the last keyframe before it. If it is cancelled itself, it can be called
    /// again.
    void recover();
    /// After the device was lost: continues on another device from the last keyframe before position(), with `lab`, a
    /// new instance of the present one. Keyframes, edits, history and undo are in host memory and survive. Throws
    /// std::logic_error if no keyframes are kept, and what Lab::reset() and recover() throw; it can then be called
    /// again.
    void move_to(std::unique_ptr<Lab> lab, Context& context, std::shared_ptr<const Geometry> input);
    bool can_move() const { return !keyframes_.empty(); }

    /// The present position, in steps; the number of known steps (the right end of the timeline).
    uint64_t position() const { return history_.position(); }
    uint64_t known() const { return history_.size(); }
    bool done() const { return !usable_ || (lab_->done() && !edits_.contains(position()) && !planned_here()); }
    /// The result of step i (0-based), if history() keeps it: recent steps, those around position(), and always the
    /// step before it. Throws std::out_of_range for others; seek() makes them again.
    const StepResult& result(uint64_t i) const { return history_[i]; }
    /// Survives going back, so that plots show the whole run. Copies share memory and are cheap.
    const History& history() const { return history_; }
    /// The number of results from the first on that are unchanged since the last call.
    uint64_t take_unchanged() { return std::exchange(unchanged_, UINT64_MAX); }

    /// One pass forward; false when done.
    bool step();
    /// Steps until a pass ends `level` or higher. `keep_going` (may be empty) is called after every pass. False:
    /// stopped by it, or the end came first.
    bool step_level(Level level, const std::function<bool()>& keep_going = {});
    /// Moves to step `target` (0 … known(), or beyond: runs until done). Going back replays from the nearest keyframe.
    /// `keep_going` (may be empty) is called after every pass; if it returns false, seek() stops there, consistent, and
    /// returns false; call it again to continue.
    bool seek(uint64_t target, const std::function<bool()>& keep_going = {});
    /// Runs to the end step by step, with history.
    bool run_to_end(const std::function<bool()>& keep_going = {}) { return seek(UINT64_MAX, keep_going); }
    /// Goes back one pass, iteration or round: to the latest earlier position at which a step ended `level` or higher,
    /// or to the start. False: stopped at some earlier position.
    bool back(Level level, const std::function<bool()>& keep_going = {});
    /// Moves to the last step of this round that hit a breakpoint, or else to its last step. Returns true without
    /// moving if the round is unknown.
    bool seek_round(uint32_t round, const std::function<bool()>& keep_going = {});
    /// Makes a manual edit or a change of parameters as a step of the timeline, which replays repeat. The
    /// history after this state is forgotten. Within an iteration it first steps to its end, unless the lab supports
    /// the edit at once. Throws Error for an impossible edit; only those steps then remain. An edit that continues a
    /// stroke or a drag is merged into the previous step if that is the same stroke and nothing has moved since;
    /// otherwise it begins a new one.
    ///
    /// The replaced future, with its edits, is kept for undo().
    void edit(const Edit& edit);
    /// Makes these edits by step() and seek() as they come to their places, which ascend; call after reset(). Another
    /// edit before them, or undo(), drops them. step() throws Error for one whose place is within an iteration, or
    /// after the end of the run, and for an edit that is impossible.
    void plan(std::vector<PlacedEdit> edits) { plan_ = std::move(edits); }
    /// Whether every edit on the timeline is one of the plan.
    bool follows_plan() const { return follows(edits_, plan_); }
    /// The number of edits on the whole timeline.
    size_t edit_count() const { return edits_.size(); }
    /// All edits by position: seek() to each position and edit() repeat them, in this order.
    const std::map<uint64_t, Edit>& edits() const { return edits_; }
    /// The kind of edit that undo() or redo() would affect; nullptr: none. Always nullptr without keyframes.
    const Edit::Kind* undoable() const { return undo_.empty() ? nullptr : &undo_.back().kind; }
    const Edit::Kind* redoable() const { return redo_.empty() ? nullptr : &redo_.back().kind; }
    /// Undoes the last edit: restores the timeline, its position and the replaced future. redo() restores the edit with
    /// its future; a new edit after undo() discards it. False: nothing to undo, or stopped by `keep_going` at some
    /// earlier position.
    bool undo(const std::function<bool()>& keep_going = {}) { return exchange(undo_, redo_, keep_going); }
    bool redo(const std::function<bool()>& keep_going = {}) { return exchange(redo_, undo_, keep_going); }
    static constexpr size_t kMostChanges = 256;  // undoable edits; fewer if they need too much memory

    /// Limits the host memory of keyframes, of which there are at most kMostKeyframes; they are thinned when necessary.
    /// The one at position 0 always stays, and so does the newest if two fit. A budget of 0 at reset() keeps none, for
    /// runs that never go back; seek() backwards then throws.
    void set_keyframe_budget(size_t bytes);
    /// Replaces the clock, in milliseconds, that times steps: for tests. Before the first reset().
    void set_clock(std::function<double()> now_ms) { now_ms_ = std::move(now_ms); }
    size_t keyframe_bytes() const { return keyframe_bytes_; }
    size_t keyframe_count() const { return keyframes_.size(); }
    static constexpr size_t kMostKeyframes = 1024;

  private:
    struct Keyframe {
        Snapshot snapshot;
        double at_ms;  // stepping time from position 0 to here
        History::Mark mark;
    };

    using Keyframes = std::map<uint64_t, Keyframe>;  // by position
    using Edits = std::map<uint64_t, Edit>;          // by the position they were made at
    /// An abandoned future of the run, which shares everything up to `fork`.
    struct Branch {
        History history;
        Edits edits;            // at the fork and after it
        Keyframes keyframes;    // after it
        uint64_t position = 0;  // its position
        size_t bytes() const;
    };
    struct Change {
        Edit::Kind kind;
        uint64_t fork = 0;
        Branch other;
    };
    using Changes = std::deque<Change>;

    bool exchange(Changes& from, Changes& to, const std::function<bool()>& keep_going);
    Branch branch(uint64_t fork, uint64_t position) const;
    Keyframes adopt_keyframes_after(uint64_t fork);
    void bound_branches();
    void forget_changes();
    bool continues(const Edit& edit) const;
    const PlacedEdit* next_planned() const;
    const PlacedEdit* planned_here() const;
    void make_planned();
    bool is_at_rest(const Edit& edit) const;
    void go_on(Edit edit);
    template <class Call>
    auto guarded(const Call& call, bool fails_unchanged = false);
    StepResult run_pass();
    StepResult make(const Edit& edit);
    StepResult execute(const Edit& edit);
    void remember(StepResult result);
    void forget_future();
    void forget_from(uint64_t position);
    void keep_frame_if_due(Level ended);
    void drop_passing_frame();
    void thin();
    void keep(Snapshot snapshot);
    Keyframes::iterator drop(Keyframes::iterator frame);
    void end_stroke();
    bool visit(uint64_t begin, uint64_t end, const std::function<void(uint64_t, const StepResult&)>& use,
               const std::function<bool()>& keep_going);
    void load_nearest(uint64_t target);
    void load(Keyframes::const_iterator frame);
    void interrupt();
    void invalidate();

    static double steady_ms();

    std::unique_ptr<Lab> lab_;
    std::function<double()> now_ms_ = steady_ms;
    History history_;
    Keyframes keyframes_;
    Edits edits_;                   // step i is edits_[i], or a pass
    std::vector<PlacedEdit> plan_;  // those of the run so far, and to come
    Changes undo_, redo_;           // stacks: the next one is at the back
    uint64_t unchanged_ = 0;
    size_t keyframe_bytes_ = 0;
    size_t budget_ = size_t(512) << 20;
    double at_ms_ = 0;        // stepping time from position 0 to here
    double interval_ms_ = 0;  // stepping time between keyframes; doubles with every thinning
    double saving_ms_ = 0;    // time of saving the last keyframe
    bool usable_ = false;
    bool interrupted_ = false;             // a step was cancelled, and there are keyframes
    std::optional<History::Mark> stroke_;  // the position of the last edit, if nothing followed it
};

}  // namespace flipscope
