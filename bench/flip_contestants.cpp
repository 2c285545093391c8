#include "bench/flip_contestants.h"
#include "bench/measure.h"

#include <chrono>
#include <cmath>

#include "lab/parameters.h"
#include "lab/registry.h"
#include "mesh/hash.h"

namespace flipscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kFlipsPerEdge = 100;  // limit for rounded angles, which may not terminate

size_t counter_index(const Lab& algorithm, const std::string& name) {
    const auto& counters = algorithm.info().counters;
    for (size_t i = 0; i < counters.size(); ++i)
        if (counters[i].name == name) return i;
    throw std::logic_error("the Flip lab has no counter \"" + name + "\"");
}

bool is_finite(const HostMesh& mesh, size_t triangle) {
    const uint32_t* v = &mesh.triangles[3 * triangle];
    return v[0] != mesh.infinite && v[1] != mesh.infinite && v[2] != mesh.infinite;
}

}  // namespace

Flipper::Flipper(DeviceRequest device, int threads, const Settings& settings, std::shared_ptr<const Geometry> input)
    : context_(device, threads), lab_(make_lab("flip")) {
    for (const auto& [name, value] : settings) set_parameter(*lab_, name, value);
    lab_->set_records_states(false);
    lab_->reset(context_, std::move(input));
    start_ = lab_->save();
    start_mesh_ = download_mesh(*lab_->scene().mesh);
    const TriangleSoup soup = lab_->soup();
    start_geometry_.points = *soup.points;
    context_.reset_peak();
    learn_course();
}

void Flipper::learn_course() {
    const size_t queued = counter_index(*lab_, "queued"), illegal = counter_index(*lab_, "illegal"),
                 granted = counter_index(*lab_, "granted");
    const auto count = [](const StepResult& round, size_t counter) {
        return counter < round.counters.size() && round.counters[counter] != kNotCounted
                   ? static_cast<uint64_t>(round.counters[counter])
                   : 0;
    };
    uint64_t rounds = 0;
    lab_->finish([&](const StepResult& round) {
        if (rounds++ == 0) course_.illegal = count(round, illegal);
        course_.tests += count(round, queued);
        course_.illegal_tests += count(round, illegal);
        if (const uint64_t flips = count(round, granted)) course_.flips.push_back(flips);
    });
    for (const uint64_t flips : course_.flips) course_.all_flips += flips;
    first_ = lab_->result();
}

void Flipper::prepare() {
    lab_->load(start_);
    context_.synchronize();
    context_.collect_timings();
    context_.timings().clear();
}

double Flipper::run() {
    const auto start = Clock::now();
    if (!lab_->done()) lab_->finish({});
    context_.synchronize();
    const double elapsed_ms = ms_since(start);
    profile_.book(context_, elapsed_ms);
    return elapsed_ms;
}

FlipRule Flipper::rule() const {
    FlipRule rule;
    std::string criterion;
    double epsilon = 0, dihedral = 0;
    for (const auto& parameter : list_parameters(*lab_)) {
        if (parameter.name == "criterion") criterion = parameter.value;
        if (parameter.name == "epsilon") epsilon = std::stod(parameter.value);
        if (parameter.name == "dihedral") dihedral = std::stod(parameter.value);
    }
    using Kind = FlipRule::Kind;
    if (!start_mesh_.heights.empty())
        rule.kind = Kind::kSurface;
    else if (criterion == "angles")
        rule.kind = Kind::kAngles;
    else if (criterion == "angles-float")
        rule.kind = Kind::kAnglesFloat;
    rule.slack = {std::cos(epsilon), std::sin(epsilon)};
    rule.epsilon = epsilon;
    rule.dihedral = dihedral;
    return rule;
}

double Lawson::run() {
    const uint64_t most = rule_.exact() ? UINT64_MAX : kFlipsPerEdge * mesh_.edge_count();
    const auto start = Clock::now();
    result_ = rule_.with([&](const auto& rule) { return flip_sequentially_by(mesh_, rule, most); });
    return ms_since(start);
}

uint64_t Lawson::triangles() const {
    uint64_t count = 0;
    for (size_t t = 0; t < mesh_.triangle_count(); ++t) count += is_finite(mesh_, t);
    return count;
}

uint64_t Lawson::triangulation_hash() const {
    uint64_t sum = 0;
    for (size_t t = 0; t < mesh_.triangle_count(); ++t) {
        const uint32_t* v = &mesh_.triangles[3 * t];
        if (is_finite(mesh_, t)) sum += hash_triangle(mesh_.inputs[v[0]], mesh_.inputs[v[1]], mesh_.inputs[v[2]]);
    }
    return mix64(sum);
}

uint64_t Lawson::count_illegal() {
    const MeshView mesh = mesh_.view();
    return rule_.with([&](const auto& rule) {
        uint64_t count = 0;
        for (uint32_t edge = 0; edge < mesh_.edge_count(); ++edge)
            count += must_flip(rule.judge(mesh, edge, quad_at(mesh, edge)));
        return count;
    });
}

}  // namespace flipscope::bench
