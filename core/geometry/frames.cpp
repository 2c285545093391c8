#include "geometry/frames.h"

#include <algorithm>
#include <utility>

namespace flipscope {

namespace {

template <class Number>
void flip(std::vector<Number>& values, size_t width, size_t height) {
    const auto row = static_cast<std::ptrdiff_t>(width);
    for (size_t frame = 0; frame < values.size(); frame += width * height)
        for (size_t low = 0, high = height - 1; low < high; ++low, --high) {
            const auto one = values.begin() + static_cast<std::ptrdiff_t>(frame + low * width),
                       other = values.begin() + static_cast<std::ptrdiff_t>(frame + high * width);
            std::swap_ranges(one, one + row, other);
        }
}

}  // namespace

void flip_rows(FieldStack& stack) {
    flip(stack.values, stack.width, stack.height);
    flip(stack.exact, stack.width, stack.height);
}

void append_frames(FieldStack& stack, FieldStack&& more) {
    if (stack.values.empty()) {
        more.name = std::move(stack.name);
        if (stack.interval > 0) more.interval = stack.interval;
        if (stack.pixel > 0) more.pixel = stack.pixel, more.unit = std::move(stack.unit);
        stack = std::move(more);
        return;
    }
    if (!stack.exact.empty() || !more.exact.empty()) {
        if (stack.exact.empty()) stack.exact.assign(stack.values.begin(), stack.values.end());
        if (more.exact.empty()) more.exact.assign(more.values.begin(), more.values.end());
        stack.exact.insert(stack.exact.end(), more.exact.begin(), more.exact.end());
    }
    stack.values.insert(stack.values.end(), more.values.begin(), more.values.end());
    if (more.whole != stack.whole) stack.whole = 0;
    stack.labels = stack.whole != 0 && stack.labels && more.labels;
}

}  // namespace flipscope
