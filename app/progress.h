// How far a long run is, on stderr: nothing for the first second, then one line that is rewritten on a terminal, or a
// line every few seconds where stderr is a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "labs/lab.h"

namespace flipscope::app {

class Progress {
  public:
    /// `total`: points of the input. Silent when `quiet`.
    Progress(const LabInfo& info, uint64_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void tell(const StepResult& result);
    /// Wipes the line, so that something else can be written.
    void wipe();
    double elapsed_s() const;
    uint32_t round() const { return round_; }

  private:
    std::string counts(const StepResult& result) const;
    const std::vector<CounterInfo>& counters_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), told_ = start_;
    size_t inserted_counter_;
    uint64_t inserted_ = 0, total_;
    uint32_t round_ = 0;
    bool quiet_, terminal_, written_ = false;
};

}  // namespace flipscope::app
