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
    /// Why the failure of this state cannot be shrunk; empty: it can be.
    std::string refusal() const;
    /// Starts a search with the input and the parameters of this run in place of the one before; replies why not.
    /// `asked`: what the points must go on to show, as ShrinkChoice::asked.
    void start(const std::string& asked);
    /// Opens the best points so far in their lab; replies where there are none.
    void open_best();
    /// Says once how the search has ended.
    void report_end();

  private:
    LabWorker& worker_;
    Opener& opener_;
    Shrinking search_;
    bool reported_ = true;
};

}  // namespace flipscope::app
