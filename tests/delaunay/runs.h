// Ways to run a lab to its end, and comparisons of two runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "delaunay/inputs.h"
#include "flipscope/predicates.h"
#include "instruments/timeline.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "test_support.h"

namespace flipscope {

using Triangles = std::vector<std::array<uint32_t, 3>>;
using Settings = std::vector<std::string>;  // "name=value"

inline std::unique_ptr<Lab> lab_with(const std::string& id, const Settings& settings = {}) {
    std::unique_ptr<Lab> lab = make_lab(id);
    for (const std::string& setting : settings) set_parameter(*lab, setting);
    return lab;
}
inline std::unique_ptr<Lab> started(Context& context, const Input& input, const std::string& id = "build",
                                    const Settings& settings = {}) {
    std::unique_ptr<Lab> lab = lab_with(id, settings);
    lab->reset(context, input);
    return lab;
}
/// A timeline at the start of a run.
struct StartedTimeline : Timeline {
    StartedTimeline(Context& context, const Input& input, const std::string& id, const Settings& settings = {})
        : Timeline(lab_with(id, settings)) {
        reset(context, input);
    }
};
inline void run_to_end(Lab& lab, bool by_steps) {
    if (!by_steps) return lab.finish({});
    while (!lab.done()) lab.step();
}
inline std::unique_ptr<Lab> finished(Context& context, const Input& input, const std::string& id = "build",
                                     const Settings& settings = {}, bool by_steps = false) {
    std::unique_ptr<Lab> lab = started(context, input, id, settings);
    run_to_end(*lab, by_steps);
    return lab;
}
inline std::unique_ptr<Lab> stepped(Context& context, const Input& input, const std::string& id = "build",
                                    const Settings& settings = {}) {
    return finished(context, input, id, settings, true);
}

/// The array that the lab saves under this name.
template <class T>
std::vector<T> values_of(const Lab& lab, const std::string& name) {
    const Array array = facet<Exporter>(lab).array(name);
    std::vector<T> values(array.values.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), array.values.data(), array.values.size());
    return values;
}

/// A number of the result.
inline double number_of(const Lab& lab, const std::string& name) {
    const Result result = lab.result();
    const Property* const found = result.numbers.find(name);
    REQUIRE_MESSAGE(found, name);
    return found->value.number();
}

inline void check_passes(const Lab& lab) {
    const CheckReport report = facet<Checkable>(lab).check();
    CHECK_MESSAGE(report.passed, report.sentence);
}

/// Each turned so that its least index comes first, and all sorted: equal for equal sets.
inline Triangles sorted_triangles(Triangles triangles) {
    for (auto& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}
inline Triangles triangles_of(const Lab& lab) { return sorted_triangles(lab.soup().triangles); }

/// Everything that is displayed, in one number. Words past the counts are not part of it.
inline uint64_t hash_of_states(const Lab& lab) {
    const Scene scene = lab.scene();
    if (!scene.mesh || !scene.mesh->records_states() || scene.mesh->vertex_count == 0) return 0;
    uint64_t hash = 14695981039346656037ull;
    const auto add = [&](const Buffer<State>& states, size_t count) {
        for (const State word : states.download(count)) hash = (hash ^ (word + 1u)) * 1099511628211ull;
    };
    add(scene.mesh->vertex_states,
        std::min(scene.mesh->infinite(), scene.mesh->vertex_count));  // on a torus all of them
    add(scene.mesh->edge_states, scene.mesh->edge_count);
    add(scene.mesh->triangle_states, scene.mesh->triangle_count);
    return hash;
}

inline uint64_t count_edges_in_state(const Lab& lab, State bit) {
    const TriangleMesh& mesh = *lab.scene().mesh;
    const std::vector<State> words = mesh.edge_states.download(mesh.edge_count);
    return static_cast<uint64_t>(std::count_if(words.begin(), words.end(), [&](State word) { return word & bit; }));
}

/// Finite triangles that are clockwise, exactly. Flat ones are none.
inline uint64_t count_negative(const TriangleMesh& mesh) {
    if (mesh.triangle_count == 0) return 0;
    const std::vector<Point> at = mesh.positions.download();
    const std::vector<uint32_t> corners = mesh.triangles.download(3 * size_t(mesh.triangle_count));
    uint64_t negative = 0;
    for (size_t t = 0; t < mesh.triangle_count; ++t) {
        const uint32_t* v = &corners[3 * t];
        if (std::max({v[0], v[1], v[2]}) < mesh.infinite()) negative += orient2d(at[v[0]], at[v[1]], at[v[2]]) < 0;
    }
    return negative;
}

}  // namespace flipscope
