// Buffers, with their context and views as the library's own sources use them.
#pragma once

#include "compute/context.h"
#include "compute/view.h"
#include "flipscope/buffer.h"

namespace flipscope {

/// The elements of a view in host memory. Waits for the device.
template <class T>
std::vector<std::remove_const_t<T>> download(Context& context, View<T> from) {
    std::vector<std::remove_const_t<T>> values(from.count);
    if (from.count) context.copy(values.data(), from.data, from.count * sizeof(T));
    return values;
}

}  // namespace flipscope
