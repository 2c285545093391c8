// A long sequence in blocks that copies share: a copy costs time in proportion to the number of blocks. A shared block
// is never written again, so a copy may be read on another thread while the original grows. Used for the history of a
// run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace flipscope {

/// Values with indices begin() … end() - 1. Grows at the end, shrinks at both ends.
template <class T, size_t kBlock>
class SharedBlocks {
  public:
    SharedBlocks() = default;
    /// Shares all blocks. Neither copy then writes the last block; the next push_back() copies it first.
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
    /// The number of blocks, each divided by the number of sequences that share it.
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

    /// Clears the sequence; the next value gets the index `begin`.
    void restart(uint64_t begin) {
        blocks_.clear();
        first_ = begin_ = end_ = begin;
        own_ = false;
    }
    /// Returns the number of values copied because the last block was shared: at most kBlock - 1.
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
    /// Keeps the values below `end`.
    void cut(uint64_t end) {
        if (end >= end_) return;
        end_ = std::max(end, begin_);
        const uint64_t count = end_ - first_;
        blocks_.resize(static_cast<size_t>((count + kBlock - 1) / kBlock));
        own_ = false;
        if (const auto used = static_cast<size_t>(count % kBlock)) make_own(used);
    }
    /// Drops the first block if there are at least two. Returns the number of dropped values.
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
    /// Copies the first `used` values of the last block into a new block.
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
    mutable bool own_ = false;  // the last block is not shared
};

}  // namespace flipscope
