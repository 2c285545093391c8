// Movement along the timeline: play, step, back, seek, and the speed. Playback decides on the window's thread; a
// SeekRun makes the passes on the worker's. Neither depends on the window or on the kind of lab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/job.h"
#include "instruments/breakpoint.h"
#include "instruments/timeline.h"

namespace flipscope::app {

/// The speed of playback, which panels and keys may change at any time.
struct Pace {
    double speed = 4;        // passes per second while playing
    bool unlimited = false;  // as many passes as fit the budget
    double budget_ms = 10;   // per frame, for stepping
    double patience_ms = 0;  // cost of drawing a frame; long runs draw rarely, so that drawing stays a small part
    bool pause_at_breakpoint = false;  // stop playing at a breakpoint hit
};

struct Goal {
    enum class Kind { kPasses, kLevel, kSeek, kBack, kRound, kSamePass, kFailure } kind;
    uint64_t count = 0;  // number of passes, or the position, round or kind of pass to reach
    Level level = Level::kPass;
    bool paced = false;     // of playing: keep within the budget
    std::string code = {};  // kFailure: code of the failure to find; empty: any
    std::string check() const { return code.empty() ? "check fails" : "check finds " + code; }

    /// Whether the goal lies, or may lie, behind this position.
    bool goes_back_from(uint64_t position) const {
        return (kind == Kind::kSeek && count < position) || kind == Kind::kBack || kind == Kind::kRound ||
               kind == Kind::kFailure;
    }
};

/// The state of the timeline known to the window.
struct PlaybackState {
    bool loaded = false;  // there is a run to step
    uint64_t position = 0;
    bool done = false;
};

/// Makes passes towards one goal until it is reached, time is up or the link asks to stop.
class SeekRun {
  public:
    /// Stops after the first pass that ends later than `limit_ms`, with `stops_at_hits` after a breakpoint hit, and
    /// where one of `stops` is hit.
    SeekRun(const Goal& goal, double limit_ms, bool stops_at_hits, std::vector<Breakpoint> stops = {})
        : goal_(goal), limit_ms_(limit_ms), stops_at_hits_(stops_at_hits), stops_(std::move(stops)) {}

    /// On the worker's thread.
    void make(Timeline& timeline, JobLink& link);

    // After make().
    const Goal& goal() const { return goal_; }
    bool reached() const { return reached_; }
    bool paused() const { return paused_; }  // at a breakpoint hit, or a step that must stop playing
    /// A sentence on the place: "Stopped after pass 12: illegal is 90."; or empty.
    const std::string& why() const { return why_; }
    bool found_failure() const { return found_failure_; }  // the pass before the position is the one sought

  private:
    bool stops_at(const Timeline& timeline);
    void find_failure(Timeline& timeline, JobLink& link);

    Goal goal_;
    double limit_ms_;
    bool stops_at_hits_, reached_ = false, paused_ = false, found_failure_ = false;
    std::vector<Breakpoint> stops_;
    std::string why_;
};

class Playback {
  public:
    explicit Playback(JobLink& link) : link_(link) {}

    bool playing() const { return playing_; }
    /// Neither playing nor seeking.
    bool at_rest() const { return !playing_ && !goal_; }
    const std::optional<Goal>& goal() const { return goal_; }
    /// Seeking, not playing.
    bool is_seeking() const { return goal_ && !goal_->paced; }

    // The next two replace a running seek where it stands.
    /// At the end, playing restarts from the beginning. Without passes it does not start.
    void play(bool on, const PlaybackState& at);
    void go(const Goal& goal);
    void step(Level level) { go({Goal::Kind::kLevel, 0, level}); }
    /// Goes to the next pass of this kind, an index into LabInfo::passes.
    void step_to(uint32_t pass) { go({Goal::Kind::kSamePass, pass}); }
    void back(Level level, const PlaybackState& at, const History& history);
    void seek(uint64_t position) { go({Goal::Kind::kSeek, position}); }
    void run_to_end() { seek(UINT64_MAX); }
    void seek_round(uint64_t round) { go({Goal::Kind::kRound, round}); }
    /// Goes to the first known step after which the check fails, or finds this kind of failure.
    void find_failure(const std::string& code = "") { go({Goal::Kind::kFailure, 0, Level::kPass, false, code}); }
    /// Stops playing but not a seek.
    void pause() { playing_ = false; }
    /// Stops playing and a running seek where it stands, for another command.
    void stop_playback();
    /// Stops playing and drops the goal, but not a running seek.
    void drop();

    /// Adds the passes due after `elapsed_s`, never more than a second's worth. `free`: a seek run could start now.
    void tick(double elapsed_s, const Pace& pace, bool free);
    /// The seek run to start now; nullptr without a goal, or at the end, where playing stops. It owns the goal until
    /// end_seek_run(). `stops`: breakpoints for playing.
    std::shared_ptr<SeekRun> begin_seek_run(const PlaybackState& at, const Pace& pace,
                                            std::vector<Breakpoint> stops = {});
    /// Ends the seek run. The rest of the way becomes the goal again unless another goal was set.
    void end_seek_run(const SeekRun& seek_run, bool done);

  private:
    JobLink& link_;
    bool playing_ = false;
    double due_ = 0;  // passes due
    std::optional<Goal> goal_;
};

/// The user's breakpoints. Each can be switched off; those unknown to the present lab are kept for other labs. The
/// session passes the active ones to a seek run; the transport lists them.
class Stops {
  public:
    struct Stop {
        std::string text;  // as read by Breakpoint::parse()
        bool on = true;
    };

    const std::vector<Stop>& all() const { return all_; }
    /// Adds a breakpoint, or switches a listed one on. Throws Error if this kind of lab cannot parse it.
    void add(const std::string& text, const LabInfo& info);
    /// Replaces a listed breakpoint. After an Error it is unchanged.
    void change(size_t index, const std::string& text, const LabInfo& info);
    void switch_to(size_t index, bool on) { all_.at(index).on = on; }
    void remove(size_t index) { all_.erase(all_.begin() + static_cast<ptrdiff_t>(index)); }
    /// Why this kind of lab does not stop there; empty if it does.
    static std::string refusal(const Stop& stop, const LabInfo& info);
    /// The breakpoints that are on and apply to this kind of lab.
    std::vector<Breakpoint> active(const LabInfo& info) const;

  private:
    std::vector<Stop> all_;
};

}  // namespace flipscope::app
