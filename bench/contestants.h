// Our own algorithms as contestants: any of the registry, run by finish().
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "compute/context.h"
#include "flipscope/triangulate.h"
#include "lab/lab.h"

namespace flipscope::bench {

/// Where a contestant's time went, over all its runs.
struct Profile {
    uint64_t runs = 0;
    double all_runs_ms = 0;
    std::vector<LabelTiming> kernels;
    /// Adds a run with the kernels that the context has timed since it was last cleared.
    void book(Context& context, double run_ms);
};

class Ours : public Contestant {
  public:
    /// Uses its own context, so that memory is counted separately. `fresh`: a new algorithm for every run, with memory
    /// as cold as for a peer that allocates every time; otherwise one algorithm is reset repeatedly, as in the window.
    Ours(DeviceRequest device, int threads, std::string id, const Settings& settings,
         std::shared_ptr<const Geometry> points, bool fresh);

    std::string name() const override { return label_; }
    /// Whether launches on CUDA are timed one by one, for profile(); this slows the run.
    void set_timed(bool timed) { context_.set_timed(timed); }
    void set_name(std::string label) { label_ = std::move(label); }
    /// reset(), finish() and synchronisation with the device.
    double run() override;
    uint64_t triangles() const override { return result_.triangles; }

    const std::vector<double>& reset_ms() const { return reset_ms_; }  // the part of each run spent in reset()
    size_t peak_bytes() const { return peak_bytes_; }
    const Result& result() const { return result_; }
    const Profile& profile() const { return profile_; }

  private:
    void make();

    Context context_;
    std::string id_, label_;
    Settings settings_;
    std::shared_ptr<const Geometry> points_;
    bool fresh_;
    std::unique_ptr<Lab> lab_;
    Result result_;
    std::vector<double> reset_ms_;
    Profile profile_;
    size_t peak_bytes_ = 0;
};

/// The library's triangulate() with all its results: neighbours, hull, copies, hash, and the download to the host.
class LibraryCall : public Contestant {
  public:
    /// `fresh` as for Ours: a new Triangulator for every run.
    LibraryCall(DeviceRequest device, int threads, std::shared_ptr<const Geometry> points, bool fresh);

    std::string name() const override { return "library"; }
    double run() override;
    uint64_t triangles() const override { return triangles_; }

  private:
    Context context_;
    std::shared_ptr<const Geometry> points_;
    bool fresh_;
    std::unique_ptr<Triangulator> triangulator_;
    uint64_t triangles_ = 0;
};

/// Time to upload the points to a CUDA device, median of a few, ms.
double measure_upload(const Geometry& points);

}  // namespace flipscope::bench
