// `flipscope shrink`: the fewest and simplest points that still show a failure of a lab or of another program, as a
// scenario that opens at the failure. The best so far is written again and again, so that ending it early loses
// nothing.
#pragma once

#include "app/options.h"

namespace flipscope::app {

/// Returns kSuccess when there is a result, kCheckFailed where the points do not fail at all. Throws Error for what
/// cannot be read or run. Ctrl-C ends it with the best so far, and is no failure then.
int run_shrink(const ShrinkCommandOptions& options);

/// A scenario with these points as hex floats: of a lab with its parameters, opened at its end, coloured by what is
/// measured. Points have no columns here, so a colour by one is left out.
std::string scenario_text(const std::string& lab, const std::vector<Setting>& parameters, std::span<const Point> points,
                          const std::string& title, const std::string& note,
                          const std::optional<Explored>& colour = {});

}  // namespace flipscope::app
