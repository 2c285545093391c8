#include "app/commands/run_outcome.h"

#include <algorithm>

#include "app/base/endings.h"
#include "compute/cancel.h"

namespace flipscope::app {

namespace {

bool add_once(std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) != list.end()) return false;
    list.push_back(text);
    return true;
}

}  // namespace

void RunOutcome::note(const std::string& text) {
    if (add_once(report.notes, text) && !quiet) tell(text);
}

void RunOutcome::add_error(const std::string& text) { add_once(report.errors, text); }

void RunOutcome::add_file(const std::string& file) {
    report.written.push_back(file);
    throw_if_cancelled();
}

std::string RunOutcome::files() const {
    std::string all;
    for (const std::string& file : report.written) all += (all.empty() ? "" : ", ") + file;
    return all;
}

bool RunOutcome::found_failure() const {
    return report.until && report.until->checks > 0 && !report.until->hit.empty();
}

}  // namespace flipscope::app
