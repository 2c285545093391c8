#include "mesh/soup_survey.h"

#include <cmath>

#include "delaunay/inputs.h"
#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "mesh/inspect.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("soup survey: a Delaunay triangulation has its hash, its edges and none that is illegal") {
    for (const char* text : {"uniform:300", "grid:100", "ring:60", "clusters:200", "uniform:3"}) {
        CAPTURE(text);
        const auto input = generated(text);
        const Triangulation made = triangulate(input->points);
        for (const int threads : {1, 2}) {
            Context context(DeviceRequest::kCpu, threads);
            const SoupSurvey survey = survey_soup(input->points, made.triangles, &context);
            CHECK(survey.illegal == 0);
            CHECK(survey.hash == made.hash);
            CHECK(survey.outline == made.hull.size());
            // Euler: of a disc, v - e + t = 1.
            const size_t v = input->points.size() - survey.unused;
            CHECK(v + made.triangles.size() == survey.edges.size() + 1);
            Geometry geometry = *input;
            geometry.triangles = made.triangles;
            const MeshInspection found = inspect_mesh(geometry, &context);
            REQUIRE(found.edges.size() == survey.edges.size());  // the same numbers mean the same edges
            for (size_t e = 0; e < found.edges.size(); ++e)
                CHECK(found.edges[e] == std::array<uint32_t, 2>{survey.edges[e].lesser, survey.edges[e].greater});
        }
    }
}

TEST_CASE("soup survey: of each pair of diagonals of a quadrilateral one is legal, and both where it is cocircular") {
    for (const std::vector<Point>& points : {std::vector<Point>{{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                                             {{0, 0}, {4, 0}, {5, 1}, {0, 1}},
                                             {{-1, 0}, {0, -3}, {1, 0}, {0, 3}}}) {
        const SoupSurvey one = survey_soup(points, {{0, 1, 2}, {0, 2, 3}}, nullptr),
                         other = survey_soup(points, {{0, 1, 3}, {3, 1, 2}}, nullptr);
        const bool cocircular = incircle(points[0], points[1], points[2], points[3]) == 0;
        CHECK(one.illegal + other.illegal == (cocircular ? 0 : 1));
        // The orientation of what is given decides nothing.
        const SoupSurvey mirrored = survey_soup(points, {{0, 2, 1}, {3, 0, 2}}, nullptr);
        CHECK(mirrored.illegal == one.illegal);
        CHECK(mirrored.hash == one.hash);
        REQUIRE(one.find(2, 0));
        CHECK(one.find(0, 2) == one.find(2, 0));
        CHECK(one.find(0, 2)->left_apex == 3);
        CHECK(one.find(0, 2)->right_apex == 1);
        CHECK_FALSE(one.find(1, 3));
    }
}

TEST_CASE("soup survey: what does not fit together is counted all the same") {
    const std::vector<Point> points{{0, 0}, {2, 0}, {1, 2}, {1, 1}, {1, -1}, {3, 0}, {9, 9}};
    // Two on the same side of an edge, three at it, one flat, one with a corner twice.
    const SoupSurvey survey =
        survey_soup(points, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {0, 1, 5}, {2, 2, 3}}, nullptr, true);
    REQUIRE(survey.find(0, 1));
    CHECK(survey.find(0, 1)->triangle_count == 4);
    CHECK_FALSE(survey.find(0, 1)->illegal);
    CHECK_FALSE(survey.find(2, 3));
    CHECK(survey.unused == 1);
    CHECK(survey.minimum_angle == 0);
    REQUIRE(survey.minimum_angles.size() == 5);
    CHECK(survey.minimum_angles[0] == doctest::Approx(std::atan(2 * 2 / 3.0) * 180 / 3.14159265358979).epsilon(0.3));
    CHECK(survey.minimum_angles[3] == 0);
    CHECK(survey.minimum_angles[4] == 0);
    const SoupSurvey none = survey_soup(points, {}, nullptr);
    CHECK(none.edges.empty());
    CHECK(none.hash == 0);
    CHECK(none.unused == points.size());
    CHECK(std::isnan(none.minimum_angle));
    CHECK(survey_soup({}, {}, nullptr).edges.empty());
}

TEST_CASE("soup survey: changes are triangles and edges, with any first corner") {
    const std::vector<Point> points{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}};
    const SoupTriangles before{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}, now{{2, 0, 1}, {1, 4, 2}},
        flipped{{1, 3, 0}, {1, 2, 3}, {2, 1, 4}};
    const SoupChanges shrunk = compare_soups(before, now, survey_soup(points, now, nullptr));
    CHECK(shrunk.fresh.empty());
    CHECK(shrunk.removed == std::vector<uint32_t>{1});
    CHECK(shrunk.lost_edges == std::vector<std::array<uint32_t, 2>>{{0, 3}, {2, 3}});
    CHECK(shrunk.fresh_edges.empty());
    const SoupSurvey survey = survey_soup(points, flipped, nullptr);
    const SoupChanges flip = compare_soups(before, flipped, survey);
    CHECK(flip.fresh == std::vector<uint32_t>{0, 1});
    CHECK(flip.removed == std::vector<uint32_t>{0, 1});
    CHECK(flip.lost_edges == std::vector<std::array<uint32_t, 2>>{{0, 2}});
    REQUIRE(flip.fresh_edges.size() == 1);
    CHECK(survey.edges[flip.fresh_edges[0]].lesser == 1);
    CHECK(survey.edges[flip.fresh_edges[0]].greater == 3);
    // Of one that is there twice, one may go.
    const SoupTriangles twice{{0, 1, 2}, {1, 2, 0}};
    CHECK(compare_soups(twice, now, survey_soup(points, now, nullptr)).removed == std::vector<uint32_t>{1});
    CHECK(compare_soups(before, before, survey_soup(points, before, nullptr)).fresh.empty());
    const SoupChanges first = compare_soups({}, before, survey_soup(points, before, nullptr));
    CHECK(first.fresh.size() == 3);
    CHECK(first.fresh_edges.size() == 7);
    CHECK(first.lost_edges.empty());
}
