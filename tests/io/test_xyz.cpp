// XYZ: written trajectories are read back as tracks with every bit, and files of other programs are read.
#include "io/xyz.h"

#include <cmath>
#include <random>

#include "input_files.h"
#include "io/geometry.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

std::string text_of(const Trajectory& trajectory) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.folder / "t.xyz";
    write_xyz(path, trajectory);
    return content_of(path);
}

}  // namespace

TEST_CASE("xyz: a trajectory is written as extended XYZ") {
    Trajectory trajectory;
    trajectory.species = {"green", "blue"};
    trajectory.columns = {"orientation"};
    trajectory.box = {10.5, 10.5};
    trajectory.frames = {{0, 0, {{1, 2}, {0.1, -3e-7}}, {1, 0}, {}, {{0.5, -1}}},
                         {0.25, 25, {{1e22, 0}}, {0}, {17}, {{3}}}};
    CHECK(text_of(trajectory) ==
          "2\n"
          "Lattice=\"10.5 0 0 0 10.5 0 0 0 1\" Origin=\"0 0 0\" pbc=\"T T F\" "
          "Properties=species:S:1:pos:R:3:orientation:R:1 Time=0 Step=0 species_names=\"green blue\"\n"
          "He 1 2 0 0.5\n"
          "H 0.1 -3e-07 0 -1\n"
          "1\n"
          "Lattice=\"10.5 0 0 0 10.5 0 0 0 1\" Origin=\"0 0 0\" pbc=\"T T F\" "
          "Properties=species:S:1:pos:R:3:id:I:1:orientation:R:1 Time=0.25 Step=25 species_names=\"green blue\"\n"
          "H 1e+22 0 0 17 3\n");
    Trajectory plain;
    plain.frames = {{0, 0, {{1, 2}}, {}, {}, {}}, {1, 1, {}, {}, {}, {}}};
    CHECK(text_of(plain) ==
          "1\npbc=\"F F F\" Properties=species:S:1:pos:R:3 Time=0 Step=0\nX 1 2 0\n"
          "0\npbc=\"F F F\" Properties=species:S:1:pos:R:3 Time=1 Step=1\n");
}

TEST_CASE("xyz: any numbers of any count of points are read back to the last bit") {
    std::mt19937_64 random(5);
    const auto number = [&] {
        const double part = static_cast<double>(random() >> 11) * 0x1p-53;
        return std::ldexp(part + 0.5, static_cast<int>(random() % 300) - 150) * (random() & 1 ? 1 : -1);
    };
    for (const size_t n : {0, 1, 2, 3, 50}) {
        for (const bool named : {false, true}) {
            Trajectory trajectory;
            const auto length = [&] { return 1 + 100 * (static_cast<double>(random() >> 11) * 0x1p-53); };
            trajectory.box = {length(), length()};
            Tracks expected{"t.xyz", {}, {0}, {}, {}};
            expected.box = trajectory.box;
            double time = -3;
            for (int f = 0; f < 6; ++f) {
                Trajectory::Frame frame{time += 1.0 / 3, uint64_t(f) * 100, {}, {}, {}, {}};
                expected.times.push_back(time);
                const size_t here = n + (f == 2);
                for (size_t i = 0; i < here; ++i) {
                    const Point p{number(), number()};
                    frame.positions.push_back(p);
                    frame.species.push_back(uint32_t(i % 3));
                    // In falling order, as a simulation that sorts its particles writes them.
                    if (named) frame.ids.push_back(int64_t(here - i) * 1'000'000'007 - 5);
                }
                for (size_t k = 0; k < here; ++k) {
                    const size_t i = named ? here - 1 - k : k;
                    expected.places.push_back(frame.positions[i]);
                    expected.ids.push_back(named ? frame.ids[i] : int64_t(i));
                }
                expected.starts.push_back(expected.places.size());
                trajectory.frames.push_back(std::move(frame));
            }
            const Tracks read = tracks_in("t.xyz", text_of(trajectory));
            CHECK(read.times == expected.times);
            CHECK(read.starts == expected.starts);
            CHECK(read.ids == expected.ids);
            CHECK(read.places == expected.places);
            CHECK(read.box == expected.box);
            CHECK(read.box_low == Point{0, 0});
        }
    }
}

TEST_CASE("xyz: the writer refuses inconsistent frames without writing a file") {
    const Scratch scratch;
    const std::filesystem::path path = scratch.folder / "t.xyz";
    CHECK_THROWS_WITH_AS(write_xyz(path, {}), doctest::Contains("no frames were recorded"), Error);
    Trajectory sound;
    sound.species = {"a"};
    sound.columns = {"speed"};
    sound.frames = {{0, 0, {{1, 2}}, {0}, {}, {{1}}}};
    const auto check = [&](const auto& spoil) {
        Trajectory spoilt = sound;
        spoil(spoilt);
        CHECK_THROWS_AS(write_xyz(path, spoilt), std::logic_error);
    };
    check([](Trajectory& t) { t.frames[0].species = {0, 0}; });
    check([](Trajectory& t) { t.frames[0].species = {36}; });
    check([](Trajectory& t) { t.frames[0].ids = {1, 2}; });
    check([](Trajectory& t) { t.frames[0].numbers = {}; });
    check([](Trajectory& t) { t.frames[0].numbers = {{}}; });
    check([](Trajectory& t) { t.columns = {"two words"}; });
    check([](Trajectory& t) { t.species = {"a:b"}; });
    CHECK_FALSE(std::filesystem::exists(path));
    write_xyz(path, sound);
    CHECK(std::filesystem::exists(path));
}

TEST_CASE("xyz: plain files are read, with the number of the frame as time and of the row as id") {
    std::vector<std::string> notes;
    const Tracks read = tracks_in(
        "t.xyz", "3\nwater, t = 0.5 \nO 0 0 0\nH 1 0.5 0\r\nH -1 0.5 0\n\n3\n\nO 0.1 0 0\nH 1 0.6 0\nH -1 .5e0 0\n",
        &notes);
    CHECK(read.times == std::vector<double>{0, 1});
    CHECK(read.starts == std::vector<size_t>{0, 3, 6});
    CHECK(read.ids == std::vector<int64_t>{0, 1, 2, 0, 1, 2});
    CHECK(read.places[5] == Point{-1, 0.5});
    CHECK(read.box == Point{0, 0});
    CHECK(read.attributes.at(0).categories == std::vector<std::string>{"O", "H"});
    REQUIRE(notes.size() == 1);
    CHECK(any_contains(notes, "1 column kept: species"));
    notes.clear();
    const Tracks more = tracks_in("t.xyz", "1\n\nO 0 0 1 0.5 0.5\n1\n\nO 0 0 2 0.5 0.5\n", &notes);
    CHECK(more.attributes.at(0).values == std::vector<double>{1, 2});
    CHECK(any_contains(notes, "3 columns kept: z, column 5, column 6"));
}

TEST_CASE("xyz: keys and columns in any order and case, as other programs write them") {
    std::vector<std::string> notes;
    const Tracks read = tracks_in(
        "t.xyz",
        "2\n energy=-1.5 TIME = x properties=id:I:1:forces:R:3:Pos:R:3 lattice='8 0 0 0 6 0 0 0 9' origin={-4 -3 0} "
        "Timestep=100 PBC=[1 True 0] flag\n"
        "9 0 0 0 1 2 0\n-4 0 0 0 3 -1 0\n"
        "2\nProperties=id:I:1:pos:R:2 Timestep=250 Lattice=\"8 0 0 0 6 0 0 0 9\" Origin=\"-4 -3 0\"\n9 1 2.5\n-4 3 0\n",
        &notes);
    CHECK(read.times == std::vector<double>{100, 250});
    CHECK(read.ids == std::vector<int64_t>{-4, 9, -4, 9});
    CHECK(read.places == std::vector<Point>{{3, -1}, {1, 2}, {3, 0}, {1, 2.5}});
    CHECK(read.box == Point{8, 6});
    CHECK(read.box_low == Point{-4, -3});
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "3 columns kept: forces_x, forces_y, forces_z"));
}

TEST_CASE("xyz: a box is a rectangle, periodic along each axis that pbc names, and the same in all frames") {
    const auto box_of = [](const std::string& first, const std::string& second, const std::string& note) {
        std::vector<std::string> notes;
        const Tracks read = tracks_in("t.xyz", "1\n" + first + "\nH 0 0 0\n1\n" + second + "\nH 0 0 0\n", &notes);
        CHECK(notes.empty() == note.empty());
        CHECK((note.empty() || any_contains(notes, note)));
        return read.box;
    };
    const std::string box = "Lattice=\"5 0 0 0 4 0 0 0 1\"";
    CHECK(box_of(box, box, "") == Point{5, 4});
    CHECK(box_of(box + " pbc=\"T T F\"", box, "") == Point{5, 4});
    CHECK(box_of(box + " pbc=\"F F F\"", box + " pbc=\"F F T\"", "") == Point{0, 0});
    CHECK(box_of(box + " pbc=\"T F F\"", box + " pbc=\"T F F\"", "") == Point{5, 0});
    CHECK(box_of(box + " pbc=[F, T, F]", box + " pbc=\"F T T\"", "") == Point{0, 4});
    const std::string lists = "Lattice=[[5, 0, 0], [0, 4, 0], [0, 0, 1]]";
    CHECK(box_of(lists, lists, "") == Point{5, 4});
    const std::string tilted = "Lattice=\"5 0 0 1 4 0 0 0 1\"";
    CHECK(contains(tracks_refusal("t.xyz", "1\n" + tilted + "\nH 0 0 0\n"), "t.xyz:2: the Lattice is triclinic"));
    CHECK(box_of(tilted + " pbc=\"F F F\"", tilted + " pbc=\"F F F\"", "") == Point{0, 0});
    CHECK(box_of(box, "Lattice=\"6 0 0 0 4 0 0 0 1\"", "the periodic box changes, from 5 × 4 to 6 × 4 in frame 1") ==
          Point{0, 0});
    CHECK(box_of(box, "", "to none in frame 1, so none is used") == Point{0, 0});
}

TEST_CASE("xyz: malformed files are refused with their line") {
    const std::pair<std::string, std::string> refusals[] = {
        {"", "no points found"},
        {"0\n\n0\n\n", "no points found"},
        {"2\n", "ends within frame 0: its second line is missing"},
        {"2\n\nH 0 0 0\n", "ends within frame 0, after 1 of 2 points"},
        {"18446744073709551615\n\nH 0 0 0\n", "after 1 of 18446744073709551615 points"},
        {"1\n\nH 0 0 0\n1\n\nH 0 a 0\n", "t.xyz:6: expected a number as y in column 3, found \"a\""},
        {"1\n\nH 0 nan 0\n", "t.xyz:3: y is nan, not a finite number"},
        {"1\n\nH 0\n", "t.xyz:3: expected a name and two or three numbers"},
        {"1\nProperties=pos:R:3\n0 0 0 0\n", "expected 3 columns, as Properties says"},
        {"1\nProperties=pos:R\n0 0 0\n", "t.xyz:2: expected name:type:number of columns"},
        {"1\nProperties=id:I:1\n0\n", "expected pos, with two or three columns, or x and y"},
        {"1\nProperties=id:I:1:pos:R:3\n1.5 0 0 0\n", "an id, a whole number, in column 1"},
        {"2\nProperties=id:I:1:pos:R:3\n4 0 0 0\n4 1 0 0\n", "t.xyz:4: id 4 is in this frame already, in line 3"},
        {"1\nLattice=\"1 0 0 0 1\"\nH 0 0 0\n", "t.xyz:2: expected nine numbers as Lattice"},
        {"1\npbc=\"T T\"\nH 0 0 0\n", "T or F for each of three directions"},
        {"1\nTime=1\nH 0 0 0\n1\nTime=1\nH 0 0 0\n", "t.xyz:5: this frame is at t = 1, and the one before it at t = 1"},
        {"1\nTime=1\nH 0 0 0\n1\nStep=2\nH 0 0 0\n", "expected Time=…, as in the frames before"},
        {std::string("\x7f\1ELF\0", 6), "expected plain text"},
    };
    for (const auto& [given, part] : refusals) CHECK(contains(tracks_refusal("t.xyz", given), part));
}

TEST_CASE("xyz: one frame is points in the order of the file, and several are points over time") {
    const Scratch scratch;
    std::vector<std::string> notes;
    const auto one =
        scratch.file("one.xyz", "2\nProperties=id:I:1:pos:R:2 Lattice=\"9 0 0 0 9 0 0 0 1\"\n7 3 4\n5 1 2\n");
    const Geometry points = read_geometry(one, &notes);
    CHECK_FALSE(points.tracks);
    CHECK(points.points == std::vector<Point>{{3, 4}, {1, 2}});
    CHECK(points.attributes->at(0).values == std::vector<double>{7, 5});
    CHECK(points.box == Point{9, 9});
    CHECK(notes.empty());
    CHECK(read_tracks(one).box == Point{9, 9});
    const auto two = scratch.file("two.XYZ", "1\n\nH 0 0 0\n1\n\nH 1 0 0\n");
    const Geometry moving = read_geometry(two);
    REQUIRE(moving.tracks);
    CHECK(moving.tracks->frame_count() == 2);
    CHECK(moving.points.empty());
}

TEST_CASE("xyz: extended columns of numbers, texts and truths are kept, and times are read as programs write them") {
    const std::string head = "Properties=species:S:1:x:R:1:y:R:1:mass:R:1:fixed:L:1:spin:R:2:tag:S:1 ";
    Notes notes;
    const Tracks read =
        tracks_in("t.xyz",
                  "2\n" + head + "comment=\"a \\\"b\\\" c\" time=0.5\nO 0 1 16 T 1 2 a\nH 2 3 1 F 3 4 b\n2\n" + head +
                      "Time=0.75\nO 0 1 16 T 1 2 a\nH 2 3 1 F 3 4 a\n",
                  &notes);
    CHECK(read.times == std::vector<double>{0.5, 0.75});
    REQUIRE(read.attributes.size() == 6);
    CHECK(read.attributes[0].categories == Notes{"O", "H"});
    CHECK(read.attributes[1].values == std::vector<double>{16, 1, 16, 1});
    CHECK(read.attributes[2].values == std::vector<double>{1, 0, 1, 0});
    CHECK(read.attributes[4].name == "spin_y");
    CHECK(read.attributes[5].values == std::vector<double>{0, 1, 0, 0});
    CHECK(any_contains(notes, "6 columns kept: species, mass, fixed, spin_x, spin_y, tag"));
    const auto times = [](const std::string& first, const std::string& second) {
        return tracks_in("t.xyz", "1\n" + first + "\nH 0 0 0\n1\n" + second + "\nH 0 0 0\n").times;
    };
    CHECK(times("Atoms. Timestep: 0", "Atoms. Timestep: 5000") == std::vector<double>{0, 5000});
    CHECK(times(" i = 1, time = 0.5, E = -17.1", " i = 2, time = 1.0, E = -17.1") == std::vector<double>{0.5, 1});
    CHECK(times("Timestep=3", "Step=4") == std::vector<double>{3, 4});
}

TEST_CASE("xyz: lines of numbers are a table of points, with and without their count") {
    const Scratch scratch;
    const std::vector<Point> three{{1, 2}, {3, 4}, {5, 7}};
    for (const std::string text : {"1 2 0\n3 4 0.5\n5 7 1\n", "1,2,0\n3,4,0.5\n5,7,1\n", "1\t2\r\n3\t4\r\n5\t7\r\n"})
        CHECK(read_geometry(scratch.file("scan.xyz", text)).points == three);
    const Geometry rows = read_geometry(scratch.file("rows.xyz", "3\nno names\n1 2 0\n3 4 0.5\n5 7 1\n"));
    CHECK(rows.points == three);
    CHECK(rows.attributes->at(0).values == std::vector<double>{0, 0.5, 1});
    const std::string extended = "1\nProperties=pos:R:2:m:R:1\n3 4 5\n";
    CHECK(read_geometry(scratch.file("no ending", extended)).points == std::vector<Point>{{3, 4}});
    CHECK(read_geometry(scratch.file("table.csv", "x,y,note\n1,2,Properties=\n")).points == std::vector<Point>{{1, 2}});
    CHECK(read_geometry(scratch.file("flat.extxyz", "2\n\nH 1 2\nH 3 4\n")).points ==
          std::vector<Point>{{1, 2}, {3, 4}});
}
