// The report of a run without a window, with its notes and errors. Every part of the run adds to it.
#pragma once

#include <string>

#include "app/run/report.h"

namespace flipscope::app {

struct RunOutcome {
    bool quiet = false;
    RunReport report = {};

    /// Adds a note to the report and prints it on stderr; only once, since several pictures and files may repeat it.
    void note(const std::string& text);
    /// Records a request that failed, once; the run continues.
    void add_error(const std::string& text);
    /// Throws Cancelled after Ctrl-C.
    void add_file(const std::string& file);
    /// All files; empty: none.
    std::string files() const;
    /// Whether a search for a failing check found one.
    bool found_failure() const;
};

}  // namespace flipscope::app
