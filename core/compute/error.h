// What the user did wrong, in one sentence meant for them: a bad file, an unknown name, a value out of range. Thrown by
// the readers, the writers and whatever parses user text; the program prints the message and carries on. Broken
// invariants of our own are not this type.
#pragma once

#include <stdexcept>
#include <string>

#include "compute/printable.h"

namespace flipscope {

/// Its sentence carries names and bytes of others, so it is made printable here, where no thrower can forget it.
struct Error : std::runtime_error {
    static constexpr size_t kMostBytes = 8192;  // a name of a megabyte makes no sentence
    explicit Error(std::string_view sentence) : std::runtime_error(printable_within(sentence, kMostBytes)) {}
};

}  // namespace flipscope
