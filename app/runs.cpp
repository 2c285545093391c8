#include "app/runs.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include <utility>

#include "app/endings.h"
#include "compute/error.h"

namespace flipscope::app {

PreparedRun prepare_run(Scenario scenario, const std::optional<uint32_t>& block_size) {
    if (!scenario.lab.empty()) make_scenario_lab(scenario);
    PreparedRun run{std::move(scenario), {}, nullptr};
    run.input = load_input(run.scenario);
    settle_lab(run.scenario, run.input);
    if (block_size) add_block_size(run.scenario, *block_size);
    run.lab = make_scenario_lab(run.scenario);
    if (std::string told = told_of(run.scenario); !told.empty()) run.input.notes.push_back(std::move(told));
    return run;
}

std::unique_ptr<Context> open_device(DeviceRequest device, int threads, const std::optional<uint32_t>& block_size) {
    auto context = demand([&] { return std::make_unique<Context>(device, threads); });
    if (block_size) context->set_block_size(*block_size);
    return context;
}

CheckReport check_of(const Lab& lab) {
    if (const auto* checkable = find_facet<Checkable>(lab)) return checkable->check();
    CheckReport report;
    report.checked = report.passed = false;
    report.sentence = "the " + lab.info().title + " has no check";
    return report;
}

void require_check(const Lab& lab, const std::string& asked) {
    if (!find_facet<Checkable>(lab)) throw Error(asked + ": the " + lab.info().title + " has no check; run it without");
}

bool is_exact(const Lab& lab) {
    const auto* checkable = find_facet<Checkable>(lab);
    return !checkable || checkable->is_exact();
}

bool end_needs_check(const Lab& lab) { return !is_exact(lab) && lab.done(); }

Report statistics_of(const Lab& lab) {
    const auto* measurable = find_facet<Measurable>(lab);
    return measurable ? measurable->statistics() : Report{};
}

Properties results_of(const Result& result, const LabInfo& info) {
    Properties all;
    all.add("points", result.points);
    all.add("duplicates", result.duplicates);
    if (info.makes_triangles) {
        all.add("unused vertices", result.unused);
        all.add("triangles", result.triangles);
        all.add("edges", result.edges);
        all.add("hull edges", result.hull_edges);
        all.add("lost hull edges", result.lost_hull_edges);
    }
    all.append(result.numbers);
    return all;
}

namespace {

bool read_whole(const std::string& text, uint32_t& value) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && end.ec == std::errc() && end.ptr == text.data() + text.size();
}

}  // namespace

namespace {

[[noreturn]] void refuse_to_inspect(const std::string& text, const std::string& why) {
    throw Error("--inspect " + text + ": " + why +
                "; expected vertex:ID, edge:ID, triangle:ID or pixel:X,Y, and @1 behind it for the second view");
}

}  // namespace

AskedElement parse_element(const std::string& text) {
    AskedElement asked{text, {}};
    const size_t colon = text.find(':');
    if (colon == text.npos) refuse_to_inspect(text, "there is no colon in it");
    const std::string kind = text.substr(0, colon);
    std::string id = text.substr(colon + 1);
    if (const size_t at = id.find('@'); at != id.npos) {
        if (!read_whole(id.substr(at + 1), asked.element.part))
            refuse_to_inspect(text, "\"" + id.substr(at) + "\" is no view");
        id = id.substr(0, at);
    }
    static constexpr std::pair<const char*, ElementKind> kKinds[] = {{"vertex", ElementKind::kVertex},
                                                                     {"edge", ElementKind::kEdge},
                                                                     {"triangle", ElementKind::kTriangle},
                                                                     {"pixel", ElementKind::kPixel}};
    const auto known =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& each) { return kind == each.first; });
    if (known == std::end(kKinds)) refuse_to_inspect(text, "\"" + kind + "\" is no kind of element");
    asked.element.kind = known->second;
    if (asked.element.kind == ElementKind::kPixel) {
        const size_t comma = id.find(',');
        if (comma == id.npos || !read_whole(id.substr(0, comma), asked.x) || !read_whole(id.substr(comma + 1), asked.y))
            refuse_to_inspect(text, "\"" + id + "\" is no place of a pixel");
    } else if (!read_whole(id, asked.element.id)) {
        refuse_to_inspect(text, "\"" + id + "\" is no whole number");
    }
    return asked;
}

Element find_element(const AskedElement& asked, const Scene& scene) {
    const auto not_there = [&](const std::string& why) { throw Error("--inspect " + asked.text + ": " + why); };
    Element element = asked.element;
    if (element.part >= scene.view_count())
        not_there(scene.view_count() == 1 ? "there is one view, @0"
                                          : "there are views @0 to @" + std::to_string(scene.view_count() - 1));
    const SceneView& view = scene.view(element.part);
    if (element.kind == ElementKind::kPixel) {
        const LatticeLayer lattice = view.lattice();
        if (!lattice) not_there("this lab has no lattice; use vertex:ID or edge:ID");
        if (asked.x >= lattice.width || asked.y >= lattice.height)
            not_there("the lattice has " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                      " pixels");
        element.id = asked.y * lattice.width + asked.x;
    } else if (const uint32_t count = view.count_of(element.kind); element.id >= count) {
        not_there(count == 0 ? "there is none of this kind at this point; a later one (--steps) may have some"
                             : "ids go from 0 to " + std::to_string(count - 1) + " at this point");
    }
    return element;
}

}  // namespace flipscope::app
