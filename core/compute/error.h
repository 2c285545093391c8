// What the user did wrong, in one sentence meant for them: a bad file, an unknown name, a value out of range. Thrown by
// the readers, the writers and whatever parses user text; the program prints the message and carries on. Broken
// invariants of our own are not this type.
#pragma once

#include <stdexcept>

namespace flipscope {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flipscope
