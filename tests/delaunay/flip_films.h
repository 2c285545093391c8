// A lab's whole run as numbers, to compare runs with; and what flips must preserve, computed on host copies of the mesh
// without the lab's own kernels.
#pragma once

#include <bit>

#include "delaunay/constructions/host_mesh.h"
#include "delaunay/runs.h"

namespace flipscope {

/// Of any points.
inline constexpr const char* kStarts[] = {"insertion", "sweep", "scrambled", "moved"};

/// The results of all steps of a run, the state hash and the marks after each.
struct Film {
    std::vector<StepResult> steps;
    std::vector<uint64_t> hashes, marks;
};

/// `most_steps`: a run that does not end by itself is a failure of its own.
inline Film film_of(const DeviceUnderTest& device, const std::string& id, const Input& input, const Settings& settings,
                    size_t most_steps = 100'000) {
    Film film;
    Context context(device.request, device.threads);
    const auto lab = started(context, input, id, settings);
    while (!lab->done() && film.steps.size() < most_steps) {
        film.steps.push_back(lab->step());
        film.hashes.push_back(lab->state_hash());
        film.marks.push_back(hash_of_states(*lab));
    }
    CHECK(lab->done());
    return film;
}

inline size_t first_difference(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
    size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    return i;
}

/// Steps the input on every device, compares every step, and returns the run.
inline Film compare_films(const std::string& id, const Input& input, const Settings& settings) {
    Film reference;
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(input->name, " ", settings.empty() ? "" : settings.back(), ", ", device.name);
        const Film film = film_of(device, id, input, settings);
        if (reference.hashes.empty()) reference = film;
        REQUIRE(film.hashes.size() == reference.hashes.size());
        CHECK_MESSAGE(film.hashes == reference.hashes, "the state differs from step ",
                      first_difference(film.hashes, reference.hashes));
        CHECK_MESSAGE(film.marks == reference.marks, "the marks differ from step ",
                      first_difference(film.marks, reference.marks));
        for (size_t i = 0; i < film.steps.size(); ++i) {
            CHECK(film.steps[i].counters == reference.steps[i].counters);
            // NaN where it was not taken
            const auto bits = [&](const Film& of) {
                std::vector<uint64_t> words;
                for (const double value : of.steps[i].measures) words.push_back(std::bit_cast<uint64_t>(value));
                return words;
            };
            CHECK(bits(film) == bits(reference));
        }
    }
    return reference;
}

/// A lab that is stepped and inspected, on one device.
struct Stage {
    Context context;
    std::unique_ptr<Lab> lab;
    Stage(const DeviceUnderTest& device, const Input& input, const Settings& settings = {},
          const std::string& id = "flip")
        : context(device.request, device.threads), lab(lab_with(id, settings)) {
        lab->reset(context, input);
    }
    HostMesh mesh() const { return download_mesh(*lab->scene().mesh); }
};

inline DeviceUnderTest one_device() { return devices_under_test().front(); }

/// Corners and half-edges that do not agree, both ways.
inline uint64_t broken_references(const HostMesh& mesh) {
    uint64_t broken = 0;
    const size_t corners = mesh.triangles.size();
    if (mesh.corner_of.size() != corners || mesh.half_edge_at.size() != corners) return corners + 1;
    for (uint32_t half_edge = 0; half_edge < corners; ++half_edge) {
        const uint32_t corner = mesh.corner_of[half_edge];
        broken += corner >= corners || mesh.half_edge_at[corner] != half_edge ||
                  mesh.triangles[corner] != mesh.edges[half_edge] ||
                  mesh.triangles[next_corner(corner)] != mesh.edges[half_edge ^ 1];
    }
    return broken;
}

inline Input with_triangles(std::string name, const TriangleSoup& soup) {
    auto geometry = std::make_shared<Geometry>(Geometry{std::move(name), *soup.points});
    if (soup.heights) geometry->heights = *soup.heights;
    geometry->triangles = soup.triangles;
    return geometry;
}

/// The Build lab's triangulation of the points that a lab has now: the hash of its triangles.
inline uint64_t built_hash(const Lab& lab) {
    Context context(DeviceRequest::kCpu, 1);
    const auto build = lab_with("build");
    build->set_records_states(false);
    build->reset(context, make_input("the same points", *lab.soup().points));
    build->finish({});
    return build->result().triangulation_hash;
}

}  // namespace flipscope
