// Shrinks a failure of the present run: searches for the fewest points that still fail, reports the result, and opens
// these points. The search continues in the background when another run is opened.
#pragma once

#include <functional>
#include <string>

#include "app/session/lab_worker.h"
#include "app/session/opener.h"
#include "app/session/shrinking.h"

namespace flipscope::app {

class FailureShrinker {
  public:
    FailureShrinker(LabWorker& worker, Opener& opener, std::function<void()> wake)
        : worker_(worker), opener_(opener), search_(std::move(wake)) {}

    Shrinking& search() { return search_; }
    const Shrinking& search() const { return search_; }
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
