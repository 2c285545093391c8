// What becomes of the run when a job ends with an exception: whether it goes on, waits for the lab to be made whole
// again, or is lost; what is said of it; and what has to be done next. Decides by what was thrown and by what the job
// was, never by its words.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "app/session/job.h"
#include "app/session/messages.h"
#include "instruments/timeline.h"

namespace flipscope::app {

class Recovery {
  public:
    /// `most_retracing_s`: seconds of passes made once more, from a keyframe to where the run was.
    explicit Recovery(double most_retracing_s = 1) : most_retracing_s_(most_retracing_s) {}

    /// The job, and what it has left behind.
    struct Failure {
        Task task;
        std::string title;
        bool usable = false;       // Timeline::usable()
        bool interrupted = false;  // Timeline::can_recover()
        bool has_input = false;    // there is one to start over with
        bool can_move = false;     // Timeline::can_move()
    };
    struct Verdict {
        /// It goes on; its lab must be made whole again, and may not be asked until then; or it is lost.
        enum class Run { kGoesOn, kSuspended, kLost } run = Run::kGoesOn;
        Message::Kind kind = Message::Kind::kError;
        std::string text = {};         // empty: nothing is to be said, or not yet
        bool refused_step = false;     // a step or an edit was refused: others may have been taken before it
        bool abandons_drafts = false;  // parameters are again what they were
        bool device_lost = false;      // compute/device_lost.h
    };
    /// Of what worker.collect() returned.
    Verdict judge(const std::exception_ptr& thrown, const Failure& failure);

    /// kMove: the timeline goes on on another device; kOpenAgain: what was being opened is, there.
    enum class Next { kNothing, kGoBack, kStartOver, kMove, kOpenAgain };
    Next next() const { return next_; }
    /// It is being done.
    void begin() { next_ = Next::kNothing; }

    // ---- Next::kGoBack

    /// Whether it goes on to where the run was, which may be ended at any time; if not, it cannot be.
    bool retraces() const { return retraces_; }
    /// To the last keyframe, and on to where the run was as far as that does not take long. On the worker's thread.
    void go_back(Timeline& timeline, JobLink& link) const;
    /// "Running on was cancelled in the middle of a pass: back after pass 12, round 3; passes up to 40 stay known".
    /// `last`: the step before this position; nullptr at the start.
    std::string outcome(uint64_t position, uint64_t known, const StepResult* last) const;

  private:
    double most_retracing_s_;
    Next next_ = Next::kNothing;
    std::string cancelled_;  // title of the job that was cancelled in the middle of a pass
    bool retraces_ = false;
};

}  // namespace flipscope::app
