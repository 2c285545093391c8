// Lists the elements of a mesh for which a test holds, by id, with their details: count, then emit, by the kernels of
// compute/primitives.h. nvcc, if present, compiles the sources that include this header.
#pragma once

#include <algorithm>
#include <cmath>

#include "compute/primitives.h"
#include "mesh/checks.h"
#include "mesh/legality.h"

namespace flipscope {

/// Base of tests: `bool operator()(uint32_t i) const` says whether element(i) is at fault.
struct FailureTest {
    FLIPSCOPE_HD uint32_t element(uint32_t i) const { return i; }
    FLIPSCOPE_HD double value(uint32_t) const { return NAN; }
    FLIPSCOPE_HD uint32_t detail(uint32_t) const { return 0; }
};

/// An edge and the corners of its two triangles that do not name each other.
struct BrokenReference : FailureTest {
    MeshView mesh;
    uint32_t corner_count = 0;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t half_edge = 2 * edge + side, corner = mesh.corner_of[half_edge];
            if (corner >= corner_count || mesh.half_edge_at[corner] != half_edge ||
                mesh.from(corner) != mesh.edges[2 * edge + side] || mesh.to(corner) != mesh.edges[2 * edge + 1 - side])
                return true;
        }
        return false;
    }
};

struct UnusedVertex : FailureTest {
    View<const uint32_t> used;  // (v) 0: in no triangle
    FLIPSCOPE_HD bool operator()(uint32_t vertex) const { return used[vertex] == 0; }
};

template <class Test>
struct CountFailures {
    Test test;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += test(i); }
};
/// For how many of 0 … n - 1 the test holds. Waits for the device.
template <class Test>
uint64_t count_failures(Context& context, const char* label, uint32_t n, const Test& test) {
    return sums_of(context, label, n, CountFailures<Test>{test}).value[0];
}

template <class Test>
struct CollectFailures {
    Test test;
    MeshView mesh;
    ElementKind kind;
    uint32_t corner_count;
    View<FailureRecord> records;

    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return test(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code || rank >= records.count) return;
        const uint32_t id = test.element(i);
        FailureRecord record{id, 1, {kNone, kNone, kNone, kNone}, {}, test.value(i), test.detail(i)};
        uint32_t vertices[4] = {id, kNone, kNone, kNone};
        if (kind == ElementKind::kEdge) {
            record.corners = 2;
            for (uint32_t k = 0; k < 2; ++k) {
                vertices[k] = mesh.edges[2 * id + k];
                const uint32_t corner = mesh.corner_of[2 * id + k];
                if (corner < corner_count) vertices[2 + k] = mesh.apex(corner);
            }
        } else if (kind == ElementKind::kTriangle) {
            record.corners = 3;
            for (uint32_t k = 0; k < 3; ++k) vertices[k] = mesh.triangles[3 * id + k];
        }
        for (uint32_t k = 0; k < 4; ++k) {
            if (vertices[k] >= mesh.infinite) continue;  // or broken
            record.inputs[k] = mesh.inputs[vertices[k]];
            if (k < record.corners) record.places[k] = mesh.place(vertices[k]);
        }
        records[rank] = record;
    }
};

/// Appends the failures among elements 0 … n - 1 to the report, as far as there is room; `count` is their known number.
/// `say(record)` makes the sentence. Waits for the device.
template <class Test, class Say>
void collect_failures(Context& context, const char* label, const TriangleMesh& mesh, uint32_t n, ElementKind kind,
                      const char* code, uint64_t count, const Test& test, CheckReport& report, const Say& say) {
    const size_t listed = std::min<uint64_t>(count, room_for(report, code));
    report.failure_count += count;
    if (listed == 0) return;
    Buffer<FailureRecord> records("failures");
    Buffer<uint32_t> total("total");
    records.resize(context, listed);
    total.resize(context, 1);
    compact(context, label, n, CollectFailures<Test>{test, mesh.view(), kind, 3 * mesh.triangle_count, records.view()},
            total.view());
    const std::vector<FailureRecord> found = records.download(std::min<size_t>(listed, total.read(0)));
    report.failures.reserve(report.failures.size() + found.size());
    for (const FailureRecord& record : found) {
        CheckFailure failure{code, say(record), {{kind, record.id}}, {}, {}, record.value};
        for (uint32_t k = 0; k < record.corners; ++k) {
            if (record.inputs[k] == kNone) continue;
            failure.vertices.push_back(record.inputs[k]);
            failure.places.push_back(record.places[k]);
        }
        report.failures.push_back(std::move(failure));
    }
}

template <class Test>
struct CollectIds {
    Test test;
    View<uint32_t> ids;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return test(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code && rank < ids.count) ids[rank] = test.element(i);
    }
};

/// element(i) of the first `most` of 0 … n - 1 for which the test holds, ascending in i. Waits for the device.
template <class Test>
std::vector<uint32_t> collect_ids(Context& context, const char* label, uint32_t n, const Test& test, uint64_t most) {
    Buffer<uint32_t> ids("failing ids"), total("total");
    ids.resize(context, std::min<uint64_t>(n, most));
    total.resize(context, 1);
    compact(context, label, n, CollectIds<Test>{test, ids.view()}, total.view());
    return ids.download(std::min<size_t>(ids.size(), total.read(0)));
}

/// List the failures of a planar mesh, or of the references and vertices of a surface, that check_mesh() and
/// check_surface() have counted.
void collect_mesh_failures(Context& context, const TriangleMesh& mesh, View<uint32_t> used, bool fixed_outline,
                           CheckReport& report);
void collect_surface_failures(Context& context, const TriangleMesh& mesh, View<uint32_t> used, CheckReport& report);

}  // namespace flipscope
