// Named numbers to be saved for other programs: colours, labels, links.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace flipscope {

struct Array {
    enum class Type { kUint32, kInt64, kFloat32, kFloat64 } type = Type::kUint32;
    std::vector<size_t> shape;      // row-major
    std::vector<std::byte> values;  // product of the shape times the size of the type
};

/// Row-major; `type` is T's type, or the type of T's components.
template <class T>
Array make_array(Array::Type type, std::vector<size_t> shape, const std::vector<T>& values) {
    Array array{type, std::move(shape), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    array.values.assign(bytes, bytes + values.size() * sizeof(T));
    return array;
}

/// An array of a state where it lies, in host memory.
struct ArrayView {
    Array::Type type;
    std::vector<size_t> shape;  // row-major
    const void* data;           // valid until the state changes
};

}  // namespace flipscope
