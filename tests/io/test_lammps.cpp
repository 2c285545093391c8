// LAMMPS's dumps: rows in any order, four kinds of coordinates, boxes, columns, and one frame or several; and its data
// files, whose columns the atom style names.
#include <cmath>

#include "input_files.h"
#include "io/geometry.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

std::string frame(int step, const std::string& atoms, const std::string& bounds = "pp pp pp",
                  const std::string& box = "-1 3\n0 8\n-0.5 0.5\n", int count = 2) {
    return "ITEM: TIMESTEP\n" + std::to_string(step) + "\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) +
           "\nITEM: BOX BOUNDS " + bounds + "\n" + box + "ITEM: ATOMS " + atoms;
}

std::string data_file(const std::string& atoms, const std::string& head = "",
                      const std::string& title = "made by hand") {
    return title + "\n\n2 atoms\n1 atom types\n\n-1 3 xlo xhi\n0 8.5 ylo yhi # a comment\n-0.5 0.5 zlo zhi\n" + head +
           "\nMasses\n\n1 39.95\n\nPair Coeffs # lj/cut\n\n1 1 1\n\n" + atoms + "\nVelocities\n\n1 0 0 0\n2 0 0 0\n";
}

}  // namespace

TEST_CASE("LAMMPS: frames are tracks with ids, times, the box and the columns, whatever the order of rows") {
    const std::string file = frame(0, "id type x y z vx element\n7 2 1 2 0 0.5 Si\n3 1 0 1 0 -1 C\n") +
                             frame(100, "id type x y z vx element\n3 1 0.5 1 0 -2 C\n7 2 1.5 2 0 nan Si\n");
    for (const std::string name : {"a.lammpstrj", "a.dump", "a.lammps"}) {
        Notes notes;
        const Tracks read = tracks_in(name, file, &notes);
        CHECK(read.times == std::vector<double>{0, 100});
        CHECK(read.ids == std::vector<int64_t>{3, 7, 3, 7});
        CHECK(read.places == Points{{0, 1}, {1, 2}, {0.5, 1}, {1.5, 2}});
        CHECK(read.box_low == Point{-1, 0});
        CHECK(read.box == Point{4, 8});
        REQUIRE(read.attributes.size() == 3);  // z is the same everywhere
        CHECK((read.attributes[0].name == "type" && read.attributes[0].values == std::vector<double>{1, 2, 1, 2}));
        CHECK((read.attributes[1].values[1] == 0.5 && std::isnan(read.attributes[1].values[3])));
        CHECK(read.attributes[2].categories == Notes{"Si", "C"});
        CHECK(read.attributes[2].values == std::vector<double>{1, 0, 1, 0});
        REQUIRE(notes.size() == 1);
        CHECK(notes[0].ends_with(name + ": x from \"x\", y from \"y\"; 3 columns kept: type, vx, element"));
    }
    const Scratch scratch;
    const Geometry moving = read_geometry(scratch.file("a.txt", file));  // known by its first line
    REQUIRE(moving.tracks);
    CHECK(moving.tracks->frame_count() == 2);
}

TEST_CASE("LAMMPS: scaled and unwrapped coordinates, in order of preference") {
    const auto places = [](const std::string& atoms) { return tracks_in("a.lammpstrj", frame(0, atoms)).places; };
    CHECK(places("id xs ys\n1 0.5 0.25\n2 0 1\n") == Points{{1, 2}, {-1, 8}});
    CHECK(places("id xu yu\n1 5 0.25\n2 0 1\n") == Points{{5, 0.25}, {0, 1}});
    CHECK(places("id xsu ysu\n1 1.5 0.25\n2 0 1\n") == Points{{5, 2}, {-1, 8}});
    CHECK(places("id xu yu x y\n1 5 0.25 1 0.5\n2 0 1 0 1\n") == Points{{1, 0.5}, {0, 1}});
    CHECK(places("y id x\n1 1 5\n2 2 6\n") == Points{{5, 1}, {6, 2}});
    Notes notes;
    tracks_in("a.lammpstrj", frame(0, "id xs ys zs\n1 0.5 0.25 0.5\n2 0 1 0.5\n"), &notes);
    CHECK(notes[0].ends_with(": x from \"xs\", y from \"ys\", as parts of the box"));
}

TEST_CASE("LAMMPS: one frame is points in the order of the file, with ids as a column and the box") {
    const Scratch scratch;
    Notes notes;
    const Geometry points =
        read_geometry(scratch.file("a.dump", frame(5, "id x y z\n9 1 2 0.25\n4 3 4 0.5\n", "pp ff pp")), &notes);
    CHECK_FALSE(points.tracks);
    CHECK(points.points == Points{{1, 2}, {3, 4}});
    CHECK(points.box == Point{4, 0});
    CHECK(points.box_low.x == -1);
    REQUIRE(points.attributes);
    CHECK(points.attributes->at(0).name == "id");
    CHECK(points.attributes->at(0).values == std::vector<double>{9, 4});
    CHECK(points.attributes->at(1).name == "z");
    CHECK(points.attributes->at(1).values == std::vector<double>{0.25, 0.5});
}

TEST_CASE("LAMMPS: periodicity by axis, times and units as the file says them") {
    const std::string atoms = "id x y\n1 1 2\n2 0 1\n";
    CHECK(tracks_in("a.lammpstrj", frame(0, atoms, "pp ss pp")).box == Point{4, 0});
    CHECK(tracks_in("a.lammpstrj", frame(0, atoms, "fm pp pp")).box == Point{0, 8});
    CHECK(tracks_in("a.lammpstrj", frame(0, atoms, "ff ff pp")).box == Point{0, 0});
    CHECK(tracks_in("a.lammpstrj", frame(0, atoms, "xy xz yz pp pp pp", "-1 3 0\n0 8 0\n-0.5 0.5 0\n")).box ==
          Point{4, 8});
    Notes notes;
    CHECK(tracks_in("a.lammpstrj", frame(0, atoms, ""), &notes).box == Point{4, 8});
    CHECK(notes[0].ends_with("its box does not say whether it is periodic; it is assumed to be"));
    const Tracks timed = tracks_in("a.lammpstrj", "ITEM: UNITS\nmetal\nITEM: TIME\n0.5\n" + frame(1000, atoms) +
                                                      "ITEM: TIME\n1\n" + frame(2000, atoms));
    CHECK(timed.times == std::vector<double>{0.5, 1});
    CHECK(timed.unit == "Å");
    CHECK(timed.time_unit == "ps");
}

TEST_CASE("LAMMPS: a tilted box and what is malformed are refused with a sentence") {
    const std::string atoms = "id x y\n1 1 2\n2 0 1\n";
    const std::pair<std::string, std::string> refusals[] = {
        {frame(0, atoms, "xy xz yz pp pp pp", "-1 3 0.5\n0 8 0\n-0.5 0.5 0\n"), "a.dump:8: the box is triclinic"},
        {frame(0, atoms, "abc origin pp pp pp", "1 0 0 0\n0 1 0 0\n0 0 1 0\n"), "the box is triclinic"},
        {frame(0, "id x y\n1 1 2\n1 0 1\n"), "a.dump:11: id 1 is in this frame already, in line 10"},
        {frame(0, "id x y\n1 1 2\n"), "a.dump: frame 0 has 1 of 2 atoms"},
        {frame(0, "id x z\n1 1 2\n2 1 2\n"), "a.dump:9: expected columns x and y, xs and ys"},
        {frame(0, "id x y\n1 1\n2 1 2\n"), "a.dump:10: expected 3 columns, as ITEM: ATOMS names them"},
        {frame(0, "id x y\n1.5 1 2\n2 1 2\n"), "expected an id, a whole number, in column 1"},
        {frame(0, "id x y\n1 nan 2\n2 1 2\n"), "a.dump:10: x is nan, not a finite number"},
        {frame(5, atoms) + frame(4, atoms), "this frame is at t = 4, and the one before it at t = 5"},
        {frame(0, atoms, "pp pp pp", "-1 x\n0 8\n0 1\n"), "a.dump:6: expected two bounds of the box"},
        {"ITEM: TIMESTEP\n0\nITEM: ENTRIES a b\n", "other dumps are not read"},
        {frame(0, "id x y\n", "pp pp pp", "0 1\n0 1\n0 1\n", 2000000000), "frame 0 has 0 of 2000000000 atoms"},
        {"ITEM: TIMESTEP\n0\n", "no points found"},
    };
    for (const auto& [given, part] : refusals) {
        const std::string said = refusal("a.dump", given);
        CHECK_MESSAGE(contains(said, part), said);
    }
}

TEST_CASE("LAMMPS data: the atom style says which columns are x and y, and the box is that of the head") {
    struct Case {
        const char *style, *rows;
        std::vector<std::string> columns;
    };
    const std::vector<Case> all{
        {" # atomic", "7 1 0.25 2 0\n3 1 -0.5 4 0\n", {"id", "type"}},
        {" # atomic", "7 1 0.25 2 0 0 1 0\n3 1 -0.5 4 0 0 0 0\n", {"id", "type", "iy"}},
        {"", "7 1 0.25 2 0\n3 1 -0.5 4 0\n", {"id", "type"}},
        {"  # charge", "7 1 -1.5 0.25 2 0\n3 1 1.5 -0.5 4 0\n", {"id", "type", "q"}},
        {" # molecular", "7 5 1 0.25 2 0\n3 5 1 -0.5 4 0\n", {"id", "mol", "type"}},
        {" #full", "7 5 1 0 0.25 2 0 # one\n\n3 5 1 0 -0.5 4 0\n", {"id", "mol", "type", "q"}},
        {" # sphere", "7 1 0.8 1 0.25 2 0\n3 1 0.6 1 -0.5 4 0\n", {"id", "type", "diameter", "density"}},
        {" # dipole", "7 1 0 0.25 2 0 1 0 0\n3 1 0 -0.5 4 0 0 1 0\n", {"id", "type", "q", "mux", "muy", "muz"}},
    };
    for (const Case& one : all) {
        INFO("style ", one.style, ", rows ", one.rows);
        for (const std::string name : {"a.data", "system.lmp", "in.txt"}) {
            const Geometry points = read(name, data_file("Atoms" + std::string(one.style) + "\n\n" + one.rows));
            CHECK(points.points == Points{{0.25, 2}, {-0.5, 4}});
            CHECK(points.box_low == Point{-1, 0});
            CHECK(points.box == Point{4, 8.5});
            CHECK(points.unit.empty());
            std::vector<std::string> names;
            for (const Attribute& column : *points.attributes) names.push_back(column.name);
            CHECK(names == one.columns);
            CHECK(column(points, "id").values == std::vector<double>{7, 3});
        }
    }
    Notes notes;
    const std::string atoms = "Atoms # atomic\n\n1 1 0 0 0\n2 1 1 1 0\n";
    CHECK(read("a.data", data_file(atoms, "", "LAMMPS data file via write_data, timestep = 100, units = metal"), &notes)
              .unit == "Å");
    REQUIRE(notes.size() == 3);
    CHECK(contains(notes[0], "it is assumed to be"));
    CHECK(contains(notes[1], "a.data: not used: Velocities"));
    CHECK(contains(notes[2], "atom style atomic; 1 column kept: type"));
    CHECK(read("a.data", data_file(atoms, "1e-16 0 0 xy xz yz\n")).box == Point{4, 8.5});
    const Scratch scratch;
    CHECK(read_tracks(scratch.file("one.data", data_file(atoms))).places.size() == 2);
}

TEST_CASE("LAMMPS data: what is ambiguous, tilted or malformed is refused with a sentence") {
    const std::string atoms = "Atoms # atomic\n\n1 1 0 0 0\n2 1 1 1 0\n";
    CHECK(contains(refusal("a.data", data_file("Atoms\n\n1 1 1 0.5 0 0 0\n2 1 1 0.5 1 1 0\n")),
                   "the 7 columns of the atoms could be of several atom styles; write it after the section's name"));
    CHECK(contains(refusal("a.data", data_file("Atoms # peri\n\n1 1 0 0 0\n2 1 1 1 0\n")),
                   "atom style \"peri\" is not read"));
    CHECK(contains(refusal("a.data", data_file("Atoms # full\n\n1 1 0 0 0\n2 1 1 1 0\n")),
                   "expected columns of atom style full: id mol type q x y z"));
    CHECK(contains(refusal("a.data", data_file(atoms, "0.5 0 0 xy xz yz\n")), "the box is triclinic (tilted)"));
    CHECK(contains(refusal("a.data", data_file("Atoms # atomic\n\n1 1 0 0 0\n2 1 1 1\n")),
                   "expected 5 columns, as in the first row of the atoms"));
    CHECK(contains(refusal("a.data", data_file("Atoms # atomic\n\n1 1 0 0 0\n1 1 1 1 0\n")),
                   "id 1 is in this frame already"));
    CHECK(contains(refusal("a.data", data_file("Atoms # atomic\n\n1 1 0 nan 0\n2 1 1 1 0\n")), "y is nan"));
    CHECK(contains(refusal("a.data", data_file("Bonds\n\n1 1 1 2\n")), "a.data: has no section \"Atoms\""));
    CHECK(
        contains(refusal("a.data", "t\n\n2000000000 atoms\n0 1 xlo xhi\n0 1 ylo yhi\n\nAtoms # atomic\n\n1 1 0 0 0\n"),
                 "has 1 of 2000000000 atoms"));
    // A table of this ending is a table.
    CHECK(read("a.data", "x y\n1 2\n3 4\n").points == Points{{1, 2}, {3, 4}});
}
