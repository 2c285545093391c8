#include "app/session/command_queue.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// Commands that record their names, and edits that are collected.
struct RecordedQueue {
    CommandQueue queue;
    std::string started;
    std::vector<Edit> edits;

    void push(const std::string& name, const std::string& tag = "") {
        queue.push(tag, [this, name] { started += name + " "; });
    }
    void push(const Edit& edit) {
        queue.push_edit(edit, [this](const Edit& made) { edits.push_back(made); });
    }
    /// Starts all queued commands.
    std::string start() {
        started.clear();
        while (const auto next = queue.pop()) next();
        return started;
    }
    Edit next_edit() {
        const auto next = queue.pop();
        REQUIRE(next);
        next();
        REQUIRE_FALSE(edits.empty());
        return edits.back();
    }
};

Edit moved(uint32_t vertex, double x, bool goes_on = false, uint32_t part = 0) {
    Edit edit{Edit::Kind::kMoveVertex, vertex, part, {x, 0, 0}};
    edit.goes_on = goes_on;
    if (goes_on) edit.path = {edit.place};
    return edit;
}
Edit painted(std::vector<Point3> path, bool goes_on, Edit::Kind kind = Edit::Kind::kPaint) {
    Edit edit;
    edit.kind = kind;
    edit.path = std::move(path);
    edit.goes_on = goes_on;
    return edit;
}

}  // namespace

TEST_CASE("command queue: commands start in the order in which they came, but for edits put in front") {
    RecordedQueue waiting;
    CHECK_FALSE(waiting.queue.pop());
    waiting.push("verify");
    waiting.push("open");
    waiting.queue.push_edit_front([&] { waiting.started += "remove "; });
    CHECK(waiting.queue.size() == 3);
    CHECK(waiting.queue.edits() == 1);
    CHECK(waiting.start() == "remove verify open ");
    CHECK(waiting.queue.empty());
    waiting.push("verify");
    waiting.queue.clear();
    CHECK_FALSE(waiting.queue.pop());
}

TEST_CASE("command queue: a newer command replaces an older one of its tag, and a withdrawn one does not start") {
    RecordedQueue waiting;
    waiting.push("first", "inspect");
    waiting.push("grab", "grab");
    waiting.push("untagged");
    waiting.push("second", "inspect");
    waiting.push("untagged");
    waiting.queue.withdraw("grab");
    CHECK(waiting.start() == "untagged second untagged ");
}

TEST_CASE("command queue: a vertex that is dragged while the lab is busy goes to the latest place only") {
    RecordedQueue waiting;
    waiting.push(moved(4, 1));
    for (const double x : {2., 3.}) waiting.push(moved(4, x, true));
    waiting.push(moved(5, 9));
    waiting.push(moved(5, 10, true, 1));  // the same id in another part is another vertex
    CHECK(waiting.queue.size() == 3);
    CHECK(waiting.queue.edits() == 3);
    const Edit begun = waiting.next_edit();
    CHECK(begun.place.x == 3);
    CHECK_FALSE(begun.goes_on);  // the drag begins at its latest place
    CHECK(begun.path.empty());
    CHECK(waiting.next_edit().place.x == 9);
    CHECK(waiting.next_edit().part == 1);
    CHECK(waiting.queue.edits() == 0);
}

TEST_CASE("command queue: other commands in between keep moves apart, and two drags stay two") {
    RecordedQueue waiting;
    waiting.push(moved(4, 1));
    waiting.push("verify");
    waiting.push(moved(4, 2, true));
    waiting.push(moved(4, 3, true));
    CHECK(waiting.queue.size() == 3);
    waiting.queue.pop();
    waiting.queue.pop();
    const Edit on = waiting.next_edit();
    CHECK(on.goes_on);
    CHECK(on.end().x == 3);
    CHECK(on.path.size() == 1);
    waiting.push(moved(4, 4, true));
    waiting.push(moved(4, 5, true));
    waiting.push(moved(4, 6));
    CHECK(waiting.queue.size() == 2);
    CHECK(waiting.next_edit().end().x == 5);
    CHECK_FALSE(waiting.next_edit().goes_on);
}

TEST_CASE("command queue: a continued stroke grows, and another stroke or brush is a command of its own") {
    RecordedQueue waiting;
    waiting.push(painted({{0, 0}, {1, 0}}, false));
    waiting.push(painted({{2, 0}}, true));
    waiting.push(painted({{3, 0}}, true));
    waiting.push(painted({{4, 0}}, true, Edit::Kind::kWipe));
    waiting.push(painted({{5, 0}}, false, Edit::Kind::kWipe));
    CHECK(waiting.queue.size() == 3);
    const Edit stroke = waiting.next_edit();
    CHECK(stroke.path.size() == 4);
    CHECK(stroke.path.back().x == 3);
    CHECK_FALSE(stroke.goes_on);
    CHECK(waiting.next_edit().path.size() == 1);
}
