// `flipscope sheet`: every lab on its example input, as small pictures with titles and legends on one page, without a
// display.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// Limits on a lab's passes: some labs never end.
struct SheetLimits {
    uint64_t shown = 400;        // to find the state that shows most
    uint64_t checked = 100'000;  // to reach an end for --check
};

/// Returns the exit status (options.h). Throws Error for the user's mistakes; handles Ctrl-C itself. The file appears
/// complete or not at all. With --check, a lab that has not reached its end counts as a failed check.
int draw_sheet(const SheetOptions& options, const SheetLimits& limits = {});

}  // namespace flipscope::app
