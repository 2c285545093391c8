// A triangulation for Python: the result of triangulate() in the memory where it was made, and derived results computed
// on demand. Its arrays are views of that memory. Calls from several Python threads are serialised.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "arrays.h"
#include "device_arrays.h"
#include "flipscope/buffer.h"
#include "flipscope/context.h"
#include "flipscope/triangulate.h"
#include "flipscope/voronoi.h"
#include "run.h"

namespace flipscope::python {

/// A context for one object or call. `device`: "auto", "cpu" or "cuda", checked by the Python side. Throws
/// std::runtime_error if CUDA is requested but unavailable.
std::unique_ptr<Context> make_context(const std::string& device, int threads);

class Triangulated {
  public:
    /// `points`: (n, 2) in host memory; the caller must keep them as long as this object.
    static std::unique_ptr<Triangulated> of_array(const PointRows& points, const std::string& device, int threads);
    /// The same of `count` points in the memory of CUDA device 0; see wait_for_points().
    static std::unique_ptr<Triangulated> of_cuda(uintptr_t pointer, size_t count, uintptr_t stream);

    const Context& context() const { return *context_; }
    /// In the device's memory, apart from hull and path.
    const DeviceTriangulation& made() const { return made_; }
    /// In host memory; on CUDA copied there by the first call.
    struct HostWords {
        std::span<const uint32_t> triangles, neighbours;  // (t, 3)
        std::span<const uint32_t> duplicate_of;           // (n) or empty, as in Triangulation
    };
    const HostWords& host();
    const VertexRows& rows();
    uint64_t hash();
    /// Whether any bit of the host's points has changed since the triangulation; one pass over them. Points in CUDA
    /// memory are not compared.
    bool have_points_changed();

    /// Runs `work` with exclusive access to this object and its context.
    using DeviceWork = std::function<void(Context&, View<const Point>, const DeviceTriangulation&)>;
    void run_on_device(const DeviceWork& work);
    nb::object locate(const PointRows& queries);
    nb::dict voronoi();
    /// The members of CellRings, and areas and centroids.
    nb::dict cells(const StudyArea& area);

  private:
    explicit Triangulated(std::unique_ptr<Context> context) : context_(std::move(context)) {}
    void triangulate();
    /// Fills host_; with exclusive access.
    void fetch();
    /// Runs `work()` with exclusive access to this object; see run().
    template <class Work>
    void run_alone(const Work& work);
    TriangleSpan host_triangles() const { return rows_of(host_.triangles); }
    TriangleSpan host_neighbours() const { return rows_of(host_.neighbours); }
    static TriangleSpan rows_of(std::span<const uint32_t> words) {
        return {reinterpret_cast<const std::array<uint32_t, 3>*>(words.data()), words.size() / 3};
    }

    std::mutex mutex_;
    std::unique_ptr<Context> context_;  // declared before all buffers
    View<const Point> points_;          // where the device reads them
    std::span<const Point> host_points_;
    Buffer<Point> uploaded_{"input points"};
    DeviceTriangulation made_;
    std::unique_ptr<PointLocator> locator_;
    std::optional<VertexRows> rows_;
    std::optional<uint64_t> hash_;
    std::optional<uint64_t> points_hash_;  // of the caller's array on the host
    // Host copies: views of the buffers on CPU threads; copies made on demand on CUDA.
    bool fetched_ = false;
    HostWords host_;
    std::vector<uint32_t> copied_triangles_, copied_neighbours_, copied_duplicate_of_;
    std::vector<Point> copied_points_;
};

/// The result of `work(context)` on a context for this call. `brief`: as of run().
template <class Work>
auto computed(const std::string& device, int threads, bool brief, const Work& work) {
    const auto context = make_context(device, threads);
    decltype(work(*context)) made;
    run(*context, brief, [&] { made = work(*context); });
    return made;
}

}  // namespace flipscope::python
