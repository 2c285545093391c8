// Where the timeline is to go, and how fast: play, step, back, seek. Playback decides on the window's thread; a SeekRun
// makes the passes on the worker's. Neither knows the window, nor what the lab computes.
#pragma once

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

/// How fast it plays: for panels and keys to change at any time.
struct Pace {
    double speed = 4;        // passes a second while playing
    bool unlimited = false;  // as many passes as the budget holds
    double budget_ms = 10;   // of a frame, for stepping
    double patience_ms = 0;  // what drawing a frame costs; long runs draw so rarely that it stays a small part
    bool pause_at_breakpoint = false;  // playing ends at a step at which something happened
};

struct Goal {
    enum class Kind { kPasses, kLevel, kSeek, kBack, kRound, kSamePass, kFailure } kind;
    uint64_t count = 0;  // passes, or the position, the round or the kind of pass to reach
    Level level = Level::kPass;
    bool paced = false;     // of playing: keeps within the budget
    std::string code = {};  // of kFailure: of what the check is to find; empty: of anything
    std::string check() const { return code.empty() ? "check fails" : "check finds " + code; }

    /// Whether it lies behind this position, or may.
    bool goes_back_from(uint64_t position) const {
        return (kind == Kind::kSeek && count < position) || kind == Kind::kBack || kind == Kind::kRound ||
               kind == Kind::kFailure;
    }
};

/// Where the timeline stands, as far as the window knows.
struct PlaybackState {
    bool loaded = false;  // there is something to step
    uint64_t position = 0;
    bool done = false;
};

/// Passes towards one goal, until it is reached, time is up or the link says stop.
class SeekRun {
  public:
    /// `limit_ms`: after the first pass that ends later it goes no further; `stops_at_hits`: nor after a notable one;
    /// `stops`: nor after one at which one of these is hit.
    SeekRun(const Goal& goal, double limit_ms, bool stops_at_hits, std::vector<Breakpoint> stops = {})
        : goal_(goal), limit_ms_(limit_ms), stops_at_hits_(stops_at_hits), stops_(std::move(stops)) {}

    /// On the worker's thread.
    void make(Timeline& timeline, JobLink& link);

    // Once it is over.
    const Goal& goal() const { return goal_; }
    bool reached() const { return reached_; }
    bool paused() const { return paused_; }  // at a step that hits a breakpoint, or must stop playing
    /// What is to be said of where it stands: "Stopped after pass 12: illegal is 90."; or empty.
    const std::string& why() const { return why_; }
    bool found_failure() const { return found_failure_; }  // it stands after the pass that was looked for

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
    /// Neither playing nor on the way anywhere.
    bool at_rest() const { return !playing_ && !goal_; }
    const std::optional<Goal>& goal() const { return goal_; }
    /// On the way somewhere, other than by playing.
    bool is_seeking() const { return goal_ && !goal_->paced; }

    // The next two take over where a seek run under way stands.
    /// At the end playing starts from the beginning; with nothing to play it does not start.
    void play(bool on, const PlaybackState& at);
    void go(const Goal& goal);
    void step(Level level) { go({Goal::Kind::kLevel, 0, level}); }
    /// On to the next pass of this kind, an index into LabInfo::passes.
    void step_to(uint32_t pass) { go({Goal::Kind::kSamePass, pass}); }
    void back(Level level, const PlaybackState& at, const History& history);
    void seek(uint64_t position) { go({Goal::Kind::kSeek, position}); }
    void run_to_end() { seek(UINT64_MAX); }
    void seek_round(uint64_t round) { go({Goal::Kind::kRound, round}); }
    /// To the first of the steps that are known after which the check fails, or finds this kind of failure.
    void find_failure(const std::string& code = "") { go({Goal::Kind::kFailure, 0, Level::kPass, false, code}); }
    /// Playing ends; a seek run goes on.
    void pause() { playing_ = false; }
    /// Ends playing, and a seek run under way where it stands, for another command.
    void stop_playback();
    /// The same, but leaves a seek run under way alone.
    void drop();

    /// Time goes by: playing owes passes, never more than a second's worth. `free`: a seek run could start now.
    void tick(double elapsed_s, const Pace& pace, bool free);
    /// The seek run to start now; nullptr: there is no goal, or nothing is left to do for it, and playing ends. Until
    /// end_seek_run() the goal is the seek run's. `stops`: where playing stops.
    std::shared_ptr<SeekRun> begin_seek_run(const PlaybackState& at, const Pace& pace,
                                            std::vector<Breakpoint> stops = {});
    /// The seek run is over. What is left of the way is the goal again, unless another has taken its place.
    void end_seek_run(const SeekRun& seek_run, bool done);

  private:
    JobLink& link_;
    bool playing_ = false;
    double due_ = 0;  // passes that playing owes
    std::optional<Goal> goal_;
};

}  // namespace flipscope::app
