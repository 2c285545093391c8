#include "bench/contestants.h"

#include <algorithm>
#include <chrono>

#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::bench {

void Profile::book(Context& context, double run_ms) {
    ++runs;
    all_runs_ms += run_ms;
    context.collect_timings();
    for (const auto& row : context.timings().rows()) {
        if (row.calls == 0) continue;
        const auto same = [&](const LabelTiming& kernel) { return kernel.label == row.label; };
        auto kernel = std::find_if(kernels.begin(), kernels.end(), same);
        if (kernel == kernels.end()) kernel = kernels.insert(kernel, LabelTiming{row.label, 0, 0, 0, 0});
        kernel->calls += row.calls;
        kernel->elements += row.elements;
        kernel->total_ms += row.total_ms;
    }
}

Ours::Ours(DeviceRequest device, int threads, std::string id, const Settings& settings,
           std::shared_ptr<const Geometry> points, bool fresh)
    : context_(device, threads),
      id_(std::move(id)),
      label_(id_),
      settings_(settings),
      points_(std::move(points)),
      fresh_(fresh) {
    make();
}

void Ours::make() {
    lab_ = make_lab(id_);
    for (const auto& [name, value] : settings_) set_parameter(*lab_, name, value);
    lab_->set_records_states(false);
}

double Ours::run() {
    if (!lab_) make();
    context_.synchronize();
    context_.timings().clear();
    context_.reset_peak();
    const auto start = std::chrono::steady_clock::now();
    lab_->reset(context_, points_);
    const double reset_ms = ms_since(start);
    if (!lab_->done()) lab_->finish({});
    context_.synchronize();
    const double run_ms = ms_since(start);
    peak_bytes_ = context_.peak_bytes();
    profile_.book(context_, run_ms);
    result_ = lab_->result();
    reset_ms_.push_back(reset_ms);
    if (fresh_) lab_.reset();
    return run_ms;
}

LibraryCall::LibraryCall(DeviceRequest device, int threads, std::shared_ptr<const Geometry> points, bool fresh)
    : context_(device, threads), points_(std::move(points)), fresh_(fresh) {}

double LibraryCall::run() {
    context_.synchronize();
    const auto start = std::chrono::steady_clock::now();
    if (!triangulator_) triangulator_ = std::make_unique<Triangulator>(context_);
    const Triangulation made = triangulator_->triangulate(points_->points);
    const double run_ms = ms_since(start);
    triangles_ = made.triangles.size();
    if (fresh_) triangulator_.reset();
    return run_ms;
}

double measure_upload(const Geometry& set) {
    const size_t bytes = set.points.size() * sizeof(Point);
    if (bytes == 0) return 0;
    Context context(DeviceRequest::kCuda);
    const auto memory = context.allocate("upload", bytes, Residence::kPrivate);
    std::vector<double> samples;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        context.copy(memory->data(), set.points.data(), bytes);
        context.synchronize();
        samples.push_back(ms_since(start));
    }
    return median(samples);
}

}  // namespace flipscope::bench
