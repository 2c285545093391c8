// How labs make the arrays that they give away. Only labs include it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "labs/lab.h"

namespace flipscope {

/// Row-major; `type` is that of T, or of what T consists of.
template <class T>
Array make_array(Array::Type type, std::vector<size_t> shape, const std::vector<T>& values) {
    Array array{type, std::move(shape), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    array.values.assign(bytes, bytes + values.size() * sizeof(T));
    return array;
}

}  // namespace flipscope
