// Opening inputs and labs without a window, with minimal labs in place of the registered ones.
#include "app/session/input_loader.h"

#include "app/folders.h"
#include "app/session/scripted_lab.h"
#include "app/session/worker.h"
#include "geometry/frames.h"
#include "io/fields.h"
#include "lab/parameters.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// Two labs: "scripted" takes points and meshes, "pictures" takes fields too and needs no points.
LabSource scripted_labs(std::string refusal = {}) {
    return {[refusal](const std::string& id) -> std::unique_ptr<Lab> {
                if (id != "scripted" && id != "pictures") throw Error("there is no lab \"" + id + "\"");
                auto lab = std::make_unique<ScriptedLab>();
                lab->about.id = id;
                lab->about.example = "uniform:7";
                if (id == "scripted") lab->about.inputs = {InputKind::kPoints, InputKind::kMeshes};
                lab->refuses = refusal;
                if (id == "pictures") {
                    lab->about.title = "Picture lab";
                    lab->about.inputs = {InputKind::kPoints, InputKind::kFields, InputKind::kNothing};
                }
                return lab;
            },
            [](const Geometry& input) { return input.field ? "pictures" : "scripted"; }};
}

struct LoaderBench {
    Context context{DeviceRequest::kCpu, 1};
    InputLoader loader;
    std::unique_ptr<Timeline> timeline;
    TemporaryFolder folder;

    explicit LoaderBench(LabSource labs = scripted_labs())
        : loader(labs), timeline(std::make_unique<Timeline>(labs.make("scripted"))) {}
    /// As the session does on the worker's thread.
    Opened open(const Opening& opening) {
        Bell over;
        Worker worker([&] { over.ring(); });
        Opened opened;
        worker.start([&] {
            const CancelScope scope(context.cancel_flag());
            opened = loader.open(opening, *timeline, [this](const LabInfo&) -> Context& { return context; });
        });
        over.wait_for(1);
        if (const auto failure = worker.collect()) std::rethrow_exception(failure);
        if (opened.timeline) timeline = std::move(opened.timeline);
        loader.adopt(opening, opened);
        return opened;
    }
    const LabInfo& info() const { return timeline->lab().info(); }
    std::string number() const { return list_parameters(timeline->lab()).at(0).value; }
    static std::vector<Parameter> set_number(const std::string& value) { return {{"number", value}}; }
};

constexpr const char* kPicture = "P2\n3 2\n9\n1 2 3\n4 5 6\n";
constexpr const char* kCrossed = "OFF\n6 2 0\n0 0 0\n4 0 0\n2 3 0\n0 2 0\n2 -1 0\n4 2 0\n3 0 1 2\n3 3 4 5\n";

}  // namespace

TEST_CASE("input loader: inputs from memory, generators and files have their bounds and source") {
    LoaderBench opener;
    CHECK_FALSE(opener.loader.input());
    opener.open(opener.loader.from_memory({}, std::make_shared<const Geometry>(), "nothing given", {"a note"}));
    CHECK(opener.loader.revision() == 1);
    const Opening made = opener.loader.load("uniform:20", false);
    CHECK(made.title == "Making uniform:20");
    opener.open(made);
    CHECK(opener.loader.input()->points.size() == 20);
    CHECK(opener.loader.present().source == "uniform:20");
    CHECK(opener.loader.revision() == 2);
    const std::string file = opener.folder.file("five.xy", "0 0\n3 0\n0 1\n1 1\n0.5 0.25\n");
    const Opened read = opener.open(opener.loader.load(file, true));
    CHECK(read.bounds.low.x == 0);
    CHECK(read.bounds.high.x == 3);
    CHECK(read.bounds.high.y == 1);
    CHECK(opener.loader.input()->points.size() == 5);
    opener.open(opener.loader.start_over());
    CHECK(opener.loader.revision() == 3);  // not a new input
    CHECK(opener.loader.present().source == file);
}

TEST_CASE("input loader: a table of points over time has columns to choose, and stays one when they change") {
    LoaderBench opener;
    Scenario origin;
    origin.tracks = opener.folder.file("walk.csv", "5,7,1,2\n6,7,3,4\n5,8,5,6\n");
    Geometry walk{"walk.csv", {{0, 0}}};  // a lab of points needs one
    walk.tracks = std::make_shared<const Tracks>(read_tracks(origin.tracks));
    opener.open(opener.loader.from_memory(origin, std::make_shared<const Geometry>(walk), "walk.csv"));
    CHECK(opener.loader.present().table.as_tracks);
    REQUIRE(opener.loader.present().layout);
    CHECK(opener.loader.present().layout->over_time);
    ReadOptions read;
    read.set("columns", "time=2,id=1,x=3,y=4");
    const Opening again = opener.loader.read_table(opener.loader.present().table, read);
    CHECK(again.run.input.empty());
    CHECK(again.run.tracks == origin.tracks);
    Opened made;
    const auto input = again.make_input(opener.info(), made);
    REQUIRE(input->tracks);
    CHECK(input->tracks->times == std::vector<double>{7, 8});
    const auto columns_read = [&](const std::string& name, const std::string& text) {
        opener.loader.load(opener.folder.file(name, text), true).make_input(opener.info(), made);
        return made.table.value().columns.size();  // so that the file is not read again
    };
    CHECK(columns_read("three.csv", "name,x,y\nA,1,2\nB,3,5\nC,4,4\n") == 3);
    CHECK(columns_read("crossed.off", kCrossed) == 0);
    origin.points = "uniform:9";  // with points, the table would be one of two inputs
    CHECK_FALSE(opener.loader.from_memory(origin, std::make_shared<const Geometry>(walk), "walk.csv").table.any());
}

TEST_CASE("input loader: after an Error the present run is as it was, whether reading or the lab refuses") {
    LoaderBench opener;
    opener.open(opener.loader.load("uniform:20", false));
    opener.timeline->seek(5);
    const auto before = opener.loader.input();
    CHECK_THROWS_AS(opener.open(opener.loader.load(opener.folder.file("bad.xy", "1 2\n3 four\n"), true)), Error);
    CHECK_THROWS_AS(opener.open(opener.loader.load("uniform:13", false)), Error);  // thirteen are refused
    CHECK_THROWS_AS(opener.open(opener.loader.in_lab("chess")), Error);
    CHECK(opener.timeline->usable());
    CHECK(opener.timeline->position() == 5);
    CHECK(opener.loader.input() == before);
    CHECK(opener.loader.revision() == 1);
}

TEST_CASE("input loader: chosen parameters are set where the lab stays, and not in another lab") {
    LoaderBench opener;
    opener.open(opener.loader.load("uniform:20", false));
    Opening again = opener.loader.start_over();
    again.parameters = LoaderBench::set_number("8");
    opener.open(again);
    CHECK(opener.number() == "8");
    again.parameters = LoaderBench::set_number("many");
    CHECK_THROWS_AS(opener.open(again), Error);
    CHECK(opener.number() == "8");
    Opening other = opener.loader.in_lab("pictures");
    other.parameters = LoaderBench::set_number("9");
    opener.open(other);
    CHECK(opener.info().id == "pictures");
    CHECK(opener.number() == "3");
    CHECK(opener.loader.input()->points.size() == 20);
    CHECK(opener.loader.revision() == 1);
}

TEST_CASE("input loader: a lab of the plane uses x and y of a surface, and a lab of surfaces gets the whole again") {
    LabSource labs = scripted_labs();
    labs.make = [plane = labs.make](const std::string& id) {
        if (id != "surfaces") return plane(id);
        auto lab = std::make_unique<ScriptedLab>();
        lab->about.id = id;
        lab->about.inputs = {InputKind::kPoints, InputKind::kMeshes, InputKind::kSurfaces};
        return std::unique_ptr<Lab>(std::move(lab));
    };
    labs.lab_for = [](const Geometry& input) { return input.in_space() ? "surfaces" : "scripted"; };
    LoaderBench opener(labs);
    opener.open(opener.loader.load("uniform:20", false));
    opener.open(opener.loader.load(opener.folder.file("bent.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 5\n3 0 1 2\n"), true));
    CHECK(opener.info().id == "surfaces");
    const auto surface = opener.loader.input();
    CHECK(surface->in_space());
    const Opened flat = opener.open(opener.loader.in_lab("pictures"));
    CHECK_FALSE(flat.input->in_space());
    CHECK(flat.input->triangles.empty());
    CHECK(flat.input->points == surface->points);
    REQUIRE(flat.input->attributes);
    CHECK(flat.input->attributes->back().name == "z");
    CHECK(flat.input->attributes->back().values == std::vector<double>{0, 0, 5});
    REQUIRE_FALSE(flat.notes.empty());
    CHECK(flat.notes[0].find("bent.off is a surface in space, and the Picture lab works in the plane: x and y of its 3 "
                             "vertices count") == 0);
    opener.open(opener.loader.start_over());
    opener.open(opener.loader.in_lab("surfaces"));
    CHECK(opener.loader.input() == surface);
    opener.open(opener.loader.in_lab("scripted"));  // accepts the triangles
    CHECK(opener.loader.input()->triangles == surface->triangles);
    CHECK_FALSE(opener.loader.input()->in_space());
    opener.open(opener.loader.load("uniform:20", false));
    opener.open(opener.loader.in_lab("surfaces"));
    CHECK(opener.loader.input()->points.size() == 20);
}

TEST_CASE("input loader: a field opens a lab of fields, joins its points, and can be left out again") {
    LoaderBench opener;
    opener.open(opener.loader.load("uniform:20", false));
    const std::string picture = opener.folder.file("picture.pgm", kPicture);
    const Opened opened = opener.open(opener.loader.load(picture, true));
    CHECK(opener.info().id == "pictures");
    REQUIRE(opener.loader.input()->field);
    CHECK(opener.loader.input()->points.size() == 20);
    REQUIRE_FALSE(opened.notes.empty());
    CHECK(opened.notes.back().find("is opened in the Picture lab") != std::string::npos);
    opener.open(opener.loader.leave_out(InputLoader::Part::kPoints));
    CHECK(opener.loader.input()->points.empty());
    CHECK(opener.loader.input()->field);
    CHECK(opener.loader.present().source.empty());
    CHECK(opener.info().id == "pictures");
    // The lab of points starts on its example, and notes that and the ignored field.
    const Opened back = opener.open(opener.loader.in_lab("scripted"));
    CHECK(opener.loader.input()->points.size() == 7);
    CHECK(back.notes.size() == 2);
    opener.open(opener.loader.leave_out(InputLoader::Part::kFrames));
    CHECK_FALSE(opener.loader.input()->field);
}

TEST_CASE("input loader: a broken mesh that a lab refuses is shown as given, until the lab gets a valid input") {
    LoaderBench opener(scripted_labs("it is no triangulation"));
    Opening opening = opener.loader.load(opener.folder.file("crossed.off", kCrossed), true);
    opening.parameters = LoaderBench::set_number("6");
    Opened opened = opener.open(opening);
    CHECK(opened.refusal == "it is no triangulation");
    CHECK(opener.timeline->done());
    CHECK_FALSE(facet<Checkable>(opener.timeline->lab()).check().passed);
    CHECK(opener.info().id == "scripted");
    CHECK(opener.number() == "6");
    // For a sound mesh, and for points, the Error is reported.
    const std::string sound = opener.folder.file("sound.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    for (Opening other : {opener.loader.load(sound, true), opener.loader.load("uniform:5", false)}) {
        other.remakes_lab = true;
        CHECK_THROWS_WITH_AS(opener.open(other), "it is no triangulation", Error);
    }
    CHECK(opener.loader.input()->name == "crossed.off");

    // A valid input replaces the stand-in and keeps the parameters.
    InputLoader willing(scripted_labs());
    Opening again = willing.load("uniform:30", false);
    again.remakes_lab = true;
    again.parameters = LoaderBench::set_number("6");
    opened = willing.open(again, *opener.timeline, [&](const LabInfo&) -> Context& { return opener.context; });
    REQUIRE(opened.timeline);
    CHECK(opened.refusal.empty());
    CHECK(list_parameters(opened.timeline->lab()).at(0).value == "6");
    opened.timeline->seek(3);
    CHECK(opened.timeline->position() == 3);
}

TEST_CASE("input loader: a cancel before the lab starts changes nothing") {
    LoaderBench opener;
    opener.open(opener.loader.load("uniform:20", false));
    opener.timeline->seek(5);
    opener.context.cancel();
    CHECK_THROWS_AS(opener.open(opener.loader.load("uniform:30", false)), Cancelled);
    opener.context.clear_cancel();
    CHECK(opener.timeline->usable());
    CHECK(opener.timeline->position() == 5);
    CHECK(opener.loader.input()->points.size() == 20);
}

TEST_CASE("input loader: the bounds are those of the points, of a surface's heights, or of the lattice") {
    Geometry points;
    CHECK(bounds_of(points).high.x == 1);  // no points: room to add some
    points.points = {{7, -2}};
    CHECK(bounds_of(points).low.x == 6.5);
    CHECK(bounds_of(points).high.y == -1.5);
    points.points = {{1, 2}, {-3, 5}};
    CHECK(bounds_of(points).low.x == -3);
    CHECK(bounds_of(points).high.y == 5);
    points.heights = {7, -1};
    CHECK(bounds_of(points).low_z == -1);
    CHECK(bounds_of(points).high_z == 7);
    Geometry picture;
    auto field = std::make_shared<FieldStack>();
    field->width = 3;
    field->height = 2;
    field->values.resize(6);
    picture.field = field;
    CHECK(bounds_of(picture).low.x == -0.5);
    CHECK(bounds_of(picture).high.x == 2.5);
    CHECK(bounds_of(picture).high.y == 1.5);
}

TEST_CASE("input loader: timings are cleared for another lab, and kept if it does not start") {
    LoaderBench opener;
    const auto labels = [&] {
        std::string text;
        for (const LabelTiming& row : opener.context.timings().rows())
            if (row.calls > 0) text += row.label + " ";
        return text;
    };
    const auto book = [&](const char* label) {
        opener.context.timings().add(opener.context.timings().row(label), 1, 10);
    };
    opener.open(opener.loader.load("uniform:20", false));
    book("here.count");
    opener.open(opener.loader.load("uniform:30", false));
    opener.open(opener.loader.start_over());
    CHECK(labels() == "here.count ");
    Opening refused = opener.loader.in_lab("pictures");
    refused.make_input = [](const LabInfo&, Opened&) {
        auto thirteen = std::make_shared<Geometry>();
        thirteen->points.resize(13);
        return thirteen;
    };
    CHECK_THROWS_AS(opener.open(refused), Error);
    CHECK(labels() == "here.count ");
    opener.open(opener.loader.in_lab("pictures"));
    CHECK(labels().empty());
    book("there.look");
    book("here.count");
    CHECK(labels() == "here.count there.look ");
    CHECK(opener.context.timings().rows().front().calls == 1);
}
