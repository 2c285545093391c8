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

Element parse_element(const std::string& text, const Scene& scene) {
    const auto refuse = [&](const std::string& why) {
        throw Error("--inspect " + text + ": " + why +
                    "; expected vertex:ID, edge:ID, triangle:ID or pixel:X,Y, and @1 behind it for the second view");
    };
    const size_t colon = text.find(':');
    if (colon == text.npos) refuse("there is no colon in it");
    const std::string kind = text.substr(0, colon);
    std::string id = text.substr(colon + 1);
    Element element;
    if (const size_t at = id.find('@'); at != id.npos) {
        if (!read_whole(id.substr(at + 1), element.part) || element.part >= scene.view_count())
            refuse("there " + std::string(scene.view_count() == 1 ? "is one view, @0" : "are views @0 to @") +
                   (scene.view_count() == 1 ? "" : std::to_string(scene.view_count() - 1)));
        id = id.substr(0, at);
    }
    static constexpr std::pair<const char*, ElementKind> kKinds[] = {{"vertex", ElementKind::kVertex},
                                                                     {"edge", ElementKind::kEdge},
                                                                     {"triangle", ElementKind::kTriangle},
                                                                     {"pixel", ElementKind::kPixel}};
    const auto known =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& each) { return kind == each.first; });
    if (known == std::end(kKinds)) refuse("\"" + kind + "\" is no kind of element");
    element.kind = known->second;
    const SceneView& view = scene.view(element.part);
    if (element.kind == ElementKind::kPixel) {
        const LatticeLayer lattice = view.lattice();
        if (!lattice) refuse("this lab has no lattice");
        const size_t comma = id.find(',');
        uint32_t x = 0, y = 0;
        if (comma == id.npos || !read_whole(id.substr(0, comma), x) || !read_whole(id.substr(comma + 1), y))
            refuse("\"" + id + "\" is no place of a pixel");
        if (x >= lattice.width || y >= lattice.height)
            refuse("the lattice has " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                   " pixels");
        element.id = y * lattice.width + x;
    } else {
        if (!read_whole(id, element.id)) refuse("\"" + id + "\" is no whole number");
        if (const uint32_t count = view.count_of(element.kind); element.id >= count)
            refuse(count == 0 ? "there is none at this point"
                              : "ids go from 0 to " + std::to_string(count - 1) + " at this point");
    }
    return element;
}

}  // namespace flipscope::app
