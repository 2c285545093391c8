// The panels' copy of a minimal lab: its contents, and what survives a move of the timeline.
#include "app/session/model_publisher.h"

#include <thread>

#include "app/session/scripted_lab.h"
#include "app/session/worker.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

struct Press {
    Rehearsal stage;
    double clock = 0;
    ModelPublisher publisher{[this] { return clock; }};

    explicit Press(uint64_t passes = 40) : stage(passes) { begin(); }
    void begin(bool keep_message = false) {
        Geometry input;
        input.points = {{0, 0}, {4, 0}, {0, 3}};
        publisher.begin_run(stage.lab, bounds_of(input), {}, keep_message);
        publish();
    }
    const LabModel& model() const { return publisher.model(); }
    void publish() { publisher.publish(stage.timeline, stage.context, true); }
    void seek(uint64_t position) {
        stage.timeline.seek(position);
        publish();
    }
    void measure() {
        publisher.begin_measuring();
        publisher.set_measured(publisher.measure(stage.timeline, nullptr, {}));
    }
    std::string read() const { return publisher.message() ? publisher.message()->text : ""; }
};

}  // namespace

TEST_CASE("model publisher: the model has the timeline's position, and every move is a new state") {
    Press press;
    CHECK(press.model().loaded);
    CHECK(press.model().info.id == "scripted");
    CHECK(press.model().parameters.at(0).value == "3");
    CHECK(press.model().scene.high.x == 4);
    CHECK(press.model().scene.high.y == 3);
    CHECK(press.model().supports(Edit::Kind::kMoveVertex));
    uint64_t state_id = press.publisher.state_id();
    press.publish();
    CHECK(press.publisher.state_id() == state_id);  // the timeline has not moved
    for (const uint64_t position : {uint64_t(7), uint64_t(40), uint64_t(7), uint64_t(0)}) {
        press.seek(position);
        CHECK(press.model().position == position);
        CHECK(press.model().done == (position == 40));
        CHECK(press.publisher.state_id() > state_id);
        state_id = press.publisher.state_id();
    }
    CHECK(press.model().known() == 40);
    CHECK(press.model().last() == nullptr);
}

TEST_CASE("model publisher: an edit in the past replaces the later steps and drops their detections") {
    Press press;
    press.seek(40);
    CHECK(press.model().detections.size() == 5);
    CHECK(press.model().found == 5);
    press.seek(12);
    CHECK(press.model().detections.size() == 5);  // later detections stay known
    CHECK(press.model().found == 1);
    press.publisher.choose_detection(4);
    press.stage.lab.generation = 1;
    press.stage.timeline.edit({Edit::Kind::kMoveVertex, 1, 0, {}});
    press.publish();
    CHECK(press.model().position == 13);
    CHECK(press.model().known() == 13);
    CHECK(press.model().detections.size() < 5);
    CHECK_FALSE(press.model().detail_view.any());  // its detection was dropped
    press.seek(45);
    CHECK(press.model().detections.back().kind == "kind 1");
}

TEST_CASE("model publisher: an update collected on the worker's thread equals one collected on publishing") {
    Press press, other;
    Worker worker([] {});
    const auto published = [&] {
        ModelPublisher::TimelineUpdate update;
        worker.start([&] { update = press.publisher.collect_update(press.stage.timeline); });
        while (!worker.finished()) std::this_thread::yield();
        CHECK(worker.collect() == nullptr);
        press.publisher.publish(press.stage.timeline, press.stage.context, true, std::move(update));
        other.publish();
        const LabModel &a = press.model(), &b = other.model();
        CHECK(a.position == b.position);
        CHECK(a.known() == b.known());
        CHECK(a.found == b.found);
        REQUIRE(a.detections.size() == b.detections.size());
        for (size_t i = 0; i < a.detections.size(); ++i) {
            CHECK(a.detections[i].kind == b.detections[i].kind);
            CHECK(a.detections[i].round == b.detections[i].round);
        }
        CHECK(a.spread.resolution() == b.spread.resolution());
    };
    for (const uint64_t position : {uint64_t(20), uint64_t(40), uint64_t(9), uint64_t(33)}) {
        for (Press* each : {&press, &other}) each->stage.timeline.seek(position);
        published();
    }
    for (Press* each : {&press, &other}) {
        each->stage.timeline.seek(20);
        each->stage.timeline.edit({Edit::Kind::kMoveVertex, 1, 0, {}});  // replaces the later steps
    }
    published();
    for (Press* each : {&press, &other}) each->stage.timeline.seek(40);
    published();
    CHECK(press.model().found > 2);
}

TEST_CASE("model publisher: the detail view is filled once, when the lab reaches its detection") {
    Press press;
    press.seek(40);
    CHECK(press.publisher.position_of(press.model().detections[1]) == 16);
    Detection unknown;
    unknown.round = 99;
    CHECK(press.publisher.position_of(unknown) == 0);
    press.publisher.choose_detection(2);
    press.seek(8);
    CHECK_FALSE(press.model().detail_view.is_inspected);
    CHECK(press.stage.lab.looked == 0);
    press.seek(24);
    CHECK(press.model().detail_view.is_inspected);
    CHECK(press.model().detail_view.diagrams.size() == 1);
    press.seek(32);
    CHECK(press.stage.lab.looked == 1);
    // A late result for a detection no longer chosen is ignored.
    const DetailView late = ModelPublisher::inspect_detail(press.stage.lab, {1, false, {}});
    CHECK(late.is_inspected);
    press.publisher.set_detail_view(late);
    CHECK(press.model().detail_view.detection == 2);
    press.publisher.close_detail_view();
    CHECK_FALSE(press.model().detail_view.any());
}

TEST_CASE("model publisher: messages of passes hold after their step, replies until the timeline moves") {
    Press press;
    press.stage.lab.says_at = 5;
    press.publisher.say(Message::Kind::kNote, "the input is scaled");
    press.seek(1);
    CHECK(press.read() == "the input is scaled");  // too early to have been read
    press.clock = 12;
    press.seek(2);
    CHECK(press.read().empty());
    press.seek(6);
    CHECK(press.read() == "pass 5 says this");
    CHECK(press.publisher.message()->time == 12);
    press.publisher.reply(Message::Kind::kGood, "all is well");
    CHECK(press.read() == "all is well");
    press.publish();
    CHECK(press.read() == "all is well");
    press.seek(4);
    CHECK(press.read().empty());
    press.seek(8);
    CHECK(press.read() == "pass 5 says this");
    CHECK(press.model().messages.size() == 3);  // posted once although the pass was repeated
    press.seek(2);
    press.stage.timeline.edit({Edit::Kind::kMoveVertex, 1, 0, {}});  // replaces the later steps
    press.publish();
    press.stage.lab.says_at = 0;
    press.seek(12);
    CHECK(press.read().empty());
    press.publisher.lose_run();
    press.publisher.reply(Message::Kind::kError, "it broke");
    press.stage.reset();
    press.publish();
    press.begin(true);
    CHECK(press.read() == "it broke");
    press.begin();
    CHECK(press.read().empty());
}

TEST_CASE("model publisher: a check holds for its state, and a report without a check is ignored") {
    Press press;
    press.publisher.set_check(facet<Checkable>(press.stage.lab).check());
    CHECK_FALSE(press.model().check);
    press.stage.lab.fails_check = true;
    press.seek(9);
    press.publisher.set_check(facet<Checkable>(press.stage.lab).check());
    REQUIRE(press.model().failed());
    press.publish();  // the timeline has not moved
    CHECK(press.model().failed());
    press.publisher.choose_failure(1);
    press.publisher.choose_failure(2);  // no such failure
    REQUIRE(press.model().chosen_failure());
    CHECK(press.model().chosen_failure()->sentence == "edge 2 is");
    press.publisher.close_failure();
    CHECK_FALSE(press.model().chosen_failure());
    press.publisher.choose_failure(0);
    press.seek(10);
    CHECK_FALSE(press.model().check);
    CHECK_FALSE(press.model().chosen_failure());
}

TEST_CASE("model publisher: only the unchecked end of a run with rounded signs is due for a check") {
    for (const bool exact : {true, false}) {
        CAPTURE(exact);
        Press press;
        press.stage.lab.exact = exact;
        press.seek(39);
        CHECK_FALSE(press.publisher.check_due());
        press.seek(40);
        CHECK(press.publisher.check_due() == !exact);
        CHECK(press.model().needs_check == !exact);
        press.publisher.begin_check();
        CHECK_FALSE(press.publisher.check_due());
        press.publisher.set_check(facet<Checkable>(press.stage.lab).check());
        press.publish();
        CHECK_FALSE(press.publisher.check_due());
        press.seek(20);
        press.seek(40);
        CHECK(press.publisher.check_due() == !exact);  // unknown after returning
    }
}

TEST_CASE("model publisher: measures are due after every move, and only the end has a result") {
    Press press;
    press.seek(10);
    CHECK(press.publisher.needs_measuring());
    press.measure();
    CHECK_FALSE(press.publisher.needs_measuring());
    CHECK(press.model().statistics.all<Distribution>().at(0).now.at(0) == 10);
    CHECK_FALSE(press.model().result);
    CHECK(press.model().numbers.empty());                                       // only at the end
    press.publisher.publish(press.stage.timeline, press.stage.context, false);  // after a query
    CHECK_FALSE(press.publisher.needs_measuring());
    press.seek(40);
    press.measure();
    REQUIRE(press.model().result);
    CHECK(press.model().result->points == 40);
    CHECK(press.model().numbers.list.at(0).value.number() == 40);
    press.seek(39);
    CHECK_FALSE(press.model().result);
    press.stage.lab.about.makes_triangles = false;
    press.measure();
    CHECK(press.model().numbers.list.at(0).value.number() == 39);
    CHECK_FALSE(press.model().result);
}

TEST_CASE("model publisher: a suspended run keeps its data, a lost one does not") {
    Press press;
    press.seek(40);
    press.measure();
    const uint64_t state_id = press.publisher.state_id();
    press.publisher.suspend();
    CHECK_FALSE(press.model().loaded);
    CHECK(press.model().known() == 40);
    CHECK(press.model().detections.size() == 5);
    CHECK(press.publisher.state_id() == state_id);
    press.publisher.resume();
    press.publish();
    CHECK(press.model().loaded);
    press.stage.lab.fails_check = true;
    press.publisher.set_check(facet<Checkable>(press.stage.lab).check());
    press.publisher.lose_run();
    CHECK_FALSE(press.model().loaded);
    CHECK(press.model().known() == 0);
    CHECK(press.model().position == 0);
    CHECK(press.model().detections.empty());
    CHECK_FALSE(press.model().check);
    CHECK_FALSE(press.model().result);
    CHECK(press.model().statistics.empty());
    CHECK_FALSE(press.publisher.needs_measuring());
    CHECK(press.publisher.state_id() > state_id);
}
