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
    SharedBlocks(const SharedBlocks& other) : blocks_(other.blocks_), begin_(other.begin_), end_(other.end_) {
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
        const uint64_t at = i - begin_;
        return (*blocks_[static_cast<size_t>(at / kBlock)])[static_cast<size_t>(at % kBlock)];
    }

    /// Clears the sequence; the next value gets the index `begin`.
    void restart(uint64_t begin) {
        blocks_.clear();
        begin_ = end_ = begin;
        own_ = false;
    }
    /// Copies the last block if it is shared.
    void push_back(T value) {
        const auto used = static_cast<size_t>(size() % kBlock);
        if (used == 0) {
            blocks_.push_back(std::make_shared<Block>());
            blocks_.back()->reserve(kBlock);
            own_ = true;
        } else if (!own_) {
            make_own(used);
        }
        blocks_.back()->push_back(std::move(value));
        ++end_;
    }
    /// Keeps the values below `end`.
    void cut(uint64_t end) {
        if (end >= end_) return;
        end_ = std::max(end, begin_);
        blocks_.resize(static_cast<size_t>((size() + kBlock - 1) / kBlock));
        own_ = false;
        if (const auto used = static_cast<size_t>(size() % kBlock)) make_own(used);
    }
    /// Drops the first block if there are at least two.
    void drop_first_block() {
        if (blocks_.size() < 2) return;
        blocks_.erase(blocks_.begin());
        begin_ += kBlock;
    }

  private:
    using Block = std::vector<T>;

    void swap(SharedBlocks& other) noexcept {
        std::swap(blocks_, other.blocks_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
        std::swap(own_, other.own_);
    }
    /// Copies the first `used` values of the last block into a new block.
    void make_own(size_t used) {
        auto block = std::make_shared<Block>();
        block->reserve(kBlock);
        block->insert(block->end(), blocks_.back()->begin(), blocks_.back()->begin() + static_cast<ptrdiff_t>(used));
        blocks_.back() = std::move(block);
        own_ = true;
    }

    std::vector<std::shared_ptr<Block>> blocks_;  // all full but the last
    uint64_t begin_ = 0, end_ = 0;
    mutable bool own_ = false;  // the last block is not shared
};

}  // namespace flipscope
