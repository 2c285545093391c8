// sanitizers: none
// The Particles lab in a channel, from its callers' view: the choice of the box, reports, drawings and exports. The
// engine has its own tests.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "delaunay/hands.h"
#include "io/fields.h"
#include "io/geometry.h"
#include "io/scratch.h"
#include "io/xyz.h"
#include "labs/particles.h"
#include "labs/periodic.h"
#include "particles/dynamics.h"
#include "particles/model.h"

using namespace flipscope;

namespace {

std::string walls_of(const Lab& lab) {
    const Result result = lab.result();
    const Property* found = result.numbers.find("walls");
    return found ? text_of(found->value) : "";
}
/// Files of one test.
struct Folder {
    std::filesystem::path path = make_scratch_folder();
    ~Folder() { std::filesystem::remove_all(path); }
    Input read(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return std::make_shared<const Geometry>(read_geometry(path / name));
    }
};

const char* const kThreeRows = "C 1 3 0\nC 4 -1.9 0\nC 31 9.8 0\n";

}  // namespace

TEST_CASE("Particles lab: amid flips, too, the edges of a channel are drawn that lie between its walls") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"walls=y", "box=30x12", "config=abp-dense", "count=150", "steps=3"});
    size_t passes = 0;
    while (!lab->done()) {
        passes += lab->step().pass == ParticleDynamics::kFlip;
        const Scene scene = lab->scene();
        const TriangleMesh& mesh = *scene.mesh;
        const std::vector<uint32_t> halves = mesh.half_edge_at.download(), corners = mesh.triangles.download(),
                                    drawn = std::get<SegmentsLayer>(scene.layer("edges")->shape).ends->download();
        const std::vector<ImageShift> shifts = mesh.shifts.download();
        for (uint32_t slot = 0; slot < 3 * mesh.triangle_count; ++slot) {
            if (halves[slot] % 2) continue;
            std::set<uint32_t> ends{drawn[halves[slot]], drawn[halves[slot] + 1]};
            CHECK(ends == (shifts[slot].y ? std::set{kNone} : std::set{corners[slot], corners[next_corner(slot)]}));
        }
    }
    CHECK(passes > 0);
}

TEST_CASE("Particles lab: a channel is told of, checked and drawn as one") {
    Context context(DeviceRequest::kCpu, 2);
    for (const bool x : {false, true}) {
        const auto lab = particles(context, {x ? "walls=x" : "walls=y", x ? "box=12x30" : "box=30x12",
                                             "config=abp-dense", "count=250", "steps=20", "speed=4", "record=5"});
        lab->finish({});
        const Result result = lab->result();
        CHECK(contains(result.headline, x ? "in a channel 30 long and 12 wide, periodic along y"
                                          : "in a channel 30 long and 12 high, periodic along x"));
        CHECK(number_of(*lab, "box_width") == (x ? 12 : 30));
        CHECK(number_of(*lab, "box_height") == (x ? 30 : 12));
        CHECK(result.numbers.find("box") == nullptr);
        CHECK(walls_of(*lab) == (x ? "x" : "y"));
        CHECK(number_of(*lab, "density") == doctest::Approx(250 * std::atan(1.0) / 360));
        CHECK(number_of(*lab, "discs_in_walls") == 0);
        const CheckReport report = facet<Checkable>(*lab).check();
        CHECK(report.passed);
        CHECK(contains(report.sentence, "all discs lie between the walls"));

        // Nothing beyond the walls is drawn, counted or exported.
        const Scene scene = lab->scene();
        CHECK(scene.high == (x ? Point{12, 30} : Point{30, 12}));
        const std::vector<Point> at = positions_of(*lab);
        const auto across = [&](Point p) { return x ? p.x : p.y; };
        const auto& edges = std::get<SegmentsLayer>(scene.layer("edges")->shape);
        const std::vector<uint32_t> ends = edges.ends->download();
        CHECK(scene.layer("edges")->periodic->size == (x ? Point{0, 30} : Point{30, 0}));
        CHECK(scene.layer("walls") != nullptr);
        CHECK(std::get<SegmentsLayer>(scene.layer("walls")->shape).few_ends.size() == 4);
        const auto shifts = values_of<int64_t>(*lab, "shifts");
        for (size_t i = x ? 0 : 1; i < shifts.size(); i += 2) CHECK(shifts[i] == 0);
        double low = INFINITY, high = -INFINITY;
        for (const Point p : at) low = std::min(low, across(p)), high = std::max(high, across(p));
        const double area = area_of_images(*lab, scene.high);
        CHECK(area <= 30 * (high - low));  // that of the strip that reaches as far
        CHECK(area > 30 * (high - low - 2));

        // A particle at a wall, and its edges, are explained as such.
        const auto lowest = static_cast<uint32_t>(
            std::min_element(at.begin(), at.end(), [&](Point p, Point q) { return across(p) < across(q); }) -
            at.begin());
        const Report told = facet<Inspectable>(*lab).inspect({ElementKind::kVertex, lowest});
        CHECK_FALSE(told.sections.empty());
        for (uint32_t e = 0; e < 40; ++e)
            CHECK(facet<Inspectable>(*lab).inspect({ElementKind::kEdge, e}).sections.empty() ==
                  (ends[2 * size_t(e)] >= edges.place_count));

        const Trajectory trajectory = facet<TrajectoryExporter>(*lab).trajectory();
        CHECK(trajectory.box == scene.high);
        CHECK(trajectory.periodic_x == !x);
        CHECK(trajectory.periodic_y == x);
        std::set<std::string> names;
        for (const Distribution& one : facet<Measurable>(*lab).statistics().all<Distribution>()) names.insert(one.name);
        CHECK(names.count("places across the channel") == 1);
    }
}

TEST_CASE("Particles lab: edges of few particles in a channel are drawn in pieces, but for those beyond its walls") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"walls=y", "box=4x9", "count=5", "config=c1", "force=none", "steps=1"});
    const Scene scene = lab->scene();
    const auto& lines = std::get<PolylinesLayer>(scene.layer("edges")->shape);
    const std::vector<uint32_t> starts = lines.starts->download();
    const std::vector<Point> points = lines.points->download();
    REQUIRE(starts.size() >= lines.count + 1);
    size_t drawn = 0;
    for (size_t e = 0; e < lines.count; ++e) {
        drawn += starts[e + 1] > starts[e];
        for (uint32_t k = starts[e]; k < starts[e + 1]; ++k) CHECK((points[k].y >= 0 && points[k].y <= 9));
    }
    CHECK(drawn == lab->result().edges);
    CHECK(drawn < lines.count);
}

TEST_CASE("Particles lab: a file whose box is periodic along x alone is a channel of the sizes that it says") {
    Context context(DeviceRequest::kCpu, 2);
    const Folder folder;
    const std::string lattice = "3\nLattice=\"30 0 0 0 12 0 0 0 1\" Origin=\"0 -2 0\" ";
    const Input file =
        folder.read("channel.xyz", lattice + "pbc=\"T F F\" Properties=species:S:1:pos:R:3\n" + kThreeRows);
    REQUIRE(file->box == Point{30, 0});
    CHECK(file->box_lengths == Point{30, 12});
    const auto lab = particles(context, {"config=abp-dilute", "steps=3"}, file);
    CHECK(walls_of(*lab) == "y");
    CHECK(number_of(*lab, "box_width") == 30);
    CHECK(number_of(*lab, "box_height") == 12);
    const std::vector<Point> at = positions_of(*lab);
    CHECK(at[0] == Point{1, 3});
    CHECK(at[1] == Point{4, -1.5});        // its disc reached into the wall
    CHECK(at[2].x == doctest::Approx(1));  // wrapped along x
    CHECK(at[2].y == 9.5);
    CHECK(number_of(*lab, "box_x") == 0);
    CHECK(number_of(*lab, "box_y") == -2);
    const std::string said = lab->step().message.text();
    CHECK(contains(said, "The box of channel.xyz is a channel 30 long and 12 high, periodic along x."));
    CHECK(contains(said, "2 discs reach into a wall and are moved to touch it."));
    // Another size of its box, which begins at 0, is a channel, too.
    const Input from_0 = folder.read(
        "from0.xyz", "1\nLattice=\"30 0 0 0 12 0 0 0 1\" pbc=\"T F F\" Properties=species:S:1:pos:R:3\nC 4 5 0\n");
    CHECK(walls_of(*particles(context, {"config=abp-dilute", "box=20x10"}, from_0)) == "y");
    CHECK(walls_of(*particles(context, {"config=abp-dilute", "box=20x10", "walls=none"}, from_0)).empty());
    for (const auto& [settings, part] :
         {std::pair<Settings, const char*>{{"walls=none"}, "the box is periodic along x alone"},
          {{"walls=x"}, "the box has no side along that axis"},
          {{"box=30x8", "walls=y"}, "point 1 (4, -1.9) lies beyond the walls of the channel, at y = 0 and 8"}})
        CHECK(contains(particles_refusal(settings, file), part));

    // Periodic along both axes, and walls that are asked for.
    const Input torus =
        folder.read("torus.xyz", lattice + "pbc=\"T T F\" Properties=species:S:1:pos:R:3\n" + kThreeRows);
    const auto walled = particles(context, {"config=abp-dilute", "walls=y"}, torus);
    CHECK(positions_of(*walled) == at);
    CHECK(walls_of(*particles(context, {"config=abp-dilute"}, torus)).empty());

    // No height in the file: that of the points, with room for their discs.
    const Input open =
        folder.read("open.xyz", "3\nLattice=\"30 0 0 0 0 0 0 0 0\" pbc=\"T F F\" Properties=species:S:1:pos:R:3\n" +
                                    std::string(kThreeRows));
    CHECK(open->box_lengths == Point{30, 0});
    const auto fitted = particles(context, {"config=abp-dilute", "steps=3"}, open);
    CHECK(number_of(*fitted, "box_height") == doctest::Approx(11.7 + 1));
    CHECK(positions_of(*fitted)[1].y == doctest::Approx(-1.9));
    CHECK(contains(fitted->step().message.text(), "walls touch the outermost discs of open.xyz"));

    const Input dump =
        folder.read("dump.lammpstrj",
                    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff pp pp\n-1 7\n0 30\n"
                    "-0.5 0.5\nITEM: ATOMS id x y\n1 2 3\n2 5 40\n");
    CHECK(dump->box == Point{0, 30});
    CHECK(dump->box_lengths == Point{8, 30});
    const auto other = particles(context, {"config=abp-dilute"}, dump);
    CHECK(walls_of(*other) == "x");
    CHECK(number_of(*other, "box_width") == 8);
    CHECK(positions_of(*other) == std::vector<Point>{{2, 3}, {5, 10}});
}

TEST_CASE("Particles lab: a channel lies where the box of its file does, in all that is drawn, told and written") {
    Context context(DeviceRequest::kCpu, 2);
    const Folder folder;
    for (const bool x : {false, true}) {
        const std::string rows = x ? "C -38.5 101.25 0\nC -36 125 0\nC -30.5 129.5 0\nC -35 110 0\nC -36 125 0\n"
                                   : "C 101.25 -38.5 0\nC 125 -36 0\nC 129.5 -30.5 0\nC 110 -35 0\nC 125 -36 0\n";
        const Input file =
            folder.read("far.xyz", std::string("5\nLattice=\"") + (x ? "12 0 0 0 30" : "30 0 0 0 12") +
                                       " 0 0 0 1\" Origin=\"" + (x ? "-40 100" : "100 -40") + " 0\" pbc=\"" +
                                       (x ? "F T" : "T F") + " F\" Properties=species:S:1:pos:R:3\n" + rows);
        const auto lab = particles(context, {"config=c1", "force=none", "steps=3", "record=1"}, file);
        const Point low = x ? Point{-40, 100} : Point{100, -40}, high = x ? Point{-28, 130} : Point{130, -28};
        const std::vector<Point> given(file->points.begin(), file->points.begin() + 4);
        CHECK(positions_of(*lab) == given);
        CHECK(lab->scene().low == low);
        CHECK(lab->scene().high == high);
        CHECK(std::get<DiscsLayer>(lab->scene().layer("particles")->shape).centres->read(1) == given[1]);
        CHECK(facet<TrajectoryExporter>(*lab).trajectory().frames[0].positions == given);
        write_xyz(folder.path / "out.xyz", facet<TrajectoryExporter>(*lab).trajectory());
        const Geometry written = read_geometry(folder.path / "out.xyz");
        CHECK(written.points == given);
        CHECK(written.box_low == file->box_low);
        CHECK(written.box == file->box);
        // A click at its place finds it and reports it.
        const auto& inspectable = facet<Inspectable>(*lab);
        CHECK(inspectable.pick({given[2], 0.01, {}, 0}).id == 2);
        CHECK(std::get<Point>(std::get<Properties>(inspectable.inspect({ElementKind::kVertex, 2}).sections[0].content)
                                  .find("x, y")
                                  ->value.content) == given[2]);
        const std::string said = lab->step().message.text();
        CHECK_FALSE(contains(said, "wrapped"));
        lab->finish({});
        for (const Point p : positions_of(*lab))
            CHECK((p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y));
        facet<Editable>(*lab).edit(move_of(1, Point{low.x + 5, low.y + 7}));
        CHECK(positions_of(*lab)[1] == Point{low.x + 5, low.y + 7});
    }
}

TEST_CASE("Particles lab: a box with one side 0 is a channel around the points, and refused without points") {
    Context context(DeviceRequest::kCpu, 2);
    const Input points = make_input("p.xy", {{1, 3}, {4, 8}, {9, -2}});
    const auto lab = particles(context, {"config=abp-dilute", "box=30x0"}, points);
    CHECK(walls_of(*lab) == "y");
    CHECK(number_of(*lab, "box_height") == 11);
    CHECK(positions_of(*lab) == std::vector<Point>{{1, 3}, {4, 8}, {9, -2}});
    CHECK(walls_of(*particles(context, {"config=abp-dilute", "box=0x40"}, points)) == "x");
    const std::string said = particles_refusal({"box=30x0"});
    CHECK(contains(said, "walls=y and box=30x12"));
    CHECK(contains(particles_refusal({"box=0x30"}), "walls=x and box=12x30"));
    CHECK(contains(particles_refusal({"box=30x0", "walls=none"}, points), "box=WIDTHxHEIGHT"));
    CHECK(contains(particles_refusal({"box=30x0.8", "walls=y", "config=c1", "count=3", "force=none"}),
                   "do not fit between walls"));
    CHECK(contains(particles_refusal({"box=30x12", "walls=y", "count=2000"}),
                   "would overlap in a channel 30 long and 12 high"));

    // Without a box a square of the area fraction, whose lower and upper sides are walls.
    const auto square = particles(context, {"walls=y", "count=150", "config=c1", "steps=2"});
    square->finish({});
    CHECK(number_of(*square, "box_width") == doctest::Approx(number_of(*square, "box_height")));
    CHECK(number_of(*square, "density") == doctest::Approx(0.52));
    CHECK(facet<Checkable>(*square).check().passed);
    const auto scaled = particles(context, {"walls=y", "config=c1", "force=none", "steps=2"}, generated("uniform:80"));
    scaled->finish({});
    CHECK(number_of(*scaled, "density") == doctest::Approx(0.52));
    CHECK(facet<Checkable>(*scaled).check().passed);
}

TEST_CASE("Particles lab: what a channel records is read back as a channel, and can start another run") {
    Context context(DeviceRequest::kCpu, 2);
    const Folder folder;
    const auto lab =
        particles(context, {"walls=x", "box=7x25", "config=abp-dense", "count=120", "steps=6", "record=6"});
    lab->finish({});
    Trajectory trajectory = facet<TrajectoryExporter>(*lab).trajectory();
    write_xyz(folder.path / "tracks.xyz", trajectory);
    const Tracks tracks = read_tracks(folder.path / "tracks.xyz");
    CHECK(tracks.box == Point{0, 25});
    CHECK(tracks.box_lengths == Point{7, 25});
    trajectory.frames.erase(trajectory.frames.begin());
    write_xyz(folder.path / "last.xyz", trajectory);
    const auto input = std::make_shared<const Geometry>(read_geometry(folder.path / "last.xyz"));
    const auto next = particles(context, {"config=abp-dense"}, input);
    CHECK(walls_of(*next) == "x");
    CHECK(positions_of(*next) == positions_of(*lab));
}

TEST_CASE("Particles lab: a disc that reaches into a wall fails the check, and is listed") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"walls=y", "box=20x6", "config=custom", "species=1", "count=40", "steps=9",
                                         "force=none", "diffusion=1"});
    facet<Adjustable>(*lab).finish_rounds(3, {});
    uint32_t low = 0;
    const std::vector<Point> at = positions_of(*lab);
    for (uint32_t i = 0; i < at.size(); ++i)
        if (at[i].y < at[low].y) low = i;
    facet<Editable>(*lab).edit(move_of(low, Point{at[low].x, -3}));
    CHECK(positions_of(*lab)[low].y == 0.5);
    facet<Adjustable>(*lab).adjust({{"diameter_1", "1.2"}});
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK_FALSE(report.passed);
    CHECK(contains(report.sentence, "into a wall"));
    CHECK(number_of(*lab, "discs_in_walls") >= 1);
    bool listed = false;
    for (const CheckFailure& failure : report.failures)
        listed |= failure.code == "in-wall" && failure.elements.front().id == low;
    CHECK(listed);
    facet<Adjustable>(*lab).finish_rounds(1, {});
    CHECK(number_of(*lab, "discs_in_walls") == 0);
    const auto few = particles(context, {"walls=y", "box=40x6", "config=custom", "species=1", "count=3"});
    CHECK_THROWS_WITH_AS(facet<Adjustable>(*few).adjust({{"diameter_1", "6.5"}}),
                         doctest::Contains("do not fit between walls"), Error);
}
