// The report of a run without a window, with its notes and errors. Every part of the run adds to it.
#pragma once

#include <algorithm>
#include <string>

#include "app/base/endings.h"
#include "app/run/report.h"
#include "compute/cancel.h"
#include "lab/parameters.h"

namespace flipscope::app {

struct RunOutcome {
    bool quiet = false;
    RunReport report = {};

    /// Adds a note to the report and prints it on stderr; only once, since several pictures and files may repeat it.
    void note(const std::string& text) {
        if (add_once(report.notes, text) && !quiet) tell(text);
    }
    /// Records a request that failed, once; the run continues.
    void add_error(const std::string& text) { add_once(report.errors, text); }
    /// Throws Cancelled after Ctrl-C.
    void add_file(const std::string& file) {
        report.written.push_back(file);
        throw_if_cancelled();
    }
    /// All files; empty: none.
    std::string files() const { return join_words(report.written, ", "); }
    /// Whether a search for a failing check found one.
    bool found_failure() const { return report.until && report.until->checks > 0 && !report.until->hit.empty(); }

  private:
    static bool add_once(std::vector<std::string>& list, const std::string& text) {
        if (std::ranges::find(list, text) != list.end()) return false;
        list.push_back(text);
        return true;
    }
};

}  // namespace flipscope::app
