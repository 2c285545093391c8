// Every lab of this build. A new one is one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

struct RegistryEntry {
    const char* group;  // the heading in lists of labs; those of one group stand together
    std::string id;
    const LabInfo& (*info)();  // no lab is made to be read about
    std::function<std::unique_ptr<Lab>()> make;
    bool (*takes)(Edit::Kind);  // as takes_edit() of such a lab, which is not made to be asked
};

const std::vector<RegistryEntry>& registry();
/// Both throw Error naming the known ones.
const LabInfo& lab_info(const std::string& id);
std::unique_ptr<Lab> make_lab(const std::string& id);

}  // namespace flipscope
