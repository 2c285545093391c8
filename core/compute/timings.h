// The time of every labelled piece of work. Kernels on CPU threads are timed directly; kernels on CUDA by pairs of
// events that are read after they have completed, so that timing never waits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flipscope {

struct LabelTiming {
    std::string label;      // the name given to launch(): "flip.claim"
    uint64_t calls = 0;     // finished ones
    uint64_t elements = 0;  // summed over the calls; of launches sized on the device, their upper bound
    double last_ms = 0;
    double total_ms = 0;
};

class Timings {
  public:
    /// Index of `label` in rows(), made on first use. `label` is a literal: its text must never change.
    /// Equal texts share a row.
    size_t row(const char* label);
    void add(size_t row, double elapsed_ms, uint64_t elements);

    const std::vector<LabelTiming>& rows() const { return rows_; }
    double total_ms() const;
    void clear();

  private:
    std::vector<LabelTiming> rows_;
    std::vector<const char*> keys_;  // literals by address, to find a row without comparing texts
};

}  // namespace flipscope
