// The queue of commands alone: their order, and which of them become one.
#include "app/session/command_queue.h"

#include <doctest/doctest.h>

using namespace flipscope;
using namespace flipscope::app;

namespace {

command::MakeEdit moved(uint32_t vertex, double x, bool goes_on = false, uint32_t part = 0) {
    Edit edit{Edit::Kind::kMoveVertex, vertex, part, {x, 0, 0}};
    edit.goes_on = goes_on;
    if (goes_on) edit.path = {edit.place};
    return {edit};
}
command::MakeEdit painted(std::vector<Point3> path, bool goes_on, Edit::Kind kind = Edit::Kind::kPaint) {
    Edit edit;
    edit.kind = kind;
    edit.path = std::move(path);
    edit.goes_on = goes_on;
    return {edit};
}
Edit next_edit(CommandQueue& queue) {
    const auto command = queue.take();
    REQUIRE(command);
    REQUIRE(std::holds_alternative<command::MakeEdit>(*command));
    return std::get<command::MakeEdit>(*command).edit;
}

}  // namespace

TEST_CASE("command queue: commands are taken in the order they were asked for, but for those put in front") {
    CommandQueue queue;
    CHECK_FALSE(queue.take());
    queue.push(command::Verify{});
    queue.push(command::OpenLab{"flip"});
    queue.push_front(command::StartOver{});
    CHECK(queue.size() == 3);
    CHECK(std::holds_alternative<command::StartOver>(*queue.take()));
    CHECK(std::holds_alternative<command::Verify>(*queue.take()));
    CHECK(std::get<command::OpenLab>(*queue.take()).id == "flip");
    CHECK(queue.empty());
    queue.push(command::Verify{});
    queue.clear();
    CHECK_FALSE(queue.take());
}

TEST_CASE("command queue: only the latest click is asked about, and what was withdrawn is not") {
    CommandQueue queue;
    queue.push(command::Inspect{{{1, 0}, 1, {}, 0}});
    queue.push(command::Grab{{{7, 0}, 1, {}, 0}});
    queue.push(command::Inspect{{{2, 0}, 1, {}, 0}});
    queue.withdraw<command::Grab>();
    CHECK(queue.size() == 1);
    CHECK(std::get<command::Inspect>(*queue.take()).probe.place.x == 2);
}

TEST_CASE("command queue: a vertex that is dragged while the lab is busy goes to the latest place only") {
    CommandQueue queue;
    queue.push(moved(4, 1));
    for (const double x : {2., 3.}) queue.push(moved(4, x, true));
    queue.push(moved(5, 9));
    queue.push(moved(5, 10, true, 1));  // the same number in another part is another vertex
    CHECK(queue.size() == 3);
    CHECK(queue.edits() == 3);
    const Edit begun = next_edit(queue);
    CHECK(begun.place.x == 3);
    CHECK_FALSE(begun.goes_on);  // the drag begins with its latest place
    CHECK(begun.path.empty());
    CHECK(next_edit(queue).place.x == 9);
    CHECK(next_edit(queue).part == 1);
    CHECK(queue.edits() == 0);
}

TEST_CASE("command queue: other commands in between keep moves apart, and two drags stay two") {
    CommandQueue queue;
    queue.push(moved(4, 1));
    queue.push(command::Verify{});
    queue.push(moved(4, 2, true));
    queue.push(moved(4, 3, true));
    CHECK(queue.size() == 3);
    queue.take();
    queue.take();
    const Edit on = next_edit(queue);
    CHECK(on.goes_on);
    CHECK(on.end().x == 3);
    CHECK(on.path.size() == 1);
    queue.push(moved(4, 4, true));
    queue.push(moved(4, 5, true));
    queue.push(moved(4, 6));
    CHECK(queue.size() == 2);
    CHECK(next_edit(queue).end().x == 5);
    CHECK_FALSE(next_edit(queue).goes_on);
}

TEST_CASE("command queue: a stroke that goes on grows, and another stroke or another brush is another") {
    CommandQueue queue;
    queue.push(painted({{0, 0}, {1, 0}}, false));
    queue.push(painted({{2, 0}}, true));
    queue.push(painted({{3, 0}}, true));
    queue.push(painted({{4, 0}}, true, Edit::Kind::kWipe));
    queue.push(painted({{5, 0}}, false, Edit::Kind::kWipe));
    CHECK(queue.size() == 3);
    const Edit stroke = next_edit(queue);
    CHECK(stroke.path.size() == 4);
    CHECK(stroke.path.back().x == 3);
    CHECK_FALSE(stroke.goes_on);
    CHECK(next_edit(queue).path.size() == 1);
}
