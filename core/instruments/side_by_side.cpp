#include "instruments/side_by_side.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace flipscope {

Scene side_by_side(std::vector<Scene> scenes) {
    Scene all = std::move(scenes.at(0));
    for (size_t i = 1; i < scenes.size(); ++i) {
        std::vector<SceneView> more = std::move(scenes[i].beside);
        all.beside.push_back(std::move(scenes[i]));
        std::move(more.begin(), more.end(), std::back_inserter(all.beside));
    }
    return all;
}

Report inspect_side(const Inspectable& side, const Element& element) {
    Report report = side.inspect(element);
    for (Highlight& highlight : report.highlights) highlight.part = element.part;
    for (Section& section : report.sections)
        if (auto* properties = std::get_if<Properties>(&section.content))
            for (Property& property : properties->list)
                for (Link& link : property.links) link.element.part = element.part;
    return report;
}

CheckReport check_of_all(std::vector<SideCheck> sides) {
    CheckReport all = std::move(sides.at(0).report);
    std::string sentences = sides[0].side + ": " + all.sentence;
    for (size_t i = 1; i < sides.size(); ++i) {
        CheckReport& one = sides[i].report;
        sentences += "; " + sides[i].side + ": " + one.sentence;
        for (CheckFailure& failure : one.failures) {
            for (Element& element : failure.elements) element.part = static_cast<uint32_t>(i);
            if (all.failures.size() < kMostFailures) all.failures.push_back(std::move(failure));
        }
        all.failure_count += one.failure_count;
        all.passed = all.passed && one.passed;
        all.checked = all.checked && one.checked;
        all.euler = all.euler && one.euler;
        for (uint64_t CheckReport::*const counted :
             {&CheckReport::broken_references, &CheckReport::inverted_triangles, &CheckReport::illegal_edges,
              &CheckReport::reflex_hull, &CheckReport::tied_edges, &CheckReport::flat_triangles,
              &CheckReport::duplicate_edges})
            all.*counted += one.*counted;
    }
    if (!all.passed) all.sentence = sentences;
    return all;
}

// Writes the number of blocks of each side but the last, then all blocks.
std::vector<CounterInfo> counters_of_sides(const std::vector<CounterInfo>& counters,
                                           std::initializer_list<const char*> sides) {
    std::vector<CounterInfo> all;
    for (const char* side : sides)
        for (size_t i = 0; i < counters.size(); ++i)
            all.push_back({counters[i].name + ", " + side, counters[i].sentence + ", on the " + side + " side",
                           counters[i].is_gauge, false, counters[i].quantity, static_cast<uint32_t>(i + 1)});
    return all;
}

void put_sides(Snapshot& snapshot, const std::vector<Snapshot>& sides) {
    std::vector<uint64_t> counts;
    for (size_t i = 0; i + 1 < sides.size(); ++i) counts.push_back(sides[i].blocks.size());
    put_values(snapshot, counts.data(), counts.size());
    for (const Snapshot& side : sides)
        snapshot.blocks.insert(snapshot.blocks.end(), side.blocks.begin(), side.blocks.end());
}

std::vector<Snapshot> read_sides(const Snapshot& snapshot, size_t first, size_t count, const std::string& lab) {
    const auto require = [&](bool sound) {
        if (!sound) throw std::logic_error("not a snapshot of the " + lab);
    };
    require(first < snapshot.blocks.size());
    std::vector<uint64_t> counts(count - 1);
    load_values(snapshot, first, counts.data(), counts.size());
    std::vector<Snapshot> sides;
    auto begin = snapshot.blocks.begin() + static_cast<ptrdiff_t>(first) + 1;
    for (size_t i = 0; i < count; ++i) {
        const auto left = static_cast<uint64_t>(std::distance(begin, snapshot.blocks.end()));
        require(i + 1 == count || counts[i] <= left);
        const auto end = begin + static_cast<ptrdiff_t>(i + 1 == count ? left : counts[i]);
        sides.push_back({{begin, end}});
        begin = end;
    }
    return sides;
}

}  // namespace flipscope
