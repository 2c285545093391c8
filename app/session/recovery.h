// Decides what happens to the run after a job threw: whether it continues, is suspended until the lab has recovered, or
// is lost; the message; and the next action. The decision depends on the exception and the kind of job, never on texts.
#pragma once

#include <exception>
#include <string>

#include "app/session/job.h"
#include "app/session/messages.h"
#include "instruments/timeline.h"

namespace flipscope::app {

class Recovery {
  public:
    /// `most_retracing_s`: limit, in seconds, on repeating passes from a keyframe to the previous position.
    explicit Recovery(double most_retracing_s = 1) : most_retracing_s_(most_retracing_s) {}

    /// The job and the state after it.
    struct Failure {
        Task task;
        std::string title;
        bool usable = false;       // Timeline::usable()
        bool interrupted = false;  // Timeline::can_recover()
        bool has_input = false;    // there is an input to start over with
        bool can_move = false;     // Timeline::can_move()
    };
    struct Verdict {
        /// The run continues; its lab must recover before it may be queried; or the run is lost.
        enum class Run { kGoesOn, kSuspended, kLost } run = Run::kGoesOn;
        Message::Kind kind = Message::Kind::kError;
        std::string text = {};         // empty: no message, or not yet
        bool refused_step = false;     // a step or edit was refused; earlier ones may have succeeded
        bool abandons_drafts = false;  // discard parameter drafts
        bool device_lost = false;      // see flipscope/error.h
    };
    /// `thrown`: as returned by Worker::collect().
    Verdict judge(const std::exception_ptr& thrown, const Failure& failure);

    /// kMove: move the timeline to another device; kOpenAgain: repeat the opening there.
    enum class Next { kNothing, kGoBack, kStartOver, kMove, kOpenAgain };
    Next next() const { return next_; }
    /// The next action has started.
    void begin() { next_ = Next::kNothing; }

    // For Next::kGoBack.

    /// Whether go_back() also returns to the previous position. Only then can it be cancelled.
    bool retraces() const { return retraces_; }
    /// Goes back to the last keyframe and then forward towards the previous position, within the time limit. On the
    /// worker's thread.
    void go_back(Timeline& timeline, JobLink& link) const;
    /// "Running on was cancelled in the middle of a pass: back after pass 12, round 3; passes up to 40 stay known".
    /// `last`: the last step; nullptr at the start.
    std::string outcome(uint64_t position, uint64_t known, const StepResult* last) const;

  private:
    double most_retracing_s_;
    Next next_ = Next::kNothing;
    std::string cancelled_;  // title of the job cancelled in the middle of a pass
    bool retraces_ = false;
};

}  // namespace flipscope::app
