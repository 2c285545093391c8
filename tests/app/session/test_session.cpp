// The session, driven frame by frame with an offscreen OpenGL context in place of a window.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "app/folders.h"
#include "app/gl/gl_context.h"
#include "app/made_or_skip.h"
#include "app/run/exports.h"
#include "app/session/session.h"
#include "app/session/settling.h"
#include "geometry/generators.h"
#include "lab/registry.h"
using namespace flipscope;
using namespace flipscope::app;

namespace {

std::shared_ptr<const Geometry> made(const std::string& text) {
    return std::make_shared<const Geometry>(generate(parse_generator(text)));
}

struct DeviceSlot {
    std::unique_ptr<GlContext> gl;
    std::unique_ptr<Session> session;

    explicit operator bool() const { return session != nullptr; }
    Session* operator->() const { return session.get(); }
    Settling<Session, const DeviceSlot> then_settle() const { return {*session, *this}; }
    const LabModel& model() const { return session->model(); }

    void frame() const {
        session->frame(1.0 / 60);
        if (session->drawable()) session->drawn();
    }
    /// Makes frames until the session is idle.
    void settle() const {
        do frame();
        while (!session->idle());
    }
    auto times_said(const std::string& part) const {
        return std::count_if(model().messages.begin(), model().messages.end(),
                             [&](const Message& message) { return has(message.text, part); });
    }
    bool said(const std::string& part) const { return times_said(part) > 0; }
    uint64_t hash() const {
        settle();
        while (!session->request_state_hash()) frame();
        const auto hash = session->state_hash();
        REQUIRE(hash);
        return *hash;
    }
};

/// An idle session on a lab, or none if OpenGL is missing, with the reason.
DeviceSlot desk_or_skip(const std::string& lab, const std::string& points, const std::string& make = "auto") {
    DeviceSlot desk;
    desk.gl = made_or_skip<GlContext>();
    if (!desk.gl) return desk;
    Scenario scenario;
    scenario.lab = lab;
    scenario.points = points;
    WindowOptions options{.run = Run(scenario),
                          .device = {.device = DeviceRequest::kCpu, .threads = 2, .shared_memory = make}};
    desk.session = std::make_unique<Session>(options, [] {});
    desk.settle();
    return desk;
}

size_t parameter_of(const DeviceSlot& desk, const std::string& name) {
    const auto& all = desk.model().parameters;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
    REQUIRE(at != all.end());
    return static_cast<size_t>(at - all.begin());
}

/// The same lab without a session.
uint64_t hash_of(const std::string& lab, const std::string& points, uint64_t position = UINT64_MAX) {
    Context context(DeviceRequest::kCpu, 1);
    Timeline timeline(make_lab(lab));
    timeline.reset(context, made(points));
    timeline.seek(position);
    return timeline.lab().state_hash();
}

}  // namespace

TEST_CASE("session: the legend counts what occurs in the state at rest") {
    const DeviceSlot desk = desk_or_skip("flip", "uniform:60");
    if (!desk) return;
    const auto lists = [&](const char* name) {
        const auto listed = occurring_entries(desk.model().scene, desk.model().legend_counts);
        return std::any_of(listed.begin(), listed.end(), [&](const LegendEntry& entry) { return entry.name == name; });
    };
    CHECK_FALSE(lists("flipped"));
    for (int i = 0; i < 20 && !lists("flipped"); ++i) desk.then_settle()->playback().step(Level::kPass);
    CHECK(lists("flipped"));
    desk.then_settle()->playback().run_to_end();
    CHECK_FALSE(lists("illegal"));
}

TEST_CASE("session: stepped, played, sought back and forth, each position has the hash it has without a session") {
    for (const char* make : {"mapped", "staged"}) {
        const DeviceSlot desk = desk_or_skip("build", "uniform:200", make);
        if (!desk) return;
        CAPTURE(make);
        CHECK(desk.model().loaded);
        CHECK(desk.model().position == 0);
        desk.then_settle()->playback().step(Level::kPass);
        CHECK(desk.model().position == 1);
        desk.then_settle()->playback().step(Level::kRound);
        CHECK(desk.hash() == hash_of("build", "uniform:200", desk.model().position));
        CHECK(desk.model().last()->ended >= Level::kRound);
        desk->playback().run_to_end();
        CHECK(desk.hash() == hash_of("build", "uniform:200"));
        CHECK(desk.model().done);
        REQUIRE(desk.model().result);
        CHECK(desk.model().result->points == 200);
        const uint64_t end = desk.model().position;
        CHECK(desk.model().known() == end);
        for (const uint64_t place : {uint64_t(7), end - 3, uint64_t(0), end / 2}) {
            desk->playback().seek(place);
            CHECK(desk.hash() == hash_of("build", "uniform:200", place));
            CHECK(desk.model().position == place);
            CHECK(desk.model().known() == end);
        }
        desk.then_settle()->back(Level::kIteration);
        CHECK(desk.model().position < end / 2);
        desk->unlimited = true;
        desk.then_settle()->play(true);
        CHECK(desk.model().done);
        CHECK_FALSE(desk->playback().playing());
        CHECK(desk.hash() == hash_of("build", "uniform:200"));
    }
}

TEST_CASE("session: a file of many points is opened at the end of its run, one of few before its first pass") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& points) {
        return folder.file(name, points_xy(*made(points)));
    };
    desk.then_settle()->opener().load(write("many.xy", "uniform:20001"), true);
    CHECK(desk.model().done);
    desk->playback().seek(0);  // the passes are on the timeline
    desk.settle();
    CHECK(desk.model().position == 0);
    desk.then_settle()->opener().load(write("few.xy", "uniform:100"), true);
    CHECK(desk.model().position == 0);
    desk.then_settle()->opener().load("uniform:20001", false);
    CHECK(desk.model().position == 0);
}

TEST_CASE("session: another lab, other parameters, a check and a question, each on the worker's thread") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:120");
    if (!desk) return;
    for (const auto& entry : registry()) {
        CAPTURE(entry.id);
        desk.then_settle()->opener().open_lab(entry.id);
        CHECK(desk.model().info.id == entry.id);
        // The lab knows the bounds of a periodic box.
        if (entry.id == "particles") CHECK(desk.model().scene.high.x > 5);
        desk.then_settle()->playback().step(Level::kRound);
        CHECK(desk.model().position > 0);
        desk->checks().verify();
        desk.then_settle()->inspector().inspect({{0.5, 0.5}, 10, {}, 0});
        CHECK_FALSE(desk.model().messages.empty());
        const uint64_t position = desk.model().position;
        desk->inspector().close();
        desk->playback().seek(0);
        desk.then_settle()->playback().seek(position);
        CHECK(desk.model().position == position);
    }
    const size_t kernels = desk.model().timings.size();
    desk.then_settle()->opener().open_lab("build");
    CHECK(desk.model().timings.size() < kernels);  // none of the lab before
    const size_t index = parameter_of(desk, "predicate");
    desk->parameters().set(index, "double");
    CHECK(desk->parameters().has_drafts());
    desk.then_settle()->opener().restart();
    CHECK_FALSE(desk->parameters().has_drafts());
    CHECK(desk->parameters().value(index) == "double");
}

TEST_CASE("session: what finds bubbles takes effect at once before the first step, and later stays a draft") {
    const DeviceSlot desk = desk_or_skip("events", "uniform:10");
    if (!desk) return;
    desk.then_settle()->opener().load(FLIPSCOPE_SOURCE_DIR "/assets/foam.npy", true);
    const size_t opening = parameter_of(desk, "opening"), cap = parameter_of(desk, "cap");
    desk.then_settle()->parameters().set(opening, "2");
    desk.settle();
    CHECK(desk.model().position == 0);
    CHECK(desk.model().parameters[opening].value == "2");
    desk->parameters().set(cap, "0.4");
    desk.settle();
    CHECK(desk.model().parameters[cap].value == "0.5");
    desk->parameters().drop_drafts();
    desk.then_settle()->playback().step(Level::kRound);
    desk->parameters().set(opening, "3");
    desk.settle();
    CHECK(desk.model().position > 0);
    CHECK(desk.model().parameters[opening].value == "2");
    CHECK(desk->parameters().has_drafts());
}

TEST_CASE("session: a run that is cancelled at any frame goes on from a sound state to the same end") {
    const std::string points = "uniform:" + std::to_string(std::max<size_t>(2000, case_count(20'000)));
    const uint64_t end = hash_of("build", points);
    const DeviceSlot desk = desk_or_skip("build", points);
    if (!desk) return;
    for (int frames = 1; frames <= 6; ++frames) {
        CAPTURE(frames);
        desk.then_settle()->playback().seek(0);
        desk->playback().run_to_end();
        for (int i = 0; i < frames; ++i) desk.frame();
        desk.then_settle()->cancel();
        CHECK(desk.model().loaded);
        CHECK(desk.hash() == hash_of("build", points, desk.model().position));
        desk->playback().run_to_end();
        CHECK(desk.hash() == end);
    }
}

TEST_CASE("session: parameters change during the run as a step, colours at once, and a refused value stays a draft") {
    const DeviceSlot desk = desk_or_skip("particles", "uniform:60");
    if (!desk) return;
    for (int i = 0; i < 3; ++i) desk.then_settle()->playback().step(Level::kRound);
    const uint64_t position = desk.model().position, before = desk.hash();
    const size_t dt = parameter_of(desk, "dt"), count = parameter_of(desk, "count"),
                 colour = parameter_of(desk, "colour_by"), config = parameter_of(desk, "config");
    CHECK_FALSE(desk->parameters().can_change_now());
    desk->parameters().set(count, "70");
    CHECK_FALSE(desk->parameters().can_change_now());  // needs a restart
    CHECK_FALSE(desk->parameters().can_change(count));
    desk->parameters().set(dt, "0.002");
    REQUIRE(desk->parameters().can_change_now());
    desk.settle();
    CHECK(desk.hash() == before);
    desk.then_settle()->parameters().change_now();
    CHECK(desk.model().position == position + 1);
    CHECK(desk.model().parameters[dt].value == "0.002");
    CHECK(desk.said("\xCE\x94t from 0.01 to 0.002"));
    CHECK_FALSE(desk->parameters().can_change_now());
    CHECK(desk->parameters().has_drafts());  // the other stays a draft
    CHECK(desk->parameters().value(count) == "70");
    const uint64_t later = desk.hash();
    desk.then_settle()->undo().undo();
    CHECK(desk.said("Taken back: changing parameters."));
    CHECK(desk.model().parameters[dt].value == "0.01");
    CHECK(desk.hash() == before);
    desk->undo().redo();
    CHECK(desk.hash() == later);

    const uint64_t revision = desk->revision();
    desk->parameters().set(colour, "speed");
    desk.then_settle()->parameters().set(colour, "degree");
    CHECK(desk->parameters().value(colour) == "degree");
    CHECK(desk.model().parameters[colour].value == "degree");
    CHECK(desk.model().scene.layer("particles")->scale.name == "Delaunay neighbours");
    CHECK(desk->revision() > revision);
    CHECK(desk.model().position == position + 1);
    CHECK(desk.hash() == later);

    desk->parameters().set(config, "abp-dense");
    desk.then_settle()->parameters().change_now();
    CHECK(desk.said("there are 2 species"));
    CHECK(desk->parameters().value(config) == "abp-dense");
    CHECK(desk->parameters().can_change_now());
    CHECK(desk.hash() == later);
}

TEST_CASE("session: a click freezes and releases a particle, and the inspector shows it") {
    const DeviceSlot desk = desk_or_skip("particles", "grid:64");
    if (!desk) return;
    CHECK(desk.model().supports(Edit::Kind::kFreeze));
    desk.then_settle()->playback().step(Level::kRound);
    Probe probe;
    const Scene& scene = desk.model().scene;
    probe.place = {(scene.low.x + scene.high.x) / 2, (scene.low.y + scene.high.y) / 2};
    probe.radius = 5;  // finds a vertex
    desk.then_settle()->inspector().inspect(probe);
    const Element chosen = desk.model().inspection.element;
    REQUIRE(chosen.kind == ElementKind::kVertex);
    CHECK_FALSE(desk.model().inspection.frozen);
    desk.then_settle()->edits().freeze_or_release(probe);
    CHECK(desk.model().inspection.frozen);
    CHECK(desk.said("Particle " + std::to_string(chosen.id) + " is frozen"));
    desk.then_settle()->edits().freeze_or_release(probe);
    CHECK_FALSE(desk.model().inspection.frozen);
    desk.then_settle()->edits().freeze_vertex(chosen, true);
    CHECK(desk.model().edits == 3);
    desk.then_settle()->undo().undo();
    CHECK_FALSE(desk.model().inspection.frozen);
    CHECK(desk.said("Taken back: freezing a point."));
}

TEST_CASE("session: a slow drag goes to the latest place, and every step is drawn") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:20000");
    if (!desk) return;
    desk.then_settle()->playback().run_to_end();
    const Point place = desk->input()->points[7];
    desk.then_settle()->edits().grab({place, 1e-9, {}, 0});
    REQUIRE(desk->edits().drag_state() == ManualEdits::DragState::kHolding);
    const uint64_t known = desk.model().known(), first = desk->revision();
    uint64_t drawn = first, steps = 0, missed = 0;
    Point3 way;
    // The mouse moves in every frame.
    for (int frames = 0; steps < 5 && frames < 100'000; ++frames) {
        way.x += 1e-7;
        desk->edits().drag_by(way);
        desk.frame();
        if (!desk->drawable() || desk->revision() == drawn) continue;
        missed += desk->revision() - drawn - 1;
        drawn = desk->revision();
        ++steps;
    }
    CHECK(steps == 5);
    CHECK(missed == 0);
    desk.settle();
    REQUIRE(desk->edits().drag_state() == ManualEdits::DragState::kHolding);
    CHECK(desk->edits().held().corners[0] == Point3{place.x, place.y, 0} + way);
    CHECK(desk.model().known() == known + 1);
}

TEST_CASE("session: a drag is one step, and an undone edit can be redone") {
    for (const char* lab : {"build", "serial", "flip"}) {
        INFO(lab);
        const DeviceSlot desk = desk_or_skip(lab, "uniform:60");
        if (!desk) return;
        desk->playback().run_to_end();
        const uint64_t before = desk.hash(), position = desk.model().position;
        desk.then_settle()->undo().redo();
        CHECK(desk.said("Nothing to redo."));
        // The held vertex keeps its place when its id changes.
        const Point place = desk->input()->points[20];
        const Probe probe{place, 1e-9, {}, 0};
        desk->inspector().inspect(probe);
        desk.then_settle()->edits().grab(probe);
        REQUIRE(desk->edits().drag_state() == ManualEdits::DragState::kHolding);
        Point3 way;
        for (int i = 0; i < 5; ++i) {
            way = way + Point3{0.031, 0.013, 0};
            desk->edits().drag_by(way);
            if (i % 2) desk.settle();
        }
        const Point3 to = Point3{place.x, place.y, 0} + way;
        desk.settle();
        REQUIRE(desk->edits().drag_state() == ManualEdits::DragState::kHolding);
        CHECK(desk->edits().held().corners[0] == to);
        REQUIRE(desk.model().inspection.any());
        CHECK(desk.model().inspection.corners[0] == to);
        desk->edits().end_drag();
        CHECK(desk.model().known() == position + 1);
        CHECK(desk.model().edits == 1);
        const uint64_t after = desk.hash();
        CHECK(after != before);
        desk->undo().undo();
        CHECK(desk.hash() == before);
        CHECK(desk.model().position == position);
        CHECK(desk.model().edits == 0);
        CHECK(desk.model().redoable == Edit::Kind::kMoveVertex);
        CHECK(desk.said("Taken back: moving a point"));
        desk->undo().redo();
        CHECK(desk.hash() == after);
        CHECK(desk.model().edits == 1);
        desk->undo().undo();
        desk->undo().redo();
        desk->undo().undo();  // faster than jobs
        CHECK(desk.hash() == before);
    }
}

TEST_CASE("session: after a drag, the removal of another site does not close the inspector") {
    const DeviceSlot desk = desk_or_skip("voronoi", "uniform:12");
    if (!desk) return;
    desk->parameters().set(parameter_of(desk, "width"), "64");
    desk->parameters().set(parameter_of(desk, "height"), "64");
    desk->opener().restart();
    desk.then_settle()->playback().run_to_end();
    REQUIRE(desk.model().supports(Edit::Kind::kMoveVertex));
    const auto sites = desk.model().count_of(ElementKind::kVertex);
    desk.then_settle()->inspector().inspect({{32, 32}, 24, {}, 0});
    const Element site = desk.model().inspection.element;
    REQUIRE(desk.model().inspection.any());
    REQUIRE(site.kind == ElementKind::kVertex);
    const Point3 before = desk.model().inspection.corners.at(0);
    const Probe probe{{before.x, before.y}, 1e-6, {}, 0};
    desk->inspector().close();
    desk.then_settle()->edits().grab(probe);
    REQUIRE(desk->edits().drag_state() == ManualEdits::DragState::kHolding);
    desk.then_settle()->edits().drag_by({before.x < 32 ? 7.3 : -7.3, 0, 0});
    desk->edits().end_drag();
    desk->undo().undo();
    desk.then_settle()->playback().run_to_end();
    desk.then_settle()->inspector().inspect(probe);
    REQUIRE(desk.model().inspection.any());
    REQUIRE(desk.model().inspection.element.id == site.id);
    desk->edits().remove_vertex(Element{ElementKind::kVertex, site.id == 11 ? 10 : 11u});
    desk.then_settle()->playback().run_to_end();
    CHECK(desk.model().count_of(ElementKind::kVertex) < sites);
    REQUIRE(desk.model().inspection.any());
    CHECK(desk.model().inspection.corners[0] == before);
}

TEST_CASE("session: a command that would discard edits asks first, as closing the window does") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:60");
    if (!desk) return;
    desk->opener().restart();  // no edits to lose
    CHECK_FALSE(desk->undo().question());
    CHECK(desk->undo().may_close());
    const auto ways = {+[](Session& session) { session.opener().load("uniform:20", false); },
                       +[](Session& session) { session.opener().open_lab("flip"); }};
    for (const auto& way : ways) {
        desk.then_settle()->playback().run_to_end();
        desk->edits().add_vertex({0.5, 0.5, 0}, 0);
        for (const bool yes : {false, true}) {
            way(*desk.session);  // a queued edit counts
            REQUIRE(desk->undo().question());
            desk->undo().answer(yes);
            CHECK_FALSE(desk->undo().question());
            desk.settle();
            CHECK(desk.model().edits == (yes ? 0 : 1));
        }
        CHECK(desk.model().position == 0);
    }
    CHECK(desk.model().info.id == "flip");
    CHECK(desk->input()->points.size() == 20);
    desk.then_settle()->edits().edit({Edit::Kind::kMoveVertex, 3, 0, {0.4, 0.6, 0}});
    for (const bool yes : {false, true}) {
        CHECK_FALSE(desk->undo().may_close());
        desk->undo().answer(yes);
        CHECK(desk->undo().closes() == yes);
    }
}

TEST_CASE("session: it can be destroyed at once during any job") {
    for (int frames = 0; frames <= 3; ++frames) {
        const DeviceSlot desk = desk_or_skip("build", "uniform:20000");
        if (!desk) return;
        desk->playback().run_to_end();
        for (int i = 0; i < frames; ++i) desk.frame();
    }
    const DeviceSlot desk = desk_or_skip("events", "uniform:10");
    if (!desk) return;
    desk->play(true);
    desk.frame();
    desk->opener().load("uniform:300000", false);
    desk.frame();
}

TEST_CASE("session: the end of a naive run is checked automatically, and failures are marked until the run continues") {
    for (const char* make : {"mapped", "staged"}) {
        CAPTURE(make);
        const DeviceSlot desk = desk_or_skip("build", "grid:900@scale=0.1", make);
        if (!desk) return;
        const auto marks = [&] {
            uint64_t count = 0;
            for (const LegendEntry& entry : desk.model().scene.legend()) count += entry.role == Role::kFailed;
            return count;
        };
        desk->parameters().set(parameter_of(desk, "predicate"), "float-circumcentre");
        desk.then_settle()->opener().restart();
        CHECK(desk.model().needs_check);
        CHECK_FALSE(desk.model().check);
        desk->playback().run_to_end();
        const uint64_t hash = desk.hash();
        REQUIRE(desk.model().failed());
        const size_t count = desk.model().check->failures.size();
        CHECK(count > 0);
        CHECK(marks() == 2);  // of edges and of triangles
        CHECK(desk.said(desk.model().check->sentence));
        desk.then_settle()->playback().seek(40);
        CHECK_FALSE(desk.model().check);
        CHECK(marks() == 0);
        desk->playback().run_to_end();
        CHECK(desk.hash() == hash);
        REQUIRE(desk.model().failed());
        CHECK(desk.model().check->failures.size() == count);
    }
}

TEST_CASE("session: failure marks stay in the picture when a requested input cannot be loaded") {
    const DeviceSlot desk = desk_or_skip("build", "grid:900@scale=0.1");
    if (!desk) return;
    desk->parameters().set(parameter_of(desk, "predicate"), "float-circumcentre");
    desk->opener().restart();
    desk.then_settle()->playback().run_to_end();
    REQUIRE(desk.model().failed());
    const auto marked = [&] {
        std::string text;
        desk->query_lab("Counting", [&](const Lab& lab) {
            const Scene scene = lab.scene();
            uint64_t count = 0;
            for (uint32_t i = 0; i < scene.count_of(ElementKind::kEdge); ++i)
                count += (scene.states_of(ElementKind::kEdge)->read(i) & kStateFailed) != 0;
            return text = std::to_string(count);
        });
        desk.settle();
        return text;
    };
    const std::string before = marked();
    REQUIRE(before != "0");
    desk.then_settle()->opener().load("no-such-file.xy", true);
    CHECK(desk.said("no-such-file.xy"));
    CHECK(desk.model().failed());
    CHECK(marked() == before);
}

TEST_CASE("session: an invalid mesh is shown and checked; labs refuse it, and accept the next input") {
    const DeviceSlot desk = desk_or_skip("flip", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    write_file(folder / "crossed.off", "OFF\n6 2 0\n0 0 0\n4 0 0\n2 3 0\n0 2 0\n2 -1 0\n4 2 0\n3 0 1 2\n3 3 4 5\n");
    desk->parameters().set(parameter_of(desk, "conflict"), "lowest");
    desk.then_settle()->opener().load((folder / "crossed.off").string(), true);
    CHECK(desk.model().loaded);
    CHECK(desk->input()->name == "crossed.off");
    CHECK(desk.model().refusal.find("crossed.off is not a valid triangulation: ") == 0);
    CHECK(desk.said(desk.model().refusal));
    REQUIRE(desk.model().failed());
    CHECK(desk.model().check->failures.size() == 7);
    CHECK(desk.model().count_of(ElementKind::kTriangle) == 2);
    CHECK(desk.model().count_of(ElementKind::kEdge) == 6);
    CHECK(desk.model().parameters[parameter_of(desk, "conflict")].value == "lowest");
    for (int i = 0; i < 3; ++i) {
        i == 0 ? desk->playback().step(Level::kPass) : i == 1 ? desk->playback().run_to_end() : desk->play(true);
        desk.settle();
        CHECK(desk.model().position == 0);
        REQUIRE(desk->message());
        CHECK(desk->message()->text == desk.model().refusal);
    }
    // Another lab uses the points alone; this one refuses the mesh again.
    for (const char* lab : {"build", "race", "flip"}) {
        desk.then_settle()->opener().open_lab(lab);
        CHECK(desk.model().info.id == lab);
        CHECK(desk.model().refused() == (lab != std::string("build")));
    }
    desk.then_settle()->opener().load("uniform:30", false);
    CHECK(desk.model().refusal.empty());
    CHECK(desk.model().info.id == "flip");
    CHECK_FALSE(desk.model().check);
}

TEST_CASE("session: two files open as points and their triangles, in either order, and more are refused") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    const std::string points = folder.file("points.xy", "0 0\n1 0\n1 1\n0 1\n"),
                      folded = folder.file("folded.txt", "0 1 2\n0 1 3\n"),
                      whole = folder.file("whole.txt", "0 1 2\n0 2 3\n");
    const auto open = [&](const std::vector<std::string>& files) {
        desk.then_settle()->opener().load_files(files);
        desk.then_settle()->playback().run_to_end();
    };
    open({points, folded});
    CHECK(desk.model().info.id == "judge");
    CHECK(desk.model().failed());
    open({whole, points});
    REQUIRE(desk.model().check);
    CHECK(desk.model().check->passed);
    CHECK(desk->opener().pair_of_files() == points + " " + whole);  // one recent file
    open({points, folder.file("lie.txt", "0 1 two\n")});
    CHECK(desk.said("lie.txt:1"));
    open({points, whole, folded});
    CHECK(desk.said("3 files were dropped"));
    REQUIRE(desk.model().check);  // as it was
    CHECK(desk.model().check->passed);
}

TEST_CASE("session: of a surface a selected point alone is not kept, since a surface needs triangles") {
    const DeviceSlot desk = desk_or_skip("flip", "sphere:60");
    if (!desk) return;
    desk.then_settle()->playback().run_to_end();
    for (const auto& [selected, kept] : {std::pair("vertex:3", 60u), std::pair("triangle:7", 3u)}) {
        desk.then_settle()->selection().select(parse_selection(selected, "select "));
        desk.then_settle()->opener().open_selection();
        CHECK(desk->input()->points.size() == kept);
    }
    CHECK(desk.said("A surface needs triangles"));
}

TEST_CASE("session: a table with guessed columns opens the choice, and follows it") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    const std::string guessed = folder.file("guessed.csv", "a,b,c\n1,2,10\n3,5,20\n4,4,40\n");
    desk->playback().run_to_end();
    const uint64_t before = desk.hash(), end = desk.model().position;

    desk.then_settle()->opener().load(folder.file("named.csv", "name,x,y\nA,1,2\nB,3,5\nC,4,4\n"), true);
    CHECK_FALSE(desk->columns().table());
    CHECK(desk->loader().present().layout.has_value());
    desk->columns().open();
    REQUIRE(desk->columns().table());
    desk->columns().end(false);  // no choice, no new reading
    desk.settle();
    CHECK(desk->input()->points.size() == 3);
    desk->opener().load("uniform:50", false);
    desk->playback().run_to_end();
    REQUIRE(desk.hash() == before);
    CHECK_FALSE(desk->loader().present().layout.has_value());
    desk->columns().open();
    CHECK(desk.said("no table"));

    desk.then_settle()->opener().load(guessed, true);
    REQUIRE(desk->columns().table());
    CHECK(desk->columns().table()->column_of(ColumnRole::kX) == 0);
    desk.then_settle()->columns().read_as(desk->columns().table()->with_column(ColumnRole::kY, 2));
    REQUIRE(desk->columns().table());
    CHECK(desk->input()->points[1] == Point{3, 20});
    CHECK(desk->columns().table()->column_of(ColumnRole::kY) == 2);
    // An unreadable choice is reported and keeps the picture.
    ReadOptions wrong = desk->columns().table()->read;
    wrong.columns = {{ColumnRole::kX, "d"}};
    desk.then_settle()->columns().read_as(wrong);
    CHECK(desk->columns().table()->refusal.find("there is no column") != std::string::npos);
    CHECK(desk->input()->points[1] == Point{3, 20});
    // Esc: restores the previous run at its position.
    desk.then_settle()->columns().end(false);
    CHECK_FALSE(desk->columns().table());
    CHECK(desk->loader().present().source == "uniform:50");
    CHECK(desk.model().position == end);
    CHECK(desk.hash() == before);

    // Return: keeps the reading, for restarts and saved runs.
    desk.then_settle()->opener().load(guessed, true);
    desk.then_settle()->columns().read_as(desk->columns().table()->with_column(ColumnRole::kX, 2));
    desk->columns().end(true);
    desk.then_settle()->opener().restart();
    CHECK(desk->input()->points[0] == Point{10, 2});
    desk.then_settle()->playback().run_to_end();
    desk.then_settle()->edits().add_vertex({20, 3, 0}, 0);
    const auto edited = desk->restorer().edited_run();
    REQUIRE(edited);
    CHECK(edited->scenario.read.texts() == std::vector<std::pair<std::string, std::string>>{{"columns", "y=b,x=c"}});
}

TEST_CASE("session: an unreadable table opens the choice of columns, and Esc keeps the present run") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    desk.then_settle()->opener().load(folder.file("pair.csv", "x,y\n1,2\n3,four\n4,4\n"), true);
    CHECK_FALSE(desk->columns().table());  // no columns to choose
    desk.then_settle()->opener().load(folder.file("short.csv", "x,y,z\n1,2,5\n3,four,6\n4,4,7\n"), true);
    CHECK(desk->loader().present().source == "uniform:50");
    REQUIRE(desk->columns().table());
    CHECK(desk->columns().table()->refusal.find("four") != std::string::npos);
    desk.then_settle()->columns().end(false);
    CHECK(desk->loader().present().source == "uniform:50");
    CHECK(desk->input()->points.size() == 50);
}

TEST_CASE("session: pasted text is read like a table in a file, and text without points changes nothing") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    desk.then_settle()->columns().paste("species\ty\tx\noak\t1\t10\nbeech\t2\t20\noak\t4\t30\n");
    CHECK(desk->input()->points[1] == Point{20, 2});
    CHECK_FALSE(desk->columns().table());
    CHECK(desk->loader().present().layout.has_value());
    desk->columns().open();
    desk.then_settle()->columns().read_as(desk->columns().table()->with_column(ColumnRole::kX, 1));
    CHECK(desk->input()->points[1] == Point{2, 20});
    desk.then_settle()->columns().end(false);
    CHECK(desk->input()->points[1] == Point{20, 2});
    desk.then_settle()->columns().paste("no points here");
    CHECK(desk.said("The clipboard holds no points"));
    CHECK(desk->input()->points[1] == Point{20, 2});
    desk.then_settle()->columns().paste("[[0, 0], [1, 0], [0, 1]]");
    CHECK(desk->input()->points.size() == 3);
    CHECK_FALSE(desk->loader().present().layout.has_value());
}

TEST_CASE("session: an edge that was flipped by hand after a claim stays flipped") {
    const DeviceSlot desk = desk_or_skip("flip", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    // A kite with the long diagonal, which the first claim finds illegal.
    desk.then_settle()->opener().load(
        folder.file("kite.off", "OFF\n4 2 0\n0 0 0\n4 -1 0\n8 0 0\n4 1 0\n3 0 1 2\n3 0 2 3\n"), true);
    desk->playback().step(Level::kPass);
    desk.then_settle()->inspector().inspect({{2, 0}, 0.1, {}, 0});
    const Element edge = desk.model().inspection.element;
    REQUIRE(edge.kind == ElementKind::kEdge);
    desk.then_settle()->edits().flip_edge(edge);
    CHECK(desk.model().position == 2);
    CHECK(desk.model().inspection.element.id == edge.id);
    REQUIRE(desk.model().inspection.corners.size() == 2);
    CHECK(desk.model().inspection.corners[0].x == 4);  // it has the two other ends now
    CHECK(desk.model().inspection.corners[1].x == 4);
    desk.then_settle()->playback().run_to_end();
    CHECK(desk.model().position == 3);  // a claim alone: nothing is left to do
}

TEST_CASE("session: a watched file is read again when it changes, and manual edits are kept instead") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "p.xy";
    write_file(file, "0 0\n1 0\n0 1\n");
    desk->opener().load(file.string(), true);
    desk.then_settle()->playback().run_to_end();
    desk->opener().watches = true;
    const auto change = [&](const std::string& text) {
        const auto before = std::filesystem::last_write_time(file);
        write_file(file, text);
        std::filesystem::last_write_time(file, before + std::chrono::seconds(2));
    };
    const auto wait_for = [&](const auto& wanted) {
        for (int i = 0; i < 3000 && !wanted(); ++i) {
            desk.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        CHECK(wanted());
    };
    const auto at_end_with = [&](uint32_t points) {
        return [&desk, points] { return desk->input()->points.size() == points && desk.model().done; };
    };
    change("0 0\n1 0\n0 1\n1 1\n");
    wait_for(at_end_with(4));  // a run at its end goes to its end
    desk.settle();
    REQUIRE(desk.model().result);
    CHECK(desk.model().result->triangles == 2);
    // An unreadable file is reported, and the present input stays until the file is readable.
    change("0 0\n1 0\nzero one\n");
    wait_for([&] { return desk.said("p.xy:3"); });
    CHECK(desk->input()->points.size() == 4);
    change("0 0\n1 0\n0 1\n1 1\n3 3\n");
    wait_for(at_end_with(5));
    desk->opener().watches = false;
    desk.then_settle()->edits().add_vertex({0.5, 0.3, 0}, 0);
    change("0 0\n1 0\n0 1\n");
    desk.then_settle()->opener().restart();
    CHECK(desk->input()->points.size() == 6);
    CHECK(desk.model().position == 0);
    CHECK(desk.said("has changed"));
}

TEST_CASE("session: a column that another input lacks is reported once, with the columns it has") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:50");
    if (!desk) return;
    const TemporaryFolder folder;
    const auto write = [&](const char* name, const std::string& columns, int second) {
        std::string text = "x,y," + columns + "\n";
        for (int i = 0; i < 60; ++i)
            text += std::to_string(i * 37 % 60) + "," + std::to_string(i * 23 % 61) + "," + std::to_string(i) +
                    (second ? "," + std::to_string(-i) : "") + "\n";
        write_file(folder / name, text);
        return (folder / name).string();
    };
    const std::string first = write("a.csv", "mass", 0), other = write("b.csv", "pop,height", 1);
    const auto open = [&](const std::string& file) {
        desk->opener().load(file, true);
        desk.then_settle()->playback().run_to_end();
    };
    const auto coloured = [&] { return desk.model().scene.layer("cells") != nullptr; };
    open(first);
    desk.then_settle()->selection().colour_by(Explored("mass"));
    CHECK(coloured());
    open(other);
    CHECK_FALSE(coloured());
    CHECK(desk.times_said("Nothing is coloured: b.csv has no column \"mass\"; it has pop and height") == 1);
    desk.then_settle()->selection().select(parse_selection("mass:5..10", "select "));
    CHECK(desk.said("of the input pop and height"));
    CHECK_FALSE(desk->selection().exploration().selects());
    desk.then_settle()->selection().select(parse_selection("pop:10..20", "select "));
    CHECK(desk.model().selected == 11);
    open(first);
    CHECK(coloured());
    CHECK(desk.said("Nothing is selected: a.csv has no column \"pop\""));
    CHECK(desk.times_said("Nothing is coloured") == 1);
    // The kept picture has its own columns.
    desk.then_settle()->comparison().toggle();
    open(other);
    desk.then_settle()->selection().colour_by(Explored("pop"));
    CHECK(desk.said("The kept picture is not coloured: a.csv has no column \"pop\"; it has \"mass\"."));
}

TEST_CASE("session: a study area that is the hull of the points is that of the next input's points, too") {
    const DeviceSlot desk = desk_or_skip("build", "uniform:100");
    if (!desk) return;
    desk->selection().study("hull");
    desk.settle();
    const auto& chosen = desk->selection().exploration();
    REQUIRE(chosen.area);
    const std::vector<std::vector<Point>> before = chosen.area->rings;
    desk.then_settle()->opener().load("uniform:60@seed=2", false);
    REQUIRE(chosen.area);
    CHECK(chosen.area_name == "hull");
    CHECK(chosen.area->rings != before);
    const auto corners = chosen.area->rings[0];
    const auto& points = desk->input()->points;
    for (const Point corner : corners) CHECK(std::ranges::find(points, corner) != points.end());
    desk->selection().study("0,0,1,0.5", std::make_shared<const StudyArea>(area_of_rectangle({0, 0}, {1, 0.5})));
    desk.then_settle()->opener().load("uniform:80", false);
    REQUIRE(chosen.area);
    CHECK(chosen.area->high == Point{1, 0.5});
}

TEST_CASE("session: when the device is lost, the run continues on CPU threads with its edits and its timeline") {
    const auto run_to_end = [](const DeviceSlot& desk) {  // again if the device was lost on the way
        for (int i = 0; i < 3 && !desk.model().done; ++i) desk.then_settle()->playback().run_to_end();
        CHECK(desk.model().done);
    };
    const auto edit_and_run = [&](const DeviceSlot& desk) {
        run_to_end(desk);
        for (int i = 0; i < 2 && desk.model().edits == 0; ++i) {
            if (i > 0) CHECK(desk.said("The edit was not made. "));
            desk.then_settle()->edits().add_vertex({0.5, 0.5, 0}, 0);
        }
        REQUIRE(desk.model().edits == 1);
        run_to_end(desk);
        desk->selection().measure_shown(true);  // statistics are kernels, too
        desk.settle();
    };
    const DeviceSlot sound = desk_or_skip("build", "uniform:200");
    if (!sound) return;
    edit_and_run(sound);
    CHECK_FALSE(sound.said("device is lost"));
    // Lost while opening, while running, or after the edit.
    for (const char* launches : {"1", "9", "60", "300", "900"}) {
        INFO("lost at launch " << std::string(launches));
        const Environment lost("FLIPSCOPE_LOSE_DEVICE", launches);
        const DeviceSlot desk = desk_or_skip("build", "uniform:200");
        edit_and_run(desk);
        for (int i = 0; i < 200 && !desk.said("device is lost"); ++i) {
            desk->checks().verify();  // checks are kernels
            desk.settle();
        }
        CHECK(desk.said("The device is lost ("));
        CHECK(desk.said("Labs run on CPU"));
        CHECK(desk.hash() == sound.hash());
        CHECK(desk.model().edits == 1);
        CHECK(desk.model().position == sound.model().position);
        desk.then_settle()->undo().undo();
        CHECK(desk.model().edits == 0);
    }
}
