// Makes an object that this machine may lack, such as an OpenGL context, or skips the test.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "test_support.h"

namespace flipscope {

/// nullptr after skip(), if its constructor throws.
template <class Made, class... Arguments>
std::unique_ptr<Made> made_or_skip(Arguments&&... arguments) {
    try {
        return std::make_unique<Made>(std::forward<Arguments>(arguments)...);
    } catch (const std::exception& error) {
        skip(error.what());
        return nullptr;
    }
}

}  // namespace flipscope
