// How long every labelled piece of work took. Kernels on CPU threads are timed on the spot; kernels on CUDA by pairs of
// events that are read once they have passed, so that nothing waits for the sake of a number.
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
    std::vector<const char*> keys_;  // the pointers seen, to find a literal's row without comparing texts
};

}  // namespace flipscope
