// ClearedWords: counters that kernels add to, that the host reads, and that restart from 0 again and again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "compute/buffer.h"

namespace flipscope {

/// Double-buffered: reading one half clears the other in the same CUDA kernel, so a restart rarely costs a launch.
class ClearedWords {
  public:
    explicit ClearedWords(std::string name) : words_(std::move(name)) {}

    /// Sets the size and clears all words.
    void resize(Context& context, size_t count) {
        context_ = &context;
        count_ = count;
        words_.fill(context, 2 * count, 0);
        half_ = 0;
        other_is_clear_ = true;
    }
    /// The words in use; valid until begin() or resize().
    View<uint64_t> view() const { return {words_.view().data + half_ * count_, count_}; }
    /// Restarts all words from 0.
    void begin() {
        const View<uint64_t> other = other_half();
        if (!other_is_clear_) context_->fill(other.data, 0, other.count * sizeof(uint64_t));
        half_ = 1 - half_;
        other_is_clear_ = false;
    }
    /// `count` words from `first` on. Waits.
    void read(uint64_t* to, size_t count, size_t first = 0) const {
        const uint64_t* const from = view().data + first;
        const View<uint64_t> other = other_half();
        context_->read_and_clear(to, from, count * sizeof(uint64_t), other.data,
                                 other_is_clear_ ? 0 : other.count * sizeof(uint64_t));
        other_is_clear_ = true;
    }

  private:
    View<uint64_t> other_half() const { return {words_.view().data + (1 - half_) * count_, count_}; }

    Context* context_ = nullptr;
    size_t count_ = 0, half_ = 0;
    Buffer<uint64_t> words_;
    mutable bool other_is_clear_ = true;
};

}  // namespace flipscope
