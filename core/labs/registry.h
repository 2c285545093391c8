// Every algorithm of this build. A new one is one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "labs/lab.h"

namespace flipscope {

struct RegistryEntry {
    std::string id;
    std::function<std::unique_ptr<Lab>()> make;
};

const std::vector<RegistryEntry>& registry();
/// Throws Error naming the known ones.
std::unique_ptr<Lab> make_lab(const std::string& id);

}  // namespace flipscope
