// `flipscope sheet`: every lab on its example input, as small pictures with titles and legends on one page. For a
// machine without a display, and for an overview.
#pragma once

#include "app/options.h"

namespace flipscope::app {

/// Returns the exit status (options.h). What the user did wrong is thrown as Error; Ctrl-C is dealt with here. The file
/// appears complete or not at all.
int draw_sheet(const SheetOptions& options);

}  // namespace flipscope::app
