// Every algorithm of this build. A new one is one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "labs/algorithm.h"

namespace flipscope {

struct RegistryEntry {
    std::string id;
    std::function<std::unique_ptr<Algorithm>()> make;
};

const std::vector<RegistryEntry>& registry();
/// Throws Error naming the known ones.
std::unique_ptr<Algorithm> make_algorithm(const std::string& id);

}  // namespace flipscope
