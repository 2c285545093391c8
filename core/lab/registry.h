// Every lab of this build. A new one needs its function in labs/labs.h and a line in labs/registry.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

struct RegistryEntry {
    const char* group;  // heading in lists of labs; labs of one group are adjacent
    std::unique_ptr<Lab> (*make)();
    const LabInfo* made = &make()->info();
    std::string id = made->id;
    const LabInfo& info() const { return *made; }
};

const std::vector<RegistryEntry>& registry();
/// Both throw Error, which lists the known labs.
const LabInfo& lab_info(const std::string& id);
std::unique_ptr<Lab> make_lab(const std::string& id);

}  // namespace flipscope
