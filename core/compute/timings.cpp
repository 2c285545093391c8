#include "compute/timings.h"

namespace flipscope {

size_t Timings::row(const char* label) {
    for (size_t i = 0; i < keys_.size(); ++i)
        if (keys_[i] == label) return i;
    for (size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].label == label) return i;
    rows_.push_back({label});
    keys_.push_back(label);
    return rows_.size() - 1;
}

void Timings::add(size_t row, double elapsed_ms, uint64_t elements) {
    if (row >= rows_.size()) return;  // cleared while a CUDA event was under way
    LabelTiming& timing = rows_[row];
    ++timing.calls;
    timing.elements += elements;
    timing.last_ms = elapsed_ms;
    timing.total_ms += elapsed_ms;
}

double Timings::total_ms() const {
    double sum = 0;
    for (const LabelTiming& timing : rows_) sum += timing.total_ms;
    return sum;
}

void Timings::clear() {
    for (LabelTiming& timing : rows_) timing = {timing.label};  // rows keep their place: events may be under way
}

}  // namespace flipscope
