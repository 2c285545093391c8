// How far a long run is, on stderr: nothing for the first second, then one line that is rewritten on a terminal, or a
// line every few seconds where stderr is a file. A thread of its own writes it, so that a pass, a check or a file that
// takes long is told of on its way and not when it is over.
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
    /// Silent when `quiet`. What the thread of the caller does is told to meter(), where it has a WorkScope of it.
    explicit Progress(bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    WorkMeter& meter() { return meter_; }
    /// A run begins, and time is counted from here on. `total`: points of the input. `info` must live as long.
    void begin_run(const LabInfo& info, uint64_t total);
    void tell(const StepResult& result);
    /// Wipes the line, so that something else can be written. It comes back with a step, or with a stage of the work
    /// that lasts.
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
    mutable std::mutex mutex_;  // of all but the meter
    std::condition_variable end_;
    std::thread thread_;  // none when quiet
};

}  // namespace flipscope::app
