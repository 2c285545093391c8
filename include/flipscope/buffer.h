// Typed memory on the context's device, for points and results that stay there.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/view.h"

namespace flipscope {

/// One block of memory that kernels can write. Destructors report failures, never throw.
class Memory {
  public:
    virtual ~Memory() = default;
    /// The address for kernels. In shared memory it is valid for one lease (one frame): never store it. Throws
    /// std::logic_error if the lease is not held.
    virtual void* data() = 0;
    size_t bytes() const { return bytes_; }

  protected:
    explicit Memory(size_t bytes) : bytes_(bytes) {}
    size_t bytes_;
};

/// The place of a buffer's memory: kPrivate on the device; kDrawn shared with OpenGL, if the context has such memory;
/// kHost on the host: the device copies into it, and no kernel writes it; kTemporary on the device, for use within one
/// call, possibly in scratch memory.
enum class Residence { kPrivate, kDrawn, kHost, kTemporary };

/// An array on the device. Growing keeps the contents, and moves them: take a new view() for every launch.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::string name, Residence residence = Residence::kPrivate)
        : name_(std::move(name)), residence_(residence) {}

    const std::string& name() const { return name_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Sets the size; new elements are not initialised. `keep` false: the old elements may be lost, which saves a copy.
    void resize(Context& context, size_t size, bool keep = true) {
        context_ = &context;
        if (memory_ && size * sizeof(T) <= memory_->bytes()) {
            size_ = size;
            return;
        }
        std::unique_ptr<Memory> grown;
        if (!keep) memory_.reset();
        grown = context.allocate(name_, std::max<size_t>(size * sizeof(T), 16), residence_);
        if (keep && memory_ && size_) context.copy(grown->data(), memory_->data(), size_ * sizeof(T));
        memory_ = std::move(grown);
        size_ = size;
    }
    void release() {
        memory_.reset();
        size_ = 0;
    }

    Residence residence() const { return residence_; }
    /// Exchanges the elements, not the names, with a buffer of the same context and residence. Throws std::logic_error
    /// for drawn buffers.
    void swap_memory(Buffer& other) {
        if (residence_ != other.residence_ || residence_ == Residence::kDrawn)
            throw std::logic_error("memory of " + name_ + " and " + other.name_ +
                                   " cannot be exchanged: one is drawn, or passes sooner");
        memory_.swap(other.memory_);
        std::swap(size_, other.size_);
        std::swap(context_, other.context_);
    }

    View<T> view() const { return {static_cast<T*>(memory_ ? memory_->data() : nullptr), size_}; }
    View<T> view(size_t count) const { return {static_cast<T*>(memory_ ? memory_->data() : nullptr), count}; }
    /// The memory that the renderer draws from; nullptr before the first resize().
    Memory* memory() const { return memory_.get(); }

    void upload(Context& context, const T* from, size_t count) {
        resize(context, count, false);
        if (count) context.copy(memory_->data(), from, count * sizeof(T));
    }
    void download(T* to, size_t count, size_t first = 0) const {
        if (count == 0) return;
        const T* const from = static_cast<const T*>(memory_->data()) + first;
        const size_t bytes = count * sizeof(T);
        if (bytes > kSmall)
            context_->copy(to, from, bytes);
        else
            std::memcpy(to, context_->read_back(from, bytes), bytes);
    }
    /// The first `count` elements in host memory, valid until the next read_back() or download() of any buffer. Waits.
    /// See Context::read_back().
    const T* read_back(size_t count) const {
        return count ? static_cast<const T*>(context_->read_back(memory_->data(), count * sizeof(T))) : nullptr;
    }
    /// Elements [first, first + count). Waits for the device.
    std::vector<T> download(size_t count, size_t first = 0) const {
        std::vector<T> values(count);
        download(values.data(), count, first);
        return values;
    }
    std::vector<T> download() const { return download(size_); }
    T read(size_t i) const {
        T value;
        download(&value, 1, i);
        return value;
    }
    void write(size_t i, const T& value) { context_->copy(static_cast<T*>(memory_->data()) + i, &value, sizeof(T)); }
    /// Resizes to `count` elements, and sets all their bytes.
    void fill(Context& context, size_t count, int byte) {
        resize(context, count, false);
        fill_bytes(byte);
    }
    void fill_bytes(int byte) {
        if (size_) context_->fill(memory_->data(), byte, size_ * sizeof(T));
    }

  private:
    static constexpr size_t kSmall =
        65536;  // bytes: below this, two copies through pinned memory beat one to pageable memory
    std::string name_;
    Residence residence_ = Residence::kPrivate;
    std::unique_ptr<Memory> memory_;
    size_t size_ = 0;
    Context* context_ = nullptr;
};

}  // namespace flipscope
