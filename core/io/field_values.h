// Fills a field with a file's numbers. Only the readers in this folder include it.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"
#include "geometry/frames.h"
#include "geometry/label_image.h"
#include "geometry/places.h"

namespace flipscope::io {

/// Sets values, exact, whole and labels of a stack with this width and height from number(frame, row, column). Throws
/// Error: "foam.npy: frame 3, row 5, column 7 is nan, not a finite number"; the frame only with `names_frames`.
template <class Number>
void set_values(FieldStack& stack, uint64_t frames, bool names_frames, const std::string& file, const Number& number) {
    const uint64_t count = frames * stack.width * stack.height;
    stack.values.reserve(count);
    CancelPoll poll;
    bool is_rounded = false, is_whole = true;
    for (uint64_t t = 0; t < frames; ++t) {
        for (uint64_t row = 0; row < stack.height; ++row) {
            for (uint64_t column = 0; column < stack.width; ++column) {
                poll();
                const double value = number(t, row, column);
                const float kept = static_cast<float>(value);
                if (!std::isfinite(kept))
                    throw Error(file + ": " + (names_frames ? "frame " + std::to_string(t) + ", " : "") + "row " +
                                std::to_string(row) + ", column " + std::to_string(column) + " is " +
                                format_exactly(value) +
                                (std::isfinite(value) ? ", too large for a float" : ", not a finite number"));
                if (!is_rounded && static_cast<double>(kept) != value) {
                    is_rounded = true;
                    stack.exact.reserve(count);
                    stack.exact.assign(stack.values.begin(), stack.values.end());
                }
                if (is_rounded) stack.exact.push_back(value);
                stack.values.push_back(kept);
                is_whole = is_whole && value >= 0 && value <= 0x1p53 && value == std::floor(value);
            }
        }
    }
    if (is_whole) stack.whole = 1;
    stack.labels = looks_like_labels(stack);
}

}  // namespace flipscope::io
