// sanitizers: none
// Means over time: the frames that a warm-up and a window exclude, whether the means are stationary, that going back
// and forth repeats them; and the concentration of this frame.
#include <algorithm>
#include <numeric>

#include "delaunay/runs.h"
#include "events/inputs.h"
#include "events/sources/flow_record.h"
#include "labs/events/source_words.h"

using namespace flipscope;

namespace {

const Settings kChannel{"source=channel", "width=128", "height=96", "count=50", "obstacle_count=2", "comparisons=8"};
const Settings kEmulsion{"source=emulsion",  "width=128",   "height=80",    "count=16",
                         "obstacle_count=2", "interval=60", "comparisons=8"};

bool has_number(const Lab& lab, const std::string& name) { return lab.result().numbers.find(name) != nullptr; }

double sum(const std::vector<double>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

/// A speed at each step that is due, which grows across by `slope` of it, and a stress of minus half of it.
template <class Speed>
FlowProfile recorded(Context& context, uint32_t every, uint64_t warmup, uint64_t window, uint64_t steps,
                     const Speed& speed_at, double slope = 0) {
    FlowRecord record;
    record.reset(context, every, warmup, window);
    for (uint64_t step = 0; step < steps; ++step) {
        if (!record.due(step)) continue;
        const View<uint64_t> sums = record.open(context);
        REQUIRE(sums.count == kProfileSums * kProfileBins);
        std::vector<uint64_t> values = download(context, sums);
        const auto add = [&](size_t k, double value) {
            values[k] += static_cast<uint64_t>(static_cast<int64_t>(value * kPixelUnits));
        };
        for (uint32_t b = 0; b < kProfileBins; ++b) {
            add(kProfileSums * b, speed_at(step) * (1 + slope * ((b + 0.5) / kProfileBins - 0.5)));
            add(kProfileSums * b + 1, -0.5 * speed_at(step));
            ++values[kProfileSums * b + 2];
        }
        context.copy(sums.data, values.data(), values.size() * sizeof(uint64_t));
    }
    return record.profile();
}

}  // namespace

TEST_CASE("flow record: what lies before the warm-up does not count, nor what has left the window") {
    on_every_device([&](Context& context) {
        const auto own_step = [](uint64_t step) { return 1e-4 * double(step); };
        for (const uint64_t warmup : {0, 5, 300, 5000})
            for (const uint64_t window : {0, 1, 100, 640, 1000, 7777})
                for (const uint64_t steps : {1, 10, 301, 700, 6000, 20000}) {
                    INFO("warmup ", warmup, ", window ", window, ", steps ", steps);
                    const FlowProfile profile = recorded(context, 10, warmup, window, steps, own_step);
                    const uint64_t first = (warmup + 9) / 10 * 10;
                    if (steps <= first) {
                        CHECK(profile.samples == 0);
                        CHECK(profile.points.empty());
                        continue;
                    }
                    const uint64_t last = (steps - 1) / 10 * 10;
                    CHECK(profile.to == last);
                    CHECK(profile.from >= first);
                    CHECK(profile.samples == (profile.to - profile.from) / 10 + 1);
                    if (window == 0) {
                        CHECK(profile.from == first);
                    } else {  // a 64th of it more or less, and two samples at least
                        CHECK(profile.samples <= std::max<uint64_t>(2, window / 10) * 66 / 64 + 1);
                        if (last - first > window)
                            CHECK(profile.samples >= std::max<uint64_t>(2, window / 10) * 62 / 64);
                    }
                    const double middle = 0.5 * (own_step(profile.from) + own_step(profile.to));
                    CHECK(profile.middle == doctest::Approx(middle).epsilon(1e-6));
                    for (const ProfilePoint& point : profile.points) CHECK(point.speed == doctest::Approx(1));
                }
    });
}

TEST_CASE("flow record: a steady flow is called stationary, one that grows is not, and the sentence says why") {
    Context context(DeviceRequest::kCpu, 1);
    FlowProfile steady = recorded(context, 10, 100, 0, 3000, [](uint64_t) { return 0.02; });
    CHECK(steady.drift == doctest::Approx(0));
    CHECK(steady.stationary());
    CHECK(has(sentence_of(steady), "from step 100 to step 2990"));
    steady.settling = 5000;  // longer than it was watched
    CHECK_FALSE(steady.stationary());
    const FlowProfile growing = recorded(context, 10, 100, 0, 3000, [](uint64_t step) { return 1e-5 * double(step); });
    CHECK(growing.drift == doctest::Approx(0.935).epsilon(0.05));
    CHECK_FALSE(growing.stationary());
    CHECK(has(sentence_of(growing), "not yet stationary"));
    CHECK_FALSE(recorded(context, 10, 0, 0, 5, [](uint64_t) { return 0.02; }).stationary());  // too few to decide
}

TEST_CASE("flow record: errors of stress, slope and speed come from the scatter of eight blocks of time") {
    Context context(DeviceRequest::kCpu, 1);
    // 8 blocks of 80 samples: the means of blocks are 0.01 and 0.03 in turns.
    const FlowProfile profile = recorded(
        context, 1, 0, 0, 640, [](uint64_t step) { return step / 80 % 2 ? 0.03 : 0.01; }, 0.5);
    const double error = 0.01 / std::sqrt(7.0);  // of eight numbers 0.01 from their mean
    CHECK(profile.middle == doctest::Approx(0.02));
    CHECK(profile.unit == profile.middle);
    CHECK(profile.stress == doctest::Approx(0.01));
    CHECK(profile.stress_error == doctest::Approx(0.5 * error).epsilon(1e-4));
    CHECK(profile.slope == doctest::Approx(0.5 * 0.02));
    CHECK(profile.slope_error == doctest::Approx(0.5 * error).epsilon(1e-4));
    REQUIRE(profile.points.size() == kProfileBins);
    CHECK(profile.points[0].error == doctest::Approx(error / 0.02 * (1 - 0.25 * 63 / 64.)).epsilon(1e-4));
    CHECK(profile.points[0].stress == doctest::Approx(-0.01));
    CHECK(profile.points[0].stress_error == doctest::Approx(0.5 * error).epsilon(1e-4));
    CHECK(std::isnan(recorded(context, 1, 0, 0, 1, [](uint64_t) { return 0.02; }).stress_error));
}

TEST_CASE("events means: the profile counts from the warm-up on, or over the last steps, and says over which") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Settings& source : {kChannel, kEmulsion}) {
        CAPTURE(source[0]);
        const auto all = finished(context, nothing(), "events", source);
        const double end = number_of(*all, "time");
        CHECK(number_of(*all, "flow mean from") == 0);
        const auto late = finished(context, nothing(), "events", with(source, {"warmup=200"}));
        CHECK(number_of(*late, "flow mean from") == 200);
        CHECK(number_of(*late, "flow mean to") == number_of(*all, "flow mean to"));
        CHECK(late->state_hash() == all->state_hash());
        REQUIRE(facet<Measurable>(*late).statistics().all<Curve>()[0].name == "flow across the channel");
        CHECK(facet<Measurable>(*late).statistics().all<Curve>()[0].y !=
              facet<Measurable>(*all).statistics().all<Curve>()[0].y);
        if (source[0] == "source=emulsion")  // it begins at rest
            CHECK(number_of(*late, "flow in the middle") > 1.1 * number_of(*all, "flow in the middle"));
        const auto last = finished(context, nothing(), "events", with(source, {"mean_window=150"}));
        CHECK(number_of(*last, "flow mean from") >= end - 201);  // two samples of an emulsion
        CHECK(number_of(*last, "flow mean from") < end);
        const auto never = finished(context, nothing(), "events", with(source, {"warmup=100000"}));
        CHECK(facet<Measurable>(*never).statistics().all<Curve>().empty());
        CHECK_FALSE(has_number(*never, "flow mean from"));
    }
}

TEST_CASE("events means: events across x and directions of links count whole comparisons after the warm-up only") {
    Context context(DeviceRequest::kCpu, 2);
    const Settings bubbles{"width=96", "height=64", "count=40", "comparisons=8", "interval=20"};
    const auto all = finished(context, nothing(), "events", bubbles);
    const auto late = finished(context, nothing(), "events", with(bubbles, {"warmup=70"}));
    const auto last = finished(context, nothing(), "events", with(bubbles, {"mean_window=60"}));
    const auto never = finished(context, nothing(), "events", with(bubbles, {"warmup=160"}));
    CHECK(late->state_hash() == all->state_hash());
    const auto counted = [](const Lab& lab) {
        const auto histograms = facet<Measurable>(lab).statistics().all<Distribution>();
        return sum(histograms[0].before) + sum(histograms[0].now);
    };
    const auto found_since = [&](uint64_t round) {
        uint64_t count = 0;
        for (const Detection& detection : facet<Detector>(*all).detections(0))
            count += detection.round >= round && detection.lost_contacts.size() + detection.created_contacts.size() > 0;
        return count;
    };
    CHECK(counted(*all) == found_since(0));
    CHECK(counted(*late) == found_since(5));  // the fourth comparison begins at step 60
    CHECK(counted(*last) == found_since(6));
    CHECK(counted(*never) == 0);
    CHECK(counted(*late) < counted(*all));
    // The list has all of them.
    CHECK(facet<Detector>(*late).detections(0).size() == facet<Detector>(*all).detections(0).size());
}

TEST_CASE("concentration: the part of the sites that bubbles take, without obstacles and with them") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<std::vector<Point>> frames{{{10, 10}, {30, 10}, {20, 22}}, {{10, 10}}};
    const Input input = film(40, 30, frames);
    size_t inside = 0;
    for (size_t pixel = 0; pixel < 1200; ++pixel) inside += input->field->values[pixel] > 0.5f;
    StartedTimeline timeline(context, input, "events", {"interval=1"});
    CHECK_FALSE(has_number(timeline.lab(), "concentration φ"));  // nothing is measured yet
    timeline.step_level(Level::kRound);
    CHECK(number_of(timeline.lab(), "concentration φ") == doctest::Approx(double(inside) / 1200));
    CHECK_FALSE(has_number(timeline.lab(), "φ of all pixels"));
    timeline.run_to_end();
    CHECK(number_of(timeline.lab(), "concentration φ") == doctest::Approx(double(inside) / 3 / 1200));
    const auto below = finished(context, input, "events", {"polarity=below"});
    CHECK(number_of(*below, "concentration φ") == doctest::Approx(1 - double(inside) / 3 / 1200));

    for (const Settings& source : {kChannel, kEmulsion}) {
        const auto lab = finished(context, nothing(), "events", source);
        const auto labels = values_of<uint32_t>(*lab, "labels"), colours = values_of<uint32_t>(*lab, "colours");
        const double pixels = double(labels.size());
        const double in = pixels - double(std::count(labels.begin(), labels.end(), kNone));
        const double solid = double(std::count(colours.begin(), colours.end(), kMaxLink));
        CHECK(solid > 0);
        CHECK(number_of(*lab, "concentration φ") == doctest::Approx(in / (pixels - solid)));
        CHECK(number_of(*lab, "φ of all pixels") == doctest::Approx(in / pixels));
    }
    CHECK_FALSE(
        has_number(*finished(context, tracks({{{0, {1, 2}}, {1, {3, 1}}, {2, {2, 5}}}}), "events"), "concentration φ"));
}

TEST_CASE("events lab: numbers that come with a run say of what they are, and what was capped is told at once") {
    Context context(DeviceRequest::kCpu, 1);
    const Settings crowded{"source=channel", "count=4", "packing=1.1", "obstacle_count=0", "comparisons=1"};
    CHECK(has(messages_of(context, nothing(), crowded), "A packing of 1.1 cannot be reached: 4 droplets on"));
    const auto lab = finished(context, nothing(), "events", crowded);
    CHECK(number_of(*lab, "packing") < 0.5);
    for (const Property& number : lab->result().numbers)
        if (number.name != "comparisons" && number.name != "names given so far") {
            CAPTURE(number.name);
            CHECK_FALSE(number.value.unit.empty());
        }
    const auto unit_of_time = [&](const Input& input) {
        return finished(context, input, "events")->result().numbers.find("time")->value.unit;
    };
    const Input moving = tracks({{{0, {1, 2}}, {1, {3, 1}}}, {{0, {1, 2}}, {1, {3, 2}}}});
    CHECK(unit_of_time(moving) == "units of the file");
    auto timed = std::make_shared<Geometry>(*moving);
    auto in_seconds = std::make_shared<Tracks>(*timed->tracks);
    in_seconds->time_unit = "s";
    timed->tracks = in_seconds;
    CHECK(unit_of_time(timed) == "s");
    CHECK(unit_of_time(film(20, 20, {{{5, 5}}, {{6, 5}}})) == "frames");
}
