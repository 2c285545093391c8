// Shrinks a failure of the present run: searches for the fewest points that still fail, reports the result, and opens
// these points. The search continues in the background when another run is opened. Also the failures that the window
// offers to shrink, read off the state it shows, with the names of `flipscope shrink --fails`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/judging/failing.h"
#include "app/session/lab_model.h"
#include "app/session/lab_worker.h"
#include "app/session/opener.h"
#include "app/session/shrinking.h"

namespace flipscope::app {

struct ShrinkChoice {
    std::string criterion;  // for FailingLab: "check", "cycles", "differs", or the code of a failure
    std::string title;      // "the check fails": what fewer points must still show
    std::string sentence;   // its meaning, for this state if known
    bool shown = false;     // this state shows it; otherwise the search finds out
};

/// In the order of the list offered. Empty: this state has not failed.
std::vector<ShrinkChoice> shrink_choices(const LabModel& model);
/// Index of the first choice that this state shows; 0 if none.
size_t first_shown(const std::vector<ShrinkChoice>& choices);
/// Whether the run ended because flips cycle.
bool has_cycled(const LabModel& model);

class FailureShrinker {
  public:
    FailureShrinker(LabWorker& worker, Opener& opener, std::function<void()> wake)
        : worker_(worker), opener_(opener), search_(std::move(wake)) {}

    Shrinking& search() { return search_; }
    /// Why the failure of this state cannot be shrunk; empty if it can.
    std::string refusal() const;
    /// Starts a search with the input and parameters of this run, replacing an earlier search. Replies with the reason
    /// if it cannot. `criterion`: the failure to preserve, as ShrinkChoice::criterion.
    void start(const std::string& criterion);
    /// Opens the best points so far in their lab. Replies with a note if there are none.
    void open_best();
    /// Posts the outcome of the search once.
    void report_end();

  private:
    LabWorker& worker_;
    Opener& opener_;
    Shrinking search_;
    bool reported_ = true;
};

}  // namespace flipscope::app
