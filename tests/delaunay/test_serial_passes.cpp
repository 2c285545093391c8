// The passes of the serial construction, called directly: what they insert, remove, walk through and mark.
#include <numeric>

#include "delaunay/constructions/serial.h"
#include "delaunay/engines.h"
#include "delaunay/runs.h"

using namespace flipscope;

TEST_CASE("serial: every point is inserted once, by a pass that says so") {
    Context context(DeviceRequest::kCpu, 1);
    for (const auto method : {SerialOptions::Method::kLawson, SerialOptions::Method::kBowyerWatson}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:60"), {.method = method});
        int64_t inserted = 0;
        while (!serial.done()) {
            const PassResult result = serial.step();
            const int64_t more = std::max<int64_t>(0, result.counters[SerialInsertion::kInserted]);
            inserted += more;
            if (result.pass != SerialInsertion::kSeed) CHECK(more <= 1);
            if (inserted > 0) CHECK(inserted == 3 + serial.progress());
            if (inserted > 0) CHECK(result.counters[SerialInsertion::kUninserted] == 60 - inserted);
        }
        CHECK(inserted == 60);
        serial.reset(context, generated("uniform:60"), {.method = method});
        serial.finish([&](const PassResult& round) { inserted -= round.counters[SerialInsertion::kInserted]; });
        CHECK(inserted == 0);
    }
}

TEST_CASE("serial: the last point and its edges are marked, the points that wait, and after finish() these alone") {
    Context context(DeviceRequest::kCpu, 1);
    for (const auto method : {SerialOptions::Method::kLawson, SerialOptions::Method::kBowyerWatson}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:60"), {.method = method});
        const auto marked = [&](const Buffer<State>& states, State bits) {
            const std::vector<State> all = states.download();
            return std::count_if(all.begin(), all.end(), [&](State state) { return state & bits; });
        };
        const auto check_only_waiting = [&] {
            CHECK(marked(serial.mesh().vertex_states, kStateWaiting) == serial.waiting_count());
            CHECK(marked(serial.mesh().vertex_states, State(~kStateWaiting)) == 0);
            CHECK(marked(serial.mesh().edge_states, State(~0)) == 0);
            CHECK(marked(serial.mesh().triangle_states, State(~0)) == 0);
        };
        while (serial.progress() < 20) {
            const PassResult result = serial.step();
            if (result.pass != SerialInsertion::kSplit && result.pass != SerialInsertion::kRejoin) continue;
            CHECK(marked(serial.mesh().vertex_states, kStateFresh) == 1);
            CHECK(marked(serial.mesh().edge_states, kStateFresh) >= 3);
            CHECK(marked(serial.mesh().vertex_states, kStateWaiting) == serial.waiting_count());
        }
        serial.finish({}, 30);
        CHECK(serial.waiting_count() == 60 - 3 - 30);
        check_only_waiting();
        while (serial.progress() < 31) serial.step();
        serial.finish({});
        check_only_waiting();
    }
}

TEST_CASE("serial: a vertex can be removed where the others are not on one line") {
    Context context(DeviceRequest::kCpu, 1);
    const auto check = [&](const std::vector<Point>& points, size_t removable) {
        size_t removed = 0;
        for (uint32_t i = 0; i < points.size(); ++i) {
            SerialInsertion serial;
            serial.reset(context, make_input("points", points));
            serial.finish({});
            std::vector<Point> others = points;
            others.erase(others.begin() + i);
            std::vector<uint32_t> names(points.size());
            std::iota(names.begin(), names.end(), 0u);
            names.erase(names.begin() + i);
            const std::vector<uint32_t> inputs = serial.mesh().inputs.download(serial.distinct());
            const auto vertex = static_cast<uint32_t>(std::find(inputs.begin(), inputs.end(), i) - inputs.begin());
            const Input left = make_input("others", others);
            if (serial.remove(vertex, {left, names}) == SerialInsertion::Edited::kImpossible) continue;
            ++removed;
            serial.finish({});
            CHECK(sorted_triangles(serial.soup().triangles) ==
                  sorted_triangles(triangulate(context, others).triangles));
        }
        CHECK(removed == removable);
    };
    check(generated("uniform:12")->points, 12);
    check({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 1}}, 4);
    check({{0, 0}, {4, 0}, {0, 4}}, 0);
    check({{0, 0}, {4, 0}, {0, 4}, {1, 1}}, 4);
}

TEST_CASE("serial: the walk to the next point is the one that its insertion takes") {
    Context context(DeviceRequest::kCpu, 1);
    for (const bool fixed_start : {false, true}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:40"), {.fixed_start = fixed_start});
        size_t walks = 0;
        while (!serial.done()) {
            if (serial.next_pass() != SerialInsertion::kLocate) {
                serial.step();
                continue;
            }
            std::vector<std::vector<uint32_t>> walk_of;
            for (uint32_t v = 0; v < serial.distinct(); ++v) walk_of.push_back(serial.walk_to(v));
            serial.step();
            CHECK(serial.walk() == walk_of[serial.vertex_at_work()]);
            if (fixed_start) CHECK(serial.walk().front() == 0);
            ++walks;
        }
        CHECK(walks == serial.distinct() - 3);
    }
}
