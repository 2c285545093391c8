// Shapes, texture and elastic stress of bubbles against closed formulas, and their record in the Events lab.
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "delaunay/runs.h"
#include "events/deformation.h"
#include "events/inputs.h"
#include "voronoi/components/components.h"

using namespace flipscope;

namespace {

std::vector<PlaneTensor> shapes_where(Context& context, const Lattice& lattice,
                                      const std::function<bool(double, double)>& inside) {
    std::vector<float> values;
    for (uint32_t k = 0; k < lattice.pixel_count(); ++k)
        values.push_back(inside(lattice.x_of(k), lattice.y_of(k)) ? 1.f : 0.f);
    Buffer<float> field("field");
    field.upload(context, values.data(), values.size());
    Components components;
    components.reset(context, lattice);
    components.threshold(context, field.view(), 0.5, false, {});
    components.label(context);
    components.measure(context);
    const uint32_t count = components.read_count(context);
    return shapes_of(lattice, components.labels().download(), components.centres_of_mass().download(count),
                     components.windings().download(count));
}

/// Signed depth of an ellipse with its centre at `middle`, half axes a and b, the long one at `angle`.
double depth(double x, double y, Point middle, double a, double b, double angle) {
    const double dx = x - middle.x, dy = y - middle.y, c = std::cos(angle), s = std::sin(angle);
    return 1 - std::hypot((c * dx + s * dy) / a, (c * dy - s * dx) / b);
}

std::vector<float> field_where(const Lattice& lattice, const std::function<double(double, double)>& value) {
    std::vector<float> field;
    for (uint32_t k = 0; k < lattice.pixel_count(); ++k)
        field.push_back(static_cast<float>(value(lattice.x_of(k), lattice.y_of(k))));
    return field;
}

}  // namespace

TEST_CASE("deformation: second moments of rectangles and ellipses, also across periodic borders") {
    on_every_device([](Context& context) {
        // A bar of 30 × 4 pixels on 40 × 20 is longer than half the lattice, and hangs together across both borders.
        for (const double from : {2., 25.}) {
            const auto bar = shapes_where(context, {40, 20, true}, [&](double x, double y) {
                return std::fmod(x - from + 40, 40) < 30 && std::fmod(y + 2, 20) < 4;
            });
            REQUIRE(bar.size() == 1);
            CHECK(bar[0].xx == doctest::Approx(30 * 30 / 12.));
            CHECK(bar[0].yy == doctest::Approx(4 * 4 / 12.));
            CHECK(std::fabs(bar[0].xy) < 1e-9);
            CHECK(bar[0].elongation() == doctest::Approx(7.5));
            CHECK(bar[0].angle() == doctest::Approx(0));
        }
        for (const Point middle : {Point{40, 40}, Point{1, 78}}) {
            const auto ellipse = shapes_where(context, {80, 80, true}, [&](double x, double y) {
                const Point d = Lattice{80, 80, true}.difference(middle, {x, y});
                return depth(d.x, d.y, {}, 16, 8, 2.5) > 0;
            });
            REQUIRE(ellipse.size() == 1);
            CHECK(ellipse[0].elongation() == doctest::Approx(2).epsilon(0.01));
            CHECK(ellipse[0].angle() == doctest::Approx(2.5).epsilon(0.01));
            CHECK(ellipse[0].xx + ellipse[0].yy == doctest::Approx((16 * 16 + 8 * 8) / 4.).epsilon(0.01));
        }
        // A bubble around the lattice has no shape; one along an open border is not continued there.
        const auto around = shapes_where(context, {30, 12, PeriodicAxes(true, false)},
                                         [](double, double y) { return (y > 2 && y < 5) || y == 11; });
        REQUIRE(around.size() == 2);
        CHECK(std::isnan(around[0].elongation()));
        CHECK(shapes_where(context, {12, 12, false}, [](double x, double) { return x < 2 || x > 10; }).size() == 2);
        CHECK(shapes_where(context, {8, 8, true}, [](double, double) { return false; }).empty());
    });
}

TEST_CASE("deformation: the texture of a sheared lattice of sites is that of the shear") {
    // Square lattice with links along both axes: M = 1/2 F Fᵗ d².
    constexpr uint32_t kSide = 10;
    constexpr double kApart = 6, kShear = 0.2;
    const Lattice lattice{600, 600, true};
    std::vector<Point> sites;
    std::vector<uint32_t> starts{0}, rows;
    for (uint32_t y = 0; y < kSide; ++y)
        for (uint32_t x = 0; x < kSide; ++x) {
            sites.push_back(lattice.wrapped({kApart * x + kShear * kApart * y + 570, kApart * y + 580}));
            for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                const int to_x = int(x) + dx, to_y = int(y) + dy;
                if (to_x >= 0 && to_x < int(kSide) && to_y >= 0 && to_y < int(kSide))
                    rows.push_back(uint32_t(to_y) * kSide + uint32_t(to_x));
            }
            starts.push_back(static_cast<uint32_t>(rows.size()));
        }
    const PlaneTensor texture = texture_of(lattice, sites, starts, rows);
    const double square = kApart * kApart;
    CHECK(texture.xx == doctest::Approx(0.5 * square * (1 + kShear * kShear)));
    CHECK(texture.xy == doctest::Approx(0.5 * square * kShear));
    CHECK(texture.yy == doctest::Approx(0.5 * square));
    CHECK(std::isnan(texture_of(lattice, {}, std::vector<uint32_t>{0}, {}).xx));
}

TEST_CASE("deformation: the tensor of a contour is that of the ellipse, wherever it lies") {
    const Lattice lattice{96, 96, true};
    for (const auto& [a, b, angle] : {std::array{20., 20., 0.}, {30., 15., 0.6}, {30., 15., 2.2}}) {
        PlaneTensor expected;
        constexpr int kSteps = 4000;
        for (int k = 0; k < kSteps; ++k) {
            const double t = 2 * std::numbers::pi * k / kSteps, h = 2 * std::numbers::pi / kSteps;
            const double u = -a * std::sin(t), v = b * std::cos(t), c = std::cos(angle), s = std::sin(angle);
            expected.add({c * u - s * v, s * u + c * v}, h / std::hypot(u, v));
        }
        for (const Point middle : {Point{48.3, 47.1}, Point{95.6, 1.2}}) {
            const std::vector<float> field = field_where(lattice, [&](double x, double y) {
                const Point d = lattice.difference(middle, {x, y});
                return depth(d.x, d.y, {}, a, b, angle);
            });
            const PlaneTensor found = contour_tensor(lattice, field, 0, {});
            CHECK(found.xx == doctest::Approx(expected.xx).epsilon(2e-3));
            CHECK(found.yy == doctest::Approx(expected.yy).epsilon(2e-3));
            CHECK(std::fabs(found.xy - expected.xy) < 2e-3 * (expected.xx + expected.yy));
            // Obstacles and open borders hide the contour there.
            CHECK(contour_tensor(lattice, field, 0, std::vector<uint8_t>(field.size(), 1)).xx == 0);
        }
    }
}

TEST_CASE("deformation: inside and outside have the same contour, with saddles too") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Lattice lattice{23, 17, true};
    std::vector<float> field = field_where(lattice, [&](double, double) { return uniform(random); }), other = field;
    for (float& value : other) value = -value;
    const PlaneTensor inside = contour_tensor(lattice, field, 0.1, {}),
                      outside = contour_tensor(lattice, other, -0.1, {});
    CHECK(inside.xx == doctest::Approx(outside.xx));
    CHECK(inside.xy == doctest::Approx(outside.xy));
    CHECK(inside.xx > 50);
    // One saddle: two corners are cut off, each by a side of √½ across its corner.
    const Lattice square{2, 2, false};
    const PlaneTensor saddle = contour_tensor(square, std::vector<float>{1.5f, -1, -1, 1}, 0, {});
    CHECK(saddle.xy > 0);  // the middle is inside: sides cut off the corners (1, 0) and (0, 1)
    CHECK(contour_tensor(square, std::vector<float>{1, -1.5f, -1, 1}, 0, {}).xy < 0);
    field[5] = NAN;
    CHECK(std::isfinite(contour_tensor(lattice, field, 0.1, {}).xx));
}

TEST_CASE("events lab: displacements of bubbles, also across a periodic border, are those of the frames") {
    on_every_device([](Context& context) {
        const auto lab = finished(
            context,
            film(60, 40,
                 {{{5, 10}, {30, 20}, {57, 12}, {-3, 12}, {20, 32}}, {{8, 11}, {30, 20}, {60, 12}, {0, 12}, {20, 29}}}),
            "events", {"deformation=on", "frame_borders=periodic", "cap=3"});
        const Table table = facet<TableExporter>(*lab).table("displacement-field");
        REQUIRE(table.row_count == 4);
        double moved = 0;
        for (size_t i = 0; i < table.row_count; ++i) {
            const auto& cells = table.row(i).cells;
            const Point from = std::get<Point>(cells[1].content);
            const Point u{cells[2].number(), cells[3].number()};
            const Point expected = from.y < 11   ? Point{3, 1}
                                   : from.y < 15 ? Point{3, 0}
                                   : from.y < 25 ? Point{}
                                                 : Point{0, -3};
            CAPTURE(from.x);
            CHECK(u.x == doctest::Approx(expected.x));
            CHECK(u.y == doctest::Approx(expected.y));
            moved += std::hypot(u.x, u.y);
        }
        CHECK(moved > 9);
        CHECK(number_of(*lab, "largest displacement") == doctest::Approx(std::sqrt(10.)));
        CHECK(number_of(*lab, "elongation") == doctest::Approx(1));
        CHECK(facet<TableExporter>(*lab).table("shapes").row_count == 4);
    });
}

TEST_CASE("events lab: mean displacements are those of the comparisons in the window, cell by cell") {
    on_every_device([](Context& context) {
        std::vector<std::vector<Point>> frames;
        for (const int at : {0, 1, 3, 4, 6}) frames.push_back({{5. + at, 10}, {30, 20. + at % 3}, {50, 33}});
        const auto lab = finished(context, film(64, 48, frames), "events",
                                  {"deformation=on", "frame_borders=periodic", "cap=3", "warmup=1"});
        const Table table = facet<TableExporter>(*lab).table("mean-displacements");
        double displacements = 0;
        for (size_t i = 0; i < table.row_count; ++i) {
            const auto& cells = table.row(i).cells;
            const Point place = std::get<Point>(cells[0].content);
            const double ux = cells[1].number(), error = cells[2].number(), uy = cells[3].number();
            displacements += cells[5].number();
            CAPTURE(place.x);
            CHECK(std::fabs(std::remainder(place.x - 1.5, 4)) < 1e-9);  // cells of 4 × 3 pixels
            if (place.x == 5.5) {                                       // from 6 to 8; at 9 and 10 the next
                CHECK(ux == 2);
                CHECK(std::isnan(error));
            } else if (place.x == 9.5) {
                CHECK(ux == doctest::Approx(1.5));
                CHECK(error == doctest::Approx(0.5));
            } else if (place.x == 49.5) {
                CHECK(ux == 0);
                CHECK(error == 0);
                CHECK(cells[5].number() == 3);
            }
            if (place.x < 20) CHECK(uy == 0);
        }
        CHECK(displacements == 9);
    });
}

TEST_CASE("events lab: the record of deformations is the same stepped, resumed, and on every device") {
    const Settings settings{"source=emulsion", "width=96",       "height=64",      "count=10",
                            "interval=10",     "comparisons=12", "deformation=on", "warmup=30"};
    std::string expected;
    const auto text_of_numbers = [](const Lab& lab) {
        std::string text;
        for (const Property& number : lab.result().numbers) text += number.name + "=" + text_of(number.value) + "\n";
        return text;
    };
    on_every_device([&](Context& context) {
        const auto lab = finished(context, nothing(), "events", settings);
        const std::string text = text_of_numbers(*lab);
        if (expected.empty()) expected = text;
        CHECK(text == expected);
        for (const char* name : {"texture xx", "texture xy mean", "elastic stress xy error", "elongation mean",
                                 "largest displacement mean"})
            CHECK(std::isfinite(number_of(*lab, name)));
        CHECK(number_of(*lab, "elongation") > 1);
        CHECK(text_of_numbers(*finished(context, nothing(), "events", settings, true)) == text);
        const auto half = started(context, nothing(), "events", settings);
        while (half->step().round < 5 || half->next_pass() != 0) {
        }
        const auto other = started(context, nothing(), "events", settings);
        other->load(half->save());
        other->finish({});
        CHECK(text_of_numbers(*other) == text);
        const auto means = [](const Lab& one) {
            const Table table = facet<TableExporter>(one).table("mean-displacements");
            std::string text;
            for (size_t i = 0; i < table.row_count; ++i)
                for (const Value& cell : table.row(i).cells) text += text_of(cell) + " ";
            return text;
        };
        CHECK(means(*lab).size() > 100);
        CHECK(means(*other) == means(*lab));
    });
}
