// The report of a run without a window, its notes and errors. Each part of the run adds to it.
#pragma once

#include <string>

#include "app/run/report.h"

namespace flipscope::app {

struct RunOutcome {
    bool quiet = false;
    RunReport report = {};

    /// Into the report and onto standard error; once, though several pictures and files may say the same.
    void note(const std::string& text);
    /// A request that cannot be met; all else is done. Once.
    void add_error(const std::string& text);
    /// Throws Cancelled after Ctrl-C.
    void add_file(const std::string& file);
    /// All files; empty: none was written.
    std::string files() const;
    /// Whether the run was searched for a failing check, and has one.
    bool found_failure() const;
};

}  // namespace flipscope::app
