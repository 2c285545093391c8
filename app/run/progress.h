// Reports the progress of a long run on stderr: nothing for the first second, then one line rewritten on a terminal, or
// a line every few seconds in a file. A separate thread writes it, so that a long pass, check or file is reported while
// it runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "compute/work.h"
#include "lab/lab.h"

namespace flipscope::app {

class Progress {
  public:
    /// Silent when `quiet`. meter() shows the work of the caller's thread within a WorkScope on it.
    explicit Progress(bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    WorkMeter& meter() { return meter_; }
    /// Starts a run and its clock. `total`: points of the input. `info` must outlive the run.
    void begin_run(const LabInfo& info, uint64_t total);
    void report(const StepResult& result);
    /// Clears the line for other output. It returns with the next step or long stage.
    void wipe();
    double elapsed_s() const;
    uint32_t round() const { return round_; }

  private:
    void tick();
    void write(const std::string& what);
    bool is_due() const;
    std::string counts(const StepResult& result) const;

    const std::vector<CounterInfo>* counters_ = nullptr;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), written_at_ = start_;
    size_t inserted_counter_ = 0;
    uint64_t inserted_ = 0, total_ = 0;
    uint32_t round_ = 0;
    bool quiet_, terminal_, written_ = false, ends_ = false;
    WorkMeter meter_;
    mutable std::mutex mutex_;  // guards all but the meter
    std::condition_variable end_;
    std::thread thread_;  // not started when quiet
};

}  // namespace flipscope::app
