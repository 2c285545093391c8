// A lab run to its end, with an exploration of its scene.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "instruments/exploration.h"
#include "instruments/selected_input.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "test_support.h"

namespace flipscope {

struct ExploringLab {
    Context context;
    std::unique_ptr<Lab> lab;
    Exploration exploration;
    std::shared_ptr<const Geometry> input;
    Scene scene;

    ExploringLab(const DeviceUnderTest& device, const std::string& id, std::shared_ptr<const Geometry> from,
                 const std::vector<Parameter>& parameters = {})
        : context(device.request, device.threads), lab(make_lab(id)), input(std::move(from)) {
        for (const Parameter& one : parameters) set_parameter(*lab, one.name, one.value);
        lab->reset(context, input);
        lab->finish({});
        exploration.set_input(input);
    }
    const Scene& show(ExplorationChoice choice) {
        exploration.choose(std::move(choice));
        scene = lab->scene();
        exploration.update(context, scene);
        exploration.apply(scene);
        return scene;
    }
    Geometry take(ExplorationChoice choice) {
        show(std::move(choice));
        return selected_input(exploration, scene, input.get());
    }
};

}  // namespace flipscope
