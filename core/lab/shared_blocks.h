// A long sequence kept in blocks that copies of it share: a copy costs as much as there are blocks, whatever they hold.
// What is in a block that was shared is never written again, so a copy may be read on another thread while the original
// grows. The history of a run is made of these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace flipscope {

/// Values by index, for indices begin() … end() - 1. Added at the end, taken away at both ends.
template <class T, size_t kBlock>
class SharedBlocks {
  public:
    SharedBlocks() = default;
    /// Shares all blocks. The last one is then written by neither: the next addition makes it anew.
    SharedBlocks(const SharedBlocks& other)
        : blocks_(other.blocks_), first_(other.first_), begin_(other.begin_), end_(other.end_) {
        other.own_ = false;
    }
    SharedBlocks(SharedBlocks&& other) noexcept { swap(other); }
    SharedBlocks& operator=(SharedBlocks other) noexcept {
        swap(other);
        return *this;
    }

    uint64_t begin() const { return begin_; }
    uint64_t end() const { return end_; }
    uint64_t size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }
    size_t block_count() const { return blocks_.size(); }
    /// How many blocks are this one's, where each is divided among those that share it.
    double share_of_blocks() const {
        double share = 0;
        for (const auto& block : blocks_) share += 1 / static_cast<double>(std::max(block.use_count(), 1L));
        return share;
    }
    /// begin() <= i < end().
    const T& operator[](uint64_t i) const {
        const uint64_t at = i - first_;
        return (*blocks_[static_cast<size_t>(at / kBlock)])[static_cast<size_t>(at % kBlock)];
    }

    /// Empties it: the next one added is number `begin`.
    void restart(uint64_t begin) {
        blocks_.clear();
        first_ = begin_ = end_ = begin;
        own_ = false;
    }
    /// Returns how many values had to be copied, because the last block was shared: at most kBlock - 1.
    size_t push_back(T value) {
        const auto used = static_cast<size_t>((end_ - first_) % kBlock);
        size_t copied = 0;
        if (used == 0) {
            blocks_.push_back(std::make_shared<Block>());
            blocks_.back()->reserve(kBlock);
            own_ = true;
        } else if (!own_) {
            copied = make_own(used);
        }
        blocks_.back()->push_back(std::move(value));
        ++end_;
        return copied;
    }
    /// Keeps what is below `end`.
    void cut(uint64_t end) {
        if (end >= end_) return;
        end_ = std::max(end, begin_);
        const uint64_t count = end_ - first_;
        blocks_.resize(static_cast<size_t>((count + kBlock - 1) / kBlock));
        own_ = false;
        if (const auto used = static_cast<size_t>(count % kBlock)) make_own(used);
    }
    /// Lets go of the first block, when there are two at least. Returns how many values that were.
    size_t drop_first_block() {
        if (blocks_.size() < 2) return 0;
        const uint64_t next = first_ + kBlock;
        const auto dropped = static_cast<size_t>(next - begin_);
        blocks_.erase(blocks_.begin());
        first_ = begin_ = next;
        return dropped;
    }

  private:
    using Block = std::vector<T>;

    void swap(SharedBlocks& other) noexcept {
        std::swap(blocks_, other.blocks_);
        std::swap(first_, other.first_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
        std::swap(own_, other.own_);
    }
    /// The last block anew, with its first `used` values.
    size_t make_own(size_t used) {
        auto block = std::make_shared<Block>();
        block->reserve(kBlock);
        block->insert(block->end(), blocks_.back()->begin(), blocks_.back()->begin() + static_cast<ptrdiff_t>(used));
        blocks_.back() = std::move(block);
        own_ = true;
        return used;
    }

    std::vector<std::shared_ptr<Block>> blocks_;  // all full but the last
    uint64_t first_ = 0;                          // index of the first value of the first block
    uint64_t begin_ = 0, end_ = 0;
    mutable bool own_ = false;  // the last block is in no copy
};

}  // namespace flipscope
