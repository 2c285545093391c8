// The quality of triangles, counted by kernels and by hand.
#include "mesh/quality.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

namespace {

struct ByHand {
    std::vector<uint64_t> all = std::vector<uint64_t>(kAngleBins), least = std::vector<uint64_t>(kLeastBins);
    uint64_t near_edges = 0;  // angles so near to the end of a bin that rounding may put them on either side
    double cotangents = 0, magnitudes = 0;
};

/// From triangles over points, by atan2.
ByHand count_by_hand(const TriangleSoup& soup) {
    ByHand counts;
    const auto at = [&](uint32_t v) {
        return Point3{(*soup.points)[v].x, (*soup.points)[v].y, soup.heights ? (*soup.heights)[v] : 0};
    };
    const auto bin_of = [&](double degrees, double width, uint32_t bins) {
        const double place = degrees / width;
        counts.near_edges += std::fabs(place - std::round(place)) < 1e-6;
        return std::min(bins - 1, static_cast<uint32_t>(place));
    };
    for (const auto& t : soup.triangles) {
        double least = 180;
        for (uint32_t k = 0; k < 3; ++k) {
            const Point3 u = at(t[(k + 1) % 3]) - at(t[k]), v = at(t[(k + 2) % 3]) - at(t[k]);
            const double degrees = angle_between(u, v) * 180 / std::numbers::pi;
            const double cotangent = dot(u, v) / norm(cross(u, v));
            least = std::min(least, degrees);
            ++counts.all[bin_of(degrees, 180.0 / kAngleBins, kAngleBins)];
            counts.cotangents += cotangent;
            counts.magnitudes += std::fabs(cotangent);
        }
        ++counts.least[bin_of(least, 60.0 / kLeastBins, kLeastBins)];
    }
    return counts;
}

uint64_t difference(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
    uint64_t sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
}

void check_quality(const Input& input, const Settings& settings = {}) {
    uint64_t index_bits = 0;
    AngleCounts reference;
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(input->name, ", ", device.name);
        Stage stage(device, input, settings);
        const TriangleMesh& mesh = *stage.lab->scene().mesh;
        const AngleCounts counts = count_angles(stage.context, mesh);
        const double index = harmonic_index(stage.context, mesh);
        if (reference.all.empty()) {
            reference = counts;
            index_bits = std::bit_cast<uint64_t>(index);
            const ByHand expected = count_by_hand(stage.lab->soup());
            CHECK(difference(counts.all, expected.all) <= 2 * expected.near_edges);
            CHECK(difference(counts.least, expected.least) <= 2 * expected.near_edges);
            CHECK(index == doctest::Approx(expected.cotangents).epsilon(1e-9 * expected.magnitudes));
            const auto sum = [](const std::vector<uint64_t>& bins) {
                return std::accumulate(bins.begin(), bins.end(), uint64_t(0));
            };
            CHECK(sum(counts.all) == 3 * stage.lab->soup().triangles.size());
            CHECK(sum(counts.least) == stage.lab->soup().triangles.size());
        }
        CHECK(counts.all == reference.all);
        CHECK(counts.least == reference.least);
        CHECK(std::bit_cast<uint64_t>(index) == index_bits);
        stage.lab->finish({});
        const std::vector<Distribution> distributions = facet<Measurable>(*stage.lab).statistics().all<Distribution>();
        REQUIRE(distributions.size() == 2);
        CHECK(distributions[0].before == as_counts(reference.least));
        CHECK(distributions[1].before == as_counts(reference.all));
        CHECK(distributions[1].now == as_counts(count_angles(stage.context, mesh).all));
    }
}

}  // namespace

TEST_CASE("quality: counts and sums are those of a plain computation, bit for bit the same on every device") {
    for (const char* text : {"uniform:3", "uniform:2000", "quad:1500", "worst:60", "clusters:500", "sphere:6",
                             "sphere:900", "terrain:700", "torus-knot:800", "band:300"})
        check_quality(generated(text), {"start=sweep"});
    check_quality(generated("uniform:" + std::to_string(case_count(20'000))), {"start=insertion"});
    check_quality(tetrahedron());
    check_quality(box(5, 1));
    check_quality(book(3, 5, 1));
}

TEST_CASE("quality: angles that end a bin go into one of the two, the right one being the next") {
    Stage grid(one_device(), generated("grid:100"), {"start=scrambled", "scramble=0"});
    const AngleCounts counts = count_angles(grid.context, *grid.lab->scene().mesh);
    const uint64_t triangles = 2 * 81;
    CHECK(counts.all[8] + counts.all[9] == 2 * triangles);    // 45 degrees
    CHECK(counts.all[17] + counts.all[18] == triangles);      // 90
    CHECK(counts.least[14] + counts.least[15] == triangles);  // 45
}

TEST_CASE("quality: triangles without area count as angles of 0 and pi, and make the index infinite") {
    Stage stage(one_device(),
                make_surface("flat", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {5, 5, 5}}, {{0, 1, 2}, {1, 0, 3}}));
    const AngleCounts counts = count_angles(stage.context, *stage.lab->scene().mesh);
    CHECK(counts.all[0] >= 2);
    CHECK(counts.all[kAngleBins - 1] == 1);
    CHECK(counts.least[0] >= 1);
    CHECK(std::isinf(harmonic_index(stage.context, *stage.lab->scene().mesh)));
    Stage point(one_device(), make_surface("in one place", {{1, 1, 1}, {1, 1, 1}, {2, 0, 0}}, {{0, 1, 2}}));
    CHECK(count_angles(point.context, *point.lab->scene().mesh).all[0] >= 2);
}

TEST_CASE("quality: of nothing there is nothing") {
    Context context(DeviceRequest::kCpu, 1);
    TriangleMesh mesh;
    CHECK(harmonic_index(context, mesh) == 0);
    const auto lab = started(context, generated("uniform:0"), "flip");
    CHECK(facet<Measurable>(*lab).statistics().empty());
    lab->reset(context, generated("line:7"));
    CHECK(facet<Measurable>(*lab).statistics().empty());
}
