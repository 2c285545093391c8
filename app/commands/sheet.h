// `flipscope sheet`: every lab on its example input, as small pictures with titles and legends on one page, without a
// display.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// Returns the exit status (base/endings.h). Throws Error for the user's mistakes; handles Ctrl-C itself. The file
/// appears complete or not at all. --check runs each lab to its end.
int draw_sheet(const SheetOptions& options);

}  // namespace flipscope::app
