// A user error, in one sentence for the user: a bad file, an unknown name, a value out of range. Thrown by readers,
// writers and parsers; the program prints the message and continues. Broken invariants have other types.
#pragma once

#include <stdexcept>
#include <string>

#include "compute/printable.h"

namespace flipscope {

/// The message may contain arbitrary file names and bytes, so the constructor makes it printable.
struct Error : std::runtime_error {
    static constexpr size_t kMostBytes = 8192;  // a megabyte of a name would make the message unreadable
    explicit Error(std::string_view sentence) : std::runtime_error(printable_within(sentence, kMostBytes)) {}
};

}  // namespace flipscope
