// `flipscope sheet`: every lab on its example input, as small pictures with titles and legends on one page. For a
// machine without a display, and for an overview.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// How many passes of a lab are run: those without an end of their own would go on for hours.
struct SheetLimits {
    uint64_t shown = 400;        // to find the one that shows most
    uint64_t checked = 100'000;  // to come to an end that --check can judge
};

/// Returns the exit status (options.h). What the user did wrong is thrown as Error; Ctrl-C is dealt with here. The file
/// appears complete or not at all. With --check, a lab that has not come to its end is told of, as a check that failed.
int draw_sheet(const SheetOptions& options, const SheetLimits& limits = {});

}  // namespace flipscope::app
