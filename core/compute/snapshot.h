// The state of an algorithm as a list of blocks. Algorithms write and read snapshots; the timeline keeps them.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "compute/buffer.h"

namespace flipscope {

/// A copy of an algorithm's whole state in host memory, from which it can continue. Opaque to all but the algorithm.
struct Snapshot {
    std::vector<std::vector<std::byte>> blocks;
    size_t bytes() const {
        size_t sum = 0;
        for (const auto& block : blocks) sum += block.size();
        return sum;
    }
};

// Writing and reading blocks, from host memory and from buffers. Reading a block of the wrong size throws
// std::logic_error.
template <class T>
void put_values(Snapshot& snapshot, const T* values, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const std::byte*>(values);
    snapshot.blocks.emplace_back(bytes, bytes + count * sizeof(T));
}
template <class T>
void require_count(const Snapshot& snapshot, size_t index, size_t count) {
    const size_t bytes = snapshot.blocks.at(index).size();
    if (bytes % sizeof(T) == 0 && bytes / sizeof(T) == count) return;
    throw std::logic_error("a snapshot of another algorithm: block " + std::to_string(index) + " has " +
                           std::to_string(bytes) + " bytes, not " + std::to_string(count) + " times " +
                           std::to_string(sizeof(T)));
}
/// Exactly `count` values, as many as put_values() was given.
template <class T>
void load_values(const Snapshot& snapshot, size_t index, T* values, size_t count) {
    require_count<T>(snapshot, index, count);
    if (count) std::memcpy(values, snapshot.blocks[index].data(), count * sizeof(T));
}
/// The only value of a block.
template <class T>
T load_value(const Snapshot& snapshot, size_t index) {
    T value;
    load_values(snapshot, index, &value, 1);
    return value;
}
/// The state of a run, stored alone in block 0 of a snapshot of `blocks` blocks. `name`: of what, for the error.
template <class State>
State load_run_state(const Snapshot& snapshot, size_t blocks, const char* name) {
    if (snapshot.blocks.size() != blocks) throw std::logic_error(std::string("not a snapshot of ") + name);
    return load_value<State>(snapshot, 0);
}
/// Whether all numbers of a block are below `limit`, as indices must be.
template <class T>
void require_below(const Snapshot& snapshot, size_t index, uint64_t limit) {
    const std::vector<std::byte>& block = snapshot.blocks.at(index);
    T highest = 0;
    for (size_t at = 0; at + sizeof(T) <= block.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, block.data() + at, sizeof(T));
        highest = value > highest ? value : highest;
    }
    if (block.size() >= sizeof(T) && highest >= limit)
        throw std::logic_error("a snapshot of another algorithm: block " + std::to_string(index) + " has an index " +
                               std::to_string(highest) + " of " + std::to_string(limit));
}
/// All values of a block, however many there are.
template <class T>
std::vector<T> load_vector(const Snapshot& snapshot, size_t index) {
    const size_t bytes = snapshot.blocks.at(index).size();
    if (bytes % sizeof(T))
        throw std::logic_error("a snapshot of another algorithm: block " + std::to_string(index) + " has " +
                               std::to_string(bytes) + " bytes, no multiple of " + std::to_string(sizeof(T)));
    std::vector<T> values(bytes / sizeof(T));
    load_values(snapshot, index, values.data(), values.size());
    return values;
}
template <class T>
void put_block(Snapshot& snapshot, const Buffer<T>& buffer, size_t count) {
    std::vector<std::byte> block(count * sizeof(T));
    buffer.download(reinterpret_cast<T*>(block.data()), count);
    snapshot.blocks.push_back(std::move(block));
}
template <class T>
void require_fits(const Snapshot& snapshot, size_t index, const Buffer<T>& buffer) {
    if (snapshot.blocks.at(index).size() > buffer.size() * sizeof(T))
        throw std::logic_error("a snapshot of another input: too many " + buffer.name());
}
template <class T>
void load_block(Context& context, const Snapshot& snapshot, size_t index, Buffer<T>& buffer) {
    require_fits(snapshot, index, buffer);
    const std::vector<std::byte>& block = snapshot.blocks[index];
    if (!block.empty()) context.copy(buffer.view().data, block.data(), block.size());
}

}  // namespace flipscope
