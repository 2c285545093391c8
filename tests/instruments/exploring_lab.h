// A lab run to its end, with an exploration of its scene and its measurements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instruments/element_tables.h"
#include "instruments/exploration.h"
#include "instruments/scene_statistics.h"
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
        scene = lab->scene();
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

struct MeasuredLab : ExploringLab {
    SceneStatistics statistics;

    MeasuredLab(const DeviceUnderTest& device, const std::string& id, std::shared_ptr<const Geometry> from,
                const std::vector<Parameter>& parameters = {}, const std::optional<StudyArea>& window = {})
        : ExploringLab(device, id, std::move(from), parameters) {
        statistics.measure(context, scene, {window, false, {}, nullptr, input});
        REQUIRE(!statistics.empty());
    }
    Table table(ElementTable which) const { return ElementTables(statistics, scene).table(which); }
};

inline void set_columns(Geometry& input, std::vector<Attribute> columns) {
    input.attributes = std::make_shared<const std::vector<Attribute>>(std::move(columns));
}

}  // namespace flipscope
