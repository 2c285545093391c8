// Detections as text: the file for spreadsheets and the short forms of the window's list.
#include "app/run/detections.h"

#include <doctest/doctest.h>

#include <cmath>

#include "app/folders.h"
#include "geometry/places.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

Detection event() {
    Detection detection;
    detection.time = 0.1;
    detection.kind = "T1";
    detection.place = {12.5, -3};
    detection.vertices = {3, 7, 9, 12};
    detection.lost_contacts = {{3, 9}};
    detection.created_contacts = {{7, 12}, {-1, 4}};
    detection.round = 42;
    return detection;
}

}  // namespace

TEST_CASE("detections: a list shows all or one kind, by time or by kind, and grows with what is new") {
    std::vector<Detection> all(5);
    for (size_t i = 0; i < all.size(); ++i) {
        all[i].time = static_cast<double>(i);
        all[i].kind = i % 2 ? "split" : "T1";
    }
    using Rows = std::vector<uint32_t>;
    DetectionList list;
    list.follow({all.begin(), all.begin() + 3});
    CHECK(list.rows() == Rows{0, 1, 2});
    list.follow(all);
    CHECK(list.rows() == Rows{0, 1, 2, 3, 4});
    REQUIRE(list.kinds().size() == 2);
    CHECK(list.kinds()[0].name == "T1");
    CHECK(list.kinds()[0].detections == Rows{0, 2, 4});
    list.sort_by_kind(true);
    CHECK(list.rows() == Rows{0, 2, 4, 1, 3});
    CHECK(list.row_of(1) == 3);
    CHECK(list.rows_among(2) == 2);
    list.show("split");
    CHECK(list.rows() == Rows{1, 3});
    CHECK(list.row_of(2) == 2);  // not shown
    all.push_back(all[1]);
    all.back().time = 9;
    list.follow(all);
    CHECK(list.rows() == Rows{1, 3, 5});
    list.sort_by_kind(false);
    // Another run, without detections of that kind.
    std::vector<Detection> others(7);
    for (Detection& one : others) one.kind = "merge", one.time = -1;
    list.follow(others);
    CHECK(list.shown().empty());
    CHECK(list.rows() == Rows{0, 1, 2, 3, 4, 5, 6});
    list.follow({});
    CHECK(list.rows().empty());
}

TEST_CASE("detections: the CSV has a heading and a line each, with every double in full") {
    CHECK(detections_csv({}) ==
          "time,round,kind,x,y,vertices,lost contacts,created contacts,cell 1,cell 2,cell 3,cell 4,area before 1,"
          "area before 2,area before 3,area before 4,area after 1,area after 2,area after 3,area after 4,lost length,"
          "lost angle [°],created length,created angle [°]\n");
    const auto lines = lines_of(detections_csv({event(), Detection{}}));
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == "0.1,42,T1,12.5,-3,3 7 9 12,3 9,\"7 12; -1 4\",,,,,,,,,,,,,,,,");
    CHECK(lines[2] == "0,0,,0,0,,,,,,,,,,,,,,,,,,,");
    Detection third = event();
    third.time = 1.0 / 3;
    third.kind = "T1, \"bulk\"";
    CHECK(lines_of(detections_csv({third}))[1].starts_with("0.3333333333333333,42,\"T1, \"\"bulk\"\"\",12.5"));
}

TEST_CASE("detections: the CSV has the units beside the names, the four cells apart, and what is missing empty") {
    Detection t1 = event();
    t1.cells = {{3, 10, 12}, {9, 11, 13}, {7, 8, std::nan("")}};
    t1.lost_length = 2.5;
    t1.lost_angle = 30;
    const auto lines = lines_of(detections_csv({t1}, {}, {"s", "nm"}));
    CHECK(lines[0].starts_with("time [s],round,kind,x [nm],y [nm],vertices,"));
    CHECK(
        lines[0].ends_with("area after 4 [nm²],lost length [nm],lost angle [°],created length [nm],created angle [°]"));
    CHECK(lines[1].ends_with("3,9,7,,10,11,8,,12,13,,,2.5,30,,"));
    CHECK(in_full(t1).find("lost contact: length 2.5, angle 30°") != std::string::npos);
}

TEST_CASE("detections: a lab whose detections are no changes has its own columns") {
    LabInfo info;
    info.detects_changes = false;
    info.detection_measures = {{"dual length", "how long", "sites"}, {"shortfall", "how much more", "sites"}};
    Detection missed = event();
    missed.kind = "missed";
    missed.measures = {1.25, std::nan("")};
    const auto lines = lines_of(detections_csv({missed, Detection{}}, info));
    CHECK(lines[0] == "time,round,kind,x,y,vertices,dual length [sites],shortfall [sites]");
    CHECK(lines[1] == "0.1,42,missed,12.5,-3,3 7 9 12,1.25,");
    CHECK(lines[2] == "0,0,,0,0,,,");
    CHECK(in_full(missed, info).ends_with("vertices 3, 7, 9, 12\ndual length 1.25 sites"));
}

TEST_CASE("detections: places are written in the units of the input where a detection has them") {
    Detection given = event();
    given.given = Point{0.125, 1e6};
    CHECK(lines_of(detections_csv({given}))[1].starts_with("0.1,42,T1,0.125,1e+06,3 7"));
    CHECK(has(in_full(given), "place (0.125, 1000000)"));
    CHECK(has(in_full(event()), "place (12.5, "));
    // All digits, however far from the origin.
    given.given = Point{5402320.25, 0.1};
    given.time = 1234567.25;
    CHECK(has(in_full(given), "place (5402320.25, 0.1)"));
    CHECK(has(in_full(given), "at time 1234567.25,"));
}

TEST_CASE("detections: the list writes places with the resolution of their spread, however far from the origin") {
    std::vector<Detection> some(3, event());
    some[0].place = {5402320.25, 7};
    some[1].place = {5402320.5, 7};
    some[2].place = {5402330.25, 8};
    PlaceSpread spread;
    CHECK(spread.resolution() == 0);
    for (const Detection& one : some) spread.add(one);
    const double resolution = spread.resolution();
    CHECK(place_text(some[0].place, resolution) == "5402320.25, 7");
    CHECK(place_text(some[1].place, resolution) == "5402320.5, 7");
    some[1].place = {5402320.2500001, 7};
    CHECK(place_text(some[1].place, resolution) == "5402320.25, 7");
    PlaceSpread one_place;
    one_place.add(event());
    CHECK(one_place.resolution() == 0);
    one_place.add(event());
    CHECK(one_place.resolution() == 0);
}

TEST_CASE("detections: the list names vertices and pairs, and says where it leaves some out") {
    CHECK(vertices_text(event()) == "3, 7, 9, 12");
    CHECK(vertices_text(event(), 2) == "3, 7, …");
    CHECK(vertices_text(Detection{}).empty());
    CHECK(pairs_text({}) == "\u2013");
    CHECK(pairs_text({{3, 9}, {7, 12}}) == "3\u20139, 7\u201312");
    CHECK(pairs_text({{3, 9}, {7, 12}}, 1) == "3\u20139, …");
}

TEST_CASE("detections: singular and plural use the lab's word") {
    LabInfo info;
    CHECK(count_of_detections(2, info) == "2 detections");
    info.detects = "difference";
    CHECK(word_of(info) == "difference");
    CHECK(words_of(info) == "differences");
    CHECK(count_of_detections(1, info) == "1 difference");
    CHECK(count_of_detections(12345, info) == "12,345 differences");
}
