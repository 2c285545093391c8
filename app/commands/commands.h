// The commands of the program. A command is a file of this folder that declares, checks and runs it, and a line of the
// list in commands.cpp.
#pragma once

#include <functional>

#include "app/base/endings.h"

namespace CLI {
class App;
}

namespace flipscope::app {

/// Runs a command, and returns the exit status (base/endings.h). Throws Error for the user's mistakes.
using Execute = std::function<int()>;

/// Called after the parse: checks every value that can be checked without using a device, and returns what runs the
/// command, which must not refer to the CLI::App. Throws Error.
using Prepare = std::function<Execute()>;

/// The function of a command's file that declares its options.
using AddCommand = Prepare(CLI::App& app);

struct ParsedCommand {
    Execute run;            // empty: help or an error has been printed
    int status = kSuccess;  // exit status if `run` is empty
};

/// Prints help and version on stdout and errors on stderr. Throws Error for wrong values and an unreadable scenario.
ParsedCommand parse_options(int argc, char** argv);

}  // namespace flipscope::app
