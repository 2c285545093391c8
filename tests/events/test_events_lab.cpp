// The Events lab as a machine: every source and every kind of input, stepped, finished, reversed and checked.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "delaunay/runs.h"
#include "events/events_machine.h"
#include "events/inputs.h"

using namespace flipscope;

namespace {

const Settings kSmall{"width=96", "height=64", "count=40", "comparisons=6"};

/// Four in a diamond, within a ring that stays; the diamond is flattened the other way.
std::vector<Point> diamond(double half_width, double half_height) {
    std::vector<Point> places;
    for (const int degrees : {12, 55, 99, 148, 190, 236, 281, 325})
        places.push_back(
            {std::round(35 + 22 * std::cos(degrees / 57.29578)), std::round(35 + 22 * std::sin(degrees / 57.29578))});
    for (const Point p :
         {Point{35 - half_width, 35}, {35 + half_width, 35}, {35, 35 - half_height}, {35, 35 + half_height}})
        places.push_back(p);
    return places;
}

std::vector<Detection> all_detections(const Lab& lab) { return facet<Detector>(lab).detections(0); }

bool same_detections(const Lab& a, const Lab& b) {
    const auto x = all_detections(a), y = all_detections(b);
    if (x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i)
        if (x[i].time != y[i].time || x[i].kind != y[i].kind || !(x[i].place == y[i].place) ||
            x[i].vertices != y[i].vertices || x[i].lost_contacts != y[i].lost_contacts ||
            x[i].created_contacts != y[i].created_contacts || x[i].round != y[i].round)
            return false;
    return true;
}

bool same_detail_views(const Lab& a, const Lab& b) {
    for (size_t i = 0; i < facet<Detector>(a).detection_count(); ++i) {
        const auto x = facet<Detector>(a).report_of_detection(i).all<Diagram>(),
                   y = facet<Detector>(b).report_of_detection(i).all<Diagram>();
        for (size_t k = 0; k < x.size(); ++k) {
            if (x[k].shapes.size() != y[k].shapes.size()) return false;
            for (size_t l = 0; l < x[k].shapes.size(); ++l)
                if (x[k].shapes[l].corners != y[k].shapes[l].corners || x[k].shapes[l].text != y[k].shapes[l].text)
                    return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("events lab: stepping and finishing end in the same state, on every device, for every source and graph") {
    for (const Settings& one :
         {Settings{"source=bubbles", "drift_x=0.3"}, Settings{"source=bubbles", "borders=open", "interval=30"},
          Settings{"source=shear", "interval=40"},
          Settings{"source=channel", "count=20", "obstacle_count=2", "interval=40"},
          Settings{"source=rolls", "interval=40"}, Settings{"source=bubbles", "graph=delaunay", "interval=60"},
          Settings{"source=bubbles", "method=jump-flooding", "interval=60"},
          Settings{"source=bubbles", "measure=sorting", "interval=60", "polarity=below"},
          Settings{"source=particles", "interval=20"},
          Settings{"source=particles", "contact_distance=1.4", "swimming_speed=4"},
          Settings{"source=particles", "matching=nearest"},
          Settings{"source=particles", "borders=periodic_x", "box=12x9"}}) {
        uint64_t expected = 0;
        INFO(one[0], " ", one.back());
        on_every_device([&](Context& context) {
            const Settings settings = with(kSmall, one);
            const auto by_steps = stepped(context, nothing(), "events", settings);
            const auto at_once = finished(context, nothing(), "events", settings);
            CHECK(by_steps->state_hash() == at_once->state_hash());
            CHECK(same_detections(*by_steps, *at_once));
            CHECK(same_detail_views(*by_steps, *at_once));
            CHECK(hash_of_states(*by_steps) == hash_of_states(*at_once));
            if (expected == 0) expected = by_steps->state_hash();
            CHECK(by_steps->state_hash() == expected);
            check_passes(*at_once);
        });
    }
}

TEST_CASE("events lab: after every comparison what it found is what the sets say") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* source : {"bubbles", "shear", "channel", "rolls", "particles"}) {
        INFO(std::string(source));
        auto lab = started(context, nothing(), "events",
                           with(kSmall, {std::string("source=") + source, "count=25", "interval=80", "comparisons=12",
                                         "obstacle_count=2"}));
        int64_t changed = 0;
        while (!lab->done()) {
            const StepResult result = lab->step();
            if (result.ended < Level::kRound) continue;
            check_passes(*lab);
            const int64_t links =
                result.counters[EventsMachine::kLostContacts] + result.counters[EventsMachine::kCreatedContacts];
            if (result.round > 0) {
                changed += links;
                int64_t plastic = 0;
                for (const uint32_t kind : {EventsMachine::kT1Events, EventsMachine::kBoundaryEvents,
                                            EventsMachine::kMixedEvents, EventsMachine::kUnclearEvents})
                    plastic += result.counters[kind];
                CHECK(result.breakpoint_hit == (plastic > 0));
            }
        }
        int64_t listed = 0;
        for (const Detection& detection : all_detections(*lab))
            listed += int64_t(detection.lost_contacts.size() + detection.created_contacts.size());
        CHECK(listed == changed);
        CHECK(changed > 0);
    }
}

TEST_CASE("events lab: a diamond that is squeezed makes one T1, on its lattice, among its points, and as tracks") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<std::vector<Point>> frames{diamond(6, 8), diamond(7, 8), diamond(8, 7), diamond(8, 6)};
    std::vector<std::vector<std::pair<int64_t, Point>>> named(frames.size());
    for (size_t t = 0; t < frames.size(); ++t)
        for (size_t k = frames[t].size(); k-- > 0;) named[t].push_back({int64_t(100 - k), frames[t][k]});
    for (const char* graph : {"lattice", "delaunay"})
        for (const bool as_tracks : {false, true}) {
            INFO(std::string(graph) << std::string(as_tracks ? ", tracks" : ", film"));
            auto lab = started(context, as_tracks ? tracks(named) : film(70, 70, frames), "events",
                               {std::string("graph=") + graph, "borders=open", "width=70", "height=70"});
            std::vector<bool> breakpoint_hit;
            while (!lab->done()) {
                const StepResult result = lab->step();
                if (result.ended >= Level::kRound) breakpoint_hit.push_back(result.breakpoint_hit);
            }
            CHECK(std::count(breakpoint_hit.begin(), breakpoint_hit.end(), true) == 1);
            CHECK(breakpoint_hit.at(2));
            REQUIRE(facet<Detector>(*lab).detection_count() == 1);
            const Detection detection = facet<Detector>(*lab).detections(0)[0];
            CHECK(detection.kind == "T1");
            CHECK(detection.round == 2);
            CHECK(detection.time == doctest::Approx(as_tracks ? 20 : 2));
            CHECK(detection.vertices.size() == 4);
            CHECK(detection.lost_contacts.size() == 1);
            CHECK(detection.created_contacts.size() == 1);
            if (as_tracks) {
                CHECK(detection.vertices == std::vector<int64_t>{89, 90, 91, 92});
                CHECK(detection.lost_contacts[0] == std::array<int64_t, 2>{91, 92});
                CHECK(detection.created_contacts[0] == std::array<int64_t, 2>{89, 90});
            } else {
                CHECK(detection.place.x == doctest::Approx(35).epsilon(0.02));
                CHECK(detection.place.y == doctest::Approx(35).epsilon(0.02));
            }
            // The detail view: four cells before and after, the link and the cell edge that it crosses, and four quiet
            // links.
            const auto diagrams = facet<Detector>(*lab).report_of_detection(0).all<Diagram>();
            REQUIRE(diagrams.size() == 2);
            for (const Diagram& diagram : diagrams) {
                size_t polygons = 0, changed = 0, edges = 0, quiet = 0;
                for (const Diagram::Shape& shape : diagram.shapes) {
                    polygons += shape.kind == Diagram::Shape::Kind::kPolygon;
                    changed += shape.role == Role::kLostContact || shape.role == Role::kCreatedContact;
                    edges += shape.role == Role::kExact;
                    quiet += shape.kind == Diagram::Shape::Kind::kLine && shape.role == Role::kPlain;
                }
                CHECK(polygons == 4);
                CHECK(changed == 1);
                CHECK(edges == 1);
                CHECK(quiet == 4);
            }
        }
}

TEST_CASE("events lab: rounds are told with the same counters when finishing") {
    Context context(DeviceRequest::kCpu, 1);
    auto by_steps = lab_with("events", with(kSmall, {"interval=60"}));
    auto at_once = lab_with("events", with(kSmall, {"interval=60"}));
    std::vector<std::vector<int64_t>> rounds;
    by_steps->reset(context, nothing());
    std::vector<int64_t> sum(EventsMachine::kCounters, kNotCounted);
    while (!by_steps->done()) {
        const StepResult result = by_steps->step();
        for (size_t k = 0; k < sum.size(); ++k)
            if (result.counters[k] != kNotCounted) sum[k] = result.counters[k];
        if (result.ended < Level::kRound) continue;
        rounds.push_back(sum);
        sum.assign(sum.size(), kNotCounted);
    }
    size_t at = 0;
    at_once->reset(context, nothing());
    at_once->finish([&](const StepResult& result) {
        REQUIRE(at < rounds.size());
        CHECK(result.round == at);
        CHECK(result.counters == rounds[at++]);
    });
    CHECK(at == rounds.size());
}

TEST_CASE("events lab: thresholds that give no bubble, one, or all say so and go on") {
    Context context(DeviceRequest::kCpu, 1);
    struct Case {
        Settings settings;
        const char* text;
        int64_t bubbles;
    };
    for (const Case& one :
         {Case{{"auto_threshold=off", "threshold=1e6"}, "no bubbles", 0},
          Case{{"auto_threshold=off", "threshold=-1e6"}, "one bubble", 1},
          Case{{"auto_threshold=off", "threshold=-1e6", "polarity=below", "graph=delaunay"}, "no bubbles", 0},
          Case{{"auto_threshold=off", "threshold=1e6", "polarity=below", "graph=delaunay"}, "one bubble", 1},
          Case{{"auto_threshold=on", "threshold=-1e6", "count=1"}, "is for auto_threshold=off", -1}}) {
        auto lab = started(context, nothing(), "events", with(kSmall, with({"comparisons=2"}, one.settings)));
        std::string said;
        int64_t bubbles = -1;
        while (!lab->done()) {
            const StepResult result = lab->step();
            said += result.message.text();
            bubbles = std::max(bubbles, result.counters[EventsMachine::kBubbles]);
        }
        CHECK_MESSAGE(has(said, one.text), said);
        CHECK_MESSAGE(said.find(one.text) == said.rfind(one.text), said);
        if (one.bubbles < 0) continue;  // the usual threshold finds some
        CHECK(bubbles == one.bubbles);
        CHECK(facet<Detector>(*lab).detection_count() == 0);
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK(
            finished(context, nothing(), "events", with(kSmall, with({"comparisons=2"}, one.settings)))->state_hash() ==
            lab->state_hash());
    }
}

TEST_CASE("events lab: what falls short of what was asked for is told, stepped and finished") {
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Point> two{{5, 5}, {15, 15}};
    const Input five = film(20, 20, {two, two, two, two, two});
    struct Case {
        Input input;
        Settings settings;
        const char* part;
        bool is_told;
    };
    for (const Case& one :
         {Case{five, {"interval=30"}, "over 4 frames, not 30", true},
          Case{five, {"interval=2"}, "this comparison", false}, Case{five, {}, "of the first frame", true},
          Case{five, {"auto_threshold=off"}, "of the first frame", false},
          Case{nothing(), {"width=64", "height=32", "count=5000", "comparisons=1"}, "23 bubbles, not 5000", true}}) {
        std::string finishing;
        const auto lab = started(context, one.input, "events", one.settings);
        lab->finish([&](const StepResult& round) { add_message(finishing, round); });
        CHECK(messages_of(context, one.input, one.settings) == finishing);
        CHECK_MESSAGE(has(finishing, one.part) == one.is_told, finishing);
    }
}

TEST_CASE("events lab: lattices of a single site and of a single row, one frame, and frames without anything") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* graph : {"graph=lattice", "graph=delaunay"})
        for (const char* borders :
             {"frame_borders=open", "frame_borders=periodic", "frame_borders=periodic_x", "frame_borders=periodic_y"})
            for (const Input& input :
                 {film(1, 1, {{{0, 0}}, {}, {{0, 0}}}, 0.1),
                  film(9, 1, {{{1, 0}, {5, 0}}, {{2, 0}, {5, 0}, {8, 0}}}, 0.1),
                  film(1, 7, {{{0, 1}, {0, 5}}, {{0, 5}}}, 0.1), film(20, 20, {{{5, 5}, {15, 15}}}),
                  film(20, 20, {{}, {}, {}}), film(20, 20, {{{10, 10}}, {{10, 10}}}, 100)}) {
                const auto lab = stepped(context, input, "events", {graph, borders});
                CHECK(lab->done());
                check_passes(*lab);
                CHECK(finished(context, input, "events", {graph, borders})->state_hash() == lab->state_hash());
            }
}

TEST_CASE("events lab: where the host does not ask for counts, too many bubbles are noticed, and found again") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<Point> crowd;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 48; ++x) crowd.push_back({2.0 * x, 2.0 * y});
    const Input input = film(96, 96, {{{50, 50}}, {{50, 50}, {20, 30}, {70, 20}}, crowd}, 0.5);
    const auto source = make_recording(context, input->field, {});
    EventsParameters parameters;
    EventsChain chain;
    chain.reset(context, parameters, *source, false);
    chain.set_guessing(true);
    LinkedFrame frame;
    frame.reset(context, source->lattice());
    const auto from_sites = [&](bool wait) {
        chain.measure(*source, wait);
        chain.colour();
        chain.corners();
        chain.link();
        chain.arrange(wait);
        chain.give(*source, frame);
        return frame.read_count();
    };
    for (const uint32_t expected : {1u, 3u, 2304u}) {
        chain.threshold(*source, false);
        chain.label(*source);
        uint32_t count = from_sites(false);
        CHECK(chain.too_small(count) == (expected > 1000));
        if (chain.too_small(count)) {
            CHECK(count < expected);
            count = from_sites(true);
            CHECK_FALSE(chain.too_small(count));
        }
        CHECK(count == expected);
        CHECK(frame.read_entries() / 2 >= expected - 1);  // all hang together
        source->advance(context, 1);
    }
}

TEST_CASE("events lab: arrays, histograms and numbers agree with each other") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, nothing(), "events", with(kSmall, {"interval=80", "comparisons=10"}));
    REQUIRE(facet<Detector>(*lab).detection_count() > 0);
    std::map<std::string, Array> arrays;
    for (const ArrayInfo& info : facet<Exporter>(*lab).arrays()) {
        Array array = facet<Exporter>(*lab).array(info.name);
        size_t count = 1;
        for (const size_t n : array.shape) count *= n;
        const bool wide = array.type == Array::Type::kInt64 || array.type == Array::Type::kFloat64;
        CHECK(array.values.size() == count * (wide ? 8 : 4));
        arrays[info.name] = std::move(array);
    }
    CHECK_THROWS_AS(facet<Exporter>(*lab).array("nonsense"), std::logic_error);
    const Result result = lab->result();
    CHECK(arrays["sites"].shape[0] == result.points);
    CHECK(arrays["links"].shape[0] == result.edges);
    CHECK(arrays["events"].shape[0] == facet<Detector>(*lab).detection_count());
    uint64_t lost = 0, created = 0;
    for (const Detection& detection : all_detections(*lab)) {
        lost += detection.lost_contacts.size();
        created += detection.created_contacts.size();
    }
    CHECK(arrays["changes"].shape[0] == lost + created);
    const auto histograms = facet<Measurable>(*lab).statistics().all<Distribution>();
    REQUIRE(histograms.size() >= 3);
    const auto sum = [](const std::vector<double>& bins) { return std::accumulate(bins.begin(), bins.end(), 0.0); };
    CHECK(sum(histograms[2].now) == sum(histograms[0].now));  // across y as across x
    const std::vector<Detection> all = all_detections(*lab);
    const auto is_of_links = [](const Detection& one) {
        return one.lost_contacts.size() + one.created_contacts.size() > 0;
    };
    CHECK(sum(histograms[0].before) + sum(histograms[0].now) == std::count_if(all.begin(), all.end(), is_of_links));
    CHECK(histograms[0].now.size() == 20);
    for (const Detection& detection : all_detections(*lab))
        if (detection.kind == "unmatched") {
            lost -= detection.lost_contacts.size();
            created -= detection.created_contacts.size();
        }
    CHECK(sum(histograms[1].before) == lost);
    CHECK(sum(histograms[1].now) == created);
    for (size_t i = 0; i < all.size(); ++i)
        CHECK(facet<Detector>(*lab).report_of_detection(i).all<Diagram>().size() == (is_of_links(all[i]) ? 2 : 1));
}

TEST_CASE("events lab: a detail view draws the posts beside an event, and no edge of cells behind one") {
    constexpr uint32_t kWidth = 96, kHeight = 64, kObstacle = 2004318071;
    Context context(DeviceRequest::kCpu, 2);
    const auto lab =
        finished(context, nothing(), "events",
                 with(kSmall, {"source=channel", "count=30", "obstacle_count=3", "interval=60", "comparisons=12"}));
    const auto pixels = values_of<uint32_t>(*lab, "colours");
    REQUIRE(pixels.size() == kWidth * kHeight);
    const auto is_obstacle = [&](double x, double y) {
        const auto wrap = [](double v, uint32_t period) {
            const double whole = std::floor(v + 0.5);
            return static_cast<size_t>(whole - std::floor(whole / period) * period);
        };
        return pixels[wrap(y, kHeight) * kWidth + wrap(x, kWidth)] == kObstacle;
    };
    size_t with_posts = 0, edges = 0;
    for (size_t i = 0; i < facet<Detector>(*lab).detection_count(); ++i)
        for (const Diagram& diagram : facet<Detector>(*lab).report_of_detection(i).all<Diagram>()) {
            INFO("event ", i, ", ", diagram.title);
            double seen = 0, drawn = 0;  // pixels of obstacles, and area of what is drawn for them
            for (double y = std::ceil(diagram.low.y); y <= diagram.high.y; ++y)
                for (double x = std::ceil(diagram.low.x); x <= diagram.high.x; ++x) seen += is_obstacle(x, y);
            for (const Diagram::Shape& shape : diagram.shapes) {
                if (shape.role == Role::kObstacle)
                    drawn += (shape.corners[2].x - shape.corners[0].x) * (shape.corners[2].y - shape.corners[0].y);
                if (shape.role != Role::kExact || shape.kind != Diagram::Shape::Kind::kLine) continue;
                const Point a = shape.corners[0], b = shape.corners[1];
                CHECK_FALSE(is_obstacle((a.x + b.x) / 2, (a.y + b.y) / 2));
                ++edges;
            }
            // A pixel at the rim of the drawing may be cut.
            const double rim = 2 * (diagram.high.x - diagram.low.x + diagram.high.y - diagram.low.y) + 4;
            CHECK(std::abs(seen - drawn) <= rim);
            if (seen > 0) CHECK(drawn > 0);
            with_posts += seen > 0;
        }
    CHECK(with_posts > 0);
    CHECK(edges > 0);
}

TEST_CASE("events lab: every pixel of the picture can be picked and inspected") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = stepped(context, nothing(), "events", with(kSmall, {"interval=80"}));
    const Scene scene = lab->scene();
    REQUIRE(scene.count_of(ElementKind::kEdge) > 0);
    CHECK(scene.point_count == lab->result().points);
    for (uint32_t s = 0; s < 96 * 64; s += 97) {
        CHECK(facet<Inspectable>(*lab).inspect({ElementKind::kPixel, s}).properties().size() >= 3);
        CHECK(facet<Inspectable>(*lab).inspect({ElementKind::kPixel, s}).has<Diagram>());
        CHECK(facet<Inspectable>(*lab).pick({{double(s % 96), double(s / 96)}, 0.01, {}, 0}).id != kNone);
    }
    CHECK(facet<Inspectable>(*lab).pick({{-50, 10}, 0.01, {}, 0}).id == kNone);
}

TEST_CASE("events lab: walls and posts stay in the picture while bubbles are looked for") {
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, nothing(), "events",
                                 with(kSmall, {"source=channel", "count=20", "obstacle_count=2", "comparisons=2"}));
        const auto shown = [&] { return timeline.lab().scene().lattice().colours->download(); };
        std::vector<std::vector<uint32_t>> seen;
        while (timeline.step()) seen.push_back(shown());
        std::vector<size_t> walls;
        for (size_t pixel = 0; pixel < seen.back().size(); ++pixel)
            if (seen.back()[pixel] == kMaxLink) walls.push_back(pixel);
        REQUIRE(walls.size() > 64);
        for (size_t step = 0; step < seen.size(); ++step) {
            INFO(step);
            CHECK(size_t(std::count(seen[step].begin(), seen[step].end(), kMaxLink)) == walls.size());
            CHECK(std::all_of(walls.begin(), walls.end(), [&](size_t pixel) { return seen[step][pixel] == kMaxLink; }));
        }
        for (const size_t step : {seen.size() - 1, size_t(13), size_t(2), size_t(14)}) {
            timeline.seek(step + 1);
            CHECK(shown() == seen[step]);
        }
    });
}

TEST_CASE("events lab: surfaces are refused, and the lab stays as it was") {
    Context context(DeviceRequest::kCpu, 1);
    auto lab = finished(context, nothing(), "events", kSmall);
    const uint64_t hash = lab->state_hash();
    auto surface = std::make_shared<Geometry>();
    surface->points = {{0, 0}, {1, 0}, {0, 1}};
    surface->heights = {0, 1, 2};
    CHECK_THROWS_AS(lab->reset(context, surface), Error);
    CHECK(lab->state_hash() == hash);
}

TEST_CASE("events lab: values of a field are compared with the threshold as the doubles that they are") {
    // All of them are the same float, and so is the threshold.
    const double threshold = 0.3, up = std::nextafter(threshold, 1), down = std::nextafter(threshold, 0);
    REQUIRE(float(up) == float(down));
    for (const bool below : {false, true}) {
        auto stack = std::make_shared<FieldStack>();
        stack->name = "doubles";
        stack->width = 8;
        stack->height = 4;
        for (uint32_t frame = 0; frame < 2; ++frame)
            for (uint32_t pixel = 0; pixel < 32; ++pixel) {
                // Pixels of x = 1 lie above, of x = 4 below, of x = 6 at the threshold; the others across from bubbles.
                const uint32_t x = pixel % 8;
                const double value = x == 1 ? up : x == 4 ? down : x == 6 ? threshold : below ? 1 : 0;
                stack->exact.push_back(value);
                stack->values.push_back(float(value));
            }
        const Input input = recorded(stack);
        on_every_device([&](Context& context) {
            const auto lab =
                finished(context, input, "events",
                         {"auto_threshold=off", "threshold=0.3", below ? "polarity=below" : "polarity=above"});
            const auto labels = values_of<uint32_t>(*lab, "labels");
            REQUIRE(labels.size() == 32);
            for (uint32_t pixel = 0; pixel < 32; ++pixel)
                CHECK((labels[pixel] != kNone) == (pixel % 8 == (below ? 4 : 1)));
            CHECK(facet<Checkable>(*lab).check().passed);
        });
    }
}
