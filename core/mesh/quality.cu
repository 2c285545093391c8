#include "mesh/quality.h"

#include <cmath>

#include "compute/launch.h"
#include "mesh/angles.h"

namespace flipscope {

namespace {

constexpr uint32_t kRun = 128;  // triangles that one index of the kernels below goes over, in order

struct Bins {
    // Cosines of where bins end, falling; compared with, so that no arc cosine is needed.
    double all[kAngleBins], least[kLeastBins];
};

struct Corners {
    MeshView mesh;
    uint32_t triangle_count;

    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t run, const Visit& visit) const {
        const uint64_t end = (uint64_t(run) + 1) * kRun;
        for (uint64_t t = uint64_t(run) * kRun; t < end && t < triangle_count; ++t) {
            const uint32_t* v = &mesh.triangles[3 * t];
            if (mesh.is_ghost(static_cast<uint32_t>(t))) continue;
            const Point3 at[3] = {mesh.place(v[0]), mesh.place(v[1]), mesh.place(v[2])};
            visit(at);
        }
    }
};

struct SumCotangents {
    Corners corners;
    View<double> sums;  // (runs)
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        double sum = 0;
        corners.each(run, [&](const Point3* at) {
            const double area2 = length(normal_of(at[0], at[1], at[2]));  // the sine part of every angle
            double cosines = 0;
            for (uint32_t k = 0; k < 3; ++k) cosines += dot(at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]);
            sum += cosines / area2;
        });
        sums[run] = sum;
    }
};

struct CountAngles {
    Corners corners;
    Bins bins;
    View<uint64_t> all, least;

    FLIPSCOPE_HD static uint32_t bin_of(double cosine, const double* ends, uint32_t count) {
        uint32_t low = 0, high = count - 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (cosine > ends[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    FLIPSCOPE_HD void operator()(uint32_t run) const {
        uint32_t found[kAngleBins] = {}, found_least[kLeastBins] = {};
        corners.each(run, [&](const Point3* at) {
            double greatest = -1;
            for (uint32_t k = 0; k < 3; ++k) {
                const Point3 u = at[(k + 1) % 3] - at[k], v = at[(k + 2) % 3] - at[k];
                const double lengths = sqrt(dot(u, u)) * sqrt(dot(v, v));
                const double cosine = lengths > 0 ? dot(u, v) / lengths : 1;
                ++found[bin_of(cosine, bins.all, kAngleBins)];
                if (cosine > greatest) greatest = cosine;
            }
            ++found_least[bin_of(greatest, bins.least, kLeastBins)];
        });
        for (uint32_t k = 0; k < kAngleBins; ++k)
            if (found[k]) atomic_add(all[k], uint64_t(found[k]));
        for (uint32_t k = 0; k < kLeastBins; ++k)
            if (found_least[k]) atomic_add(least[k], uint64_t(found_least[k]));
    }
};

uint32_t run_count(const TriangleMesh& mesh) { return (mesh.triangle_count + kRun - 1) / kRun; }

}  // namespace

AngleCounts count_angles(Context& context, const TriangleMesh& mesh) {
    constexpr double degree = 3.14159265358979323846 / 180;
    CountAngles kernel{{mesh.view(), mesh.triangle_count}, {}, {}, {}};
    for (uint32_t k = 0; k < kAngleBins; ++k) kernel.bins.all[k] = std::cos((k + 1) * (180.0 / kAngleBins) * degree);
    for (uint32_t k = 0; k < kLeastBins; ++k) kernel.bins.least[k] = std::cos((k + 1) * (60.0 / kLeastBins) * degree);
    Buffer<uint64_t> counts("angle counts");
    counts.fill(context, kAngleBins + kLeastBins, 0);
    kernel.all = counts.view().first(kAngleBins);
    kernel.least = {counts.view().data + kAngleBins, kLeastBins};
    if (mesh.triangle_count) launch(context, "quality.angles", run_count(mesh), kernel);
    const std::vector<uint64_t> values = counts.download();
    return {{values.begin(), values.begin() + kAngleBins}, {values.begin() + kAngleBins, values.end()}};
}

double harmonic_index(Context& context, const TriangleMesh& mesh) {
    if (mesh.triangle_count == 0) return 0;
    Buffer<double> sums("cotangent sums");
    sums.resize(context, run_count(mesh));
    launch(context, "quality.cotangents", run_count(mesh),
           SumCotangents{{mesh.view(), mesh.triangle_count}, sums.view()});
    double sum = 0;
    for (const double part : sums.download()) sum += part;
    return sum;
}

}  // namespace flipscope
