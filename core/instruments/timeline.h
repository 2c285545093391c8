// A timeline owns one algorithm and remembers how it got where it is: play, step by pass, iteration or round, run to
// the end, go back, drag anywhere. Going back is replaying from a keyframe, which repeatability makes exact. Its memory
// and the cost of a step are bounded, however long a run is: the history keeps recent steps exactly and sums up the
// rest, and keyframes are thinned. The window and the command line drive it; it knows neither.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "instruments/history.h"
#include "lab/lab.h"

namespace flipscope {

class Timeline {
  public:
    explicit Timeline(std::unique_ptr<Lab> algorithm) : lab_(std::move(algorithm)) {}

    /// Starts over. Throws what Lab::reset() throws; after an Error everything is as before.
    void reset(Context& context, std::shared_ptr<const Geometry> input);
    /// What the caller has loaded the lab with since is where it begins: position 0, and nothing is known of before.
    void begin_here();
    Lab& lab() { return *lab_; }
    const Lab& lab() const { return *lab_; }

    /// False before the first reset() and after a step threw (Cancelled, a failed device): then done() is true, nothing
    /// moves, and the algorithm must not be asked anything until recover() or the next reset().
    bool usable() const { return usable_; }
    /// Whether that was Cancelled, or the device was lost, and there is a keyframe to go back to. What was known still
    /// is then; after any other failure known() is 0.
    bool can_recover() const { return interrupted_; }
    /// Goes back to the last keyframe before the step that was cancelled. position() was before that step, and is that
    /// of the keyframe now. Cancelled once more, it can be asked again.
    void recover();
    /// After the device was lost, in a step or otherwise: goes on with `lab`, which is like the present one but was not
    /// reset, on another device, from the last keyframe before position(). Keyframes, edits, what is known and what can
    /// be undone lie in the host's memory, and stay. Throws std::logic_error where no keyframes are kept; else what
    /// Lab::reset() and recover() throw: then it can be asked again.
    void move_to(std::unique_ptr<Lab> lab, Context& context, std::shared_ptr<const Geometry> input);
    bool can_move() const { return !keyframes_.empty(); }

    /// Steps taken to get here; steps known (the right end of the timeline so far).
    uint64_t position() const { return history_.position(); }
    uint64_t known() const { return history_.size(); }
    bool done() const { return !usable_ || (lab_->done() && !edits_.contains(position())); }
    /// Of step i (0-based), which history() must still keep: the recent ones, those around position(), and always the
    /// one before it. Throws std::out_of_range for others: seek() there makes them again.
    const StepResult& result(uint64_t i) const { return history_[i]; }
    /// Survives going back, so plots are scrubbed along. A copy shares what it holds, so it costs little.
    const History& history() const { return history_; }
    /// How many results, from the first, are what they were when this was asked last.
    uint64_t take_unchanged() { return std::exchange(unchanged_, UINT64_MAX); }

    /// One pass forward; false when done.
    bool step();
    /// Passes forward until one ends `level` or more. `keep_going` (may be empty) is asked after every pass. True when
    /// such a pass ran; false when told to stop, or when the end came first.
    bool step_level(Level level, const std::function<bool()>& keep_going = {});
    /// To step `target` (0 … known(), or beyond: runs on until done). Replays from the nearest keyframe when it lies
    /// behind. `keep_going` (may be empty) is asked after every pass; when it says no, the seek run ends where it is,
    /// consistent, and returns false: call seek() again to go on.
    bool seek(uint64_t target, const std::function<bool()>& keep_going = {});
    /// The way finish() goes, but step by step and remembered.
    bool run_to_end(const std::function<bool()>& keep_going = {}) { return seek(UINT64_MAX, keep_going); }
    /// One pass, iteration or round back: to the latest position before this one at which a step had ended `level` or
    /// more; to the start when there is none. After a false it stands somewhere before where it was.
    bool back(Level level, const std::function<bool()>& keep_going = {});
    /// To where a step of this round was at the breakpoint, after the last such step; or else after its last step.
    /// Stays, and returns true, when no such round is known.
    bool seek_round(uint32_t round, const std::function<bool()>& keep_going = {});
    /// Changes the mesh by hand, or parameters during the run: as a step of its own, which going back and forth
    /// repeats. What was known of the time after this state is forgotten. In the middle of an iteration, steps to its
    /// end first, unless the algorithm takes it at once. Throws Error for what cannot be done; then everything is as
    /// before, but for those steps. An edit that goes on with a stroke or a drag becomes part of the step before it,
    /// where that is the same one and nothing has moved since (of which vertex it is, the step before says); else it
    /// begins another.
    ///
    /// What the edit takes the place of is kept: the time after this state with the edits in it, for undo().
    void edit(const Edit& edit);
    /// How many edits are on the timeline, before this state and after it.
    size_t edit_count() const { return edits_.size(); }
    /// The same, by the positions they were made at: edit() makes each of them again where seek() has gone to its
    /// position, in this order.
    const std::map<uint64_t, Edit>& edits() const { return edits_; }
    /// What undo() and redo() would take back and make again; nullptr: nothing. Where no keyframes are kept, never.
    const Edit::Kind* undoable() const { return undo_.empty() ? nullptr : &undo_.back().kind; }
    const Edit::Kind* redoable() const { return redo_.empty() ? nullptr : &redo_.back().kind; }
    /// Takes the edit that was made last back: the timeline becomes what it was before it, stands where it stood, and
    /// knows again what the edit had taken the place of. redo() brings the edit back, with all that was known after it.
    /// An edit made after undo() takes the place of what can be made again. False: there is nothing to take back, or
    /// `keep_going` said no on the way; then it stands somewhere before.
    bool undo(const std::function<bool()>& keep_going = {}) { return exchange(undo_, redo_, keep_going); }
    bool redo(const std::function<bool()>& keep_going = {}) { return exchange(redo_, undo_, keep_going); }
    static constexpr size_t kMostChanges = 256;  // that can be taken back; fewer where they need too much memory

    /// Keyframes live in host memory: at most this much of it, and at most kMostKeyframes, thinned when it gets tight.
    /// The one at position 0 always stays, and so does the newest where two fit. A budget of 0 at reset() keeps none at
    /// all: for runs that never go back, seek() backwards then throws.
    void set_keyframe_budget(size_t bytes);
    /// What tells how long steps take, in milliseconds from any moment on: the machine's steady clock, unless a test
    /// brings its own. Before the first reset().
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
    /// A run as it was when it was left for another one, which is the same up to `fork`.
    struct Branch {
        History history;
        Edits edits;            // at the fork and after it
        Keyframes keyframes;    // after it
        uint64_t position = 0;  // where it stood
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
    Keyframes take_keyframes_after(uint64_t fork);
    void bound_branches();
    void forget_changes();
    bool continues(const Edit& edit) const;
    void go_on(Edit edit);
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
    Edits edits_;          // step i is edits_[i], or a pass
    Changes undo_, redo_;  // what comes first is at the back
    uint64_t unchanged_ = 0;
    size_t keyframe_bytes_ = 0;
    size_t budget_ = size_t(512) << 20;
    double at_ms_ = 0;        // stepping time from position 0 to here
    double interval_ms_ = 0;  // of stepping between keyframes; doubles with every thinning
    double saving_ms_ = 0;    // what the last keyframe took
    bool usable_ = false;
    bool interrupted_ = false;             // a step was cancelled on its way, and there are keyframes
    std::optional<History::Mark> stroke_;  // the last thing done was an edit: where that was
};

}  // namespace flipscope
