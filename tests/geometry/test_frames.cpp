// Input other than points: frames of pictures, the detection of label images, and what a geometry has.
#include "geometry/frames.h"

#include "geometry/label_image.h"
#include "geometry/recording.h"
#include "test_support.h"

using namespace flipscope;

namespace {

FieldStack one_pixel(double whole, bool labels, double interval) {
    FieldStack frame{"frame", 1, 1, {0.5f}};
    frame.whole = whole;
    frame.labels = labels;
    frame.interval = interval;
    return frame;
}

template <class Value>
bool is_labelled(uint32_t width, uint32_t height, const Value& value) {
    FieldStack stack{"picture", width, height, {}};
    stack.whole = 1;
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) stack.values.push_back(static_cast<float>(value(x, y)));
    return looks_like_labels(stack);
}

}  // namespace

TEST_CASE("frames: each is turned upside down on its own, and so are exact values") {
    FieldStack stack{"two frames", 2, 3, {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16}};
    stack.exact.assign(stack.values.begin(), stack.values.end());
    flip_rows(stack);
    CHECK(stack.values == std::vector<float>{5, 6, 3, 4, 1, 2, 15, 16, 13, 14, 11, 12});
    CHECK(stack.frame(1)[0] == 15);
    CHECK(stack.exact_frame(1)[5] == 12);
}

TEST_CASE("frames: appended ones keep the name and the interval, and are labels if all of them are") {
    FieldStack film{"film", 0, 0, {}};
    CHECK_FALSE(film.labels);
    append_frames(film, one_pixel(255, true, 3));
    CHECK(film.interval == 3);
    CHECK(film.name == "film");
    append_frames(film, one_pixel(255, true, 0));
    CHECK(film.frame_count() == 2);
    CHECK(film.whole == 255);
    CHECK(film.labels);
    append_frames(film, one_pixel(1, true, 0));  // integers of another scale
    CHECK(film.whole == 0);
    CHECK_FALSE(film.labels);
    FieldStack timed{"timed", 0, 0, {}};
    timed.interval = 2;
    append_frames(timed, one_pixel(0, false, 3));
    CHECK(timed.interval == 2);
}

TEST_CASE("label images: blocks of one number each are cells; ramps and narrow stripes are not") {
    CHECK(is_labelled(24, 8, [](uint32_t x, uint32_t y) { return 1 + (x / 4 + y / 4 * 6) * 5 % 12; }));
    CHECK_FALSE(is_labelled(24, 8, [](uint32_t x, uint32_t y) { return 1 + x / 4 + y / 4; }));
    CHECK_FALSE(is_labelled(30, 6, [](uint32_t x, uint32_t) { return 1 + (x < 2 ? 0 : x - 1) * 11 % 29; }));
}

TEST_CASE("geometry: it has nothing without points or frames, and lies at z = 0 in the plane") {
    Geometry geometry;
    CHECK(geometry.has_nothing());
    geometry.field = std::make_shared<FieldStack>();
    CHECK_FALSE(geometry.has_nothing());
    geometry.points = {{1, 2}};
    CHECK(geometry.at(0) == Point3{1, 2, 0});
    CHECK(RecordedSteps::Marks{{1}, {{0, 1}}, {2, 3}}.count() == 4);
}
