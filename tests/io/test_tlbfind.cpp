// Files as TLBfind's code writes them, made here from the facts of its formats.
#include "io/tlbfind.h"

#include <bit>
#include <cstdio>

#include "geometry/recording.h"
#include "io/input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

/// printf() with these, as the code writes its lines.
template <class... Values>
std::string line(const char* format, Values... values) {
    char text[256];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

double density(int x, int y) { return 0.83 + 0.01 * x + 0.001 * y; }

/// firstdensity.#.dat: columns of the lattice, an empty line after each.
std::string density_file(int width, int height, double shift = 0) {
    std::string text;
    for (int x = 1; x <= width; ++x) {
        for (int y = 1; y <= height; ++y) text += line("%d %d %e \n", x, y, density(x, y) + shift);
        text += "\n";
    }
    return text;
}

std::string words(const std::vector<uint32_t>& values) {
    std::string bytes;
    for (const uint32_t value : values)
        for (int k = 0; k < 4; ++k) bytes += char(value >> (8 * k) & 255);
    return bytes;
}

/// delaunayNowTime#: three droplets in a row, up to two links.
std::string droplets_file() {
    constexpr uint32_t f = 0x77777777;
    std::vector<uint32_t> all{64, 32, 3, 2, f, f, 2, f, 1, 3, 2, f};
    const auto add = [&](std::initializer_list<float> values) {
        for (const float value : values) all.push_back(std::bit_cast<uint32_t>(value));
    };
    add({0, 10.5f, 30, 50.25f});
    add({0, 8, 9, 10});
    for (const uint32_t value : {0u, 120u, 130u, 140u, 0u, 1u, 2u, 1u}) all.push_back(value);
    return words(all);
}

std::string link_lines(int time, double x, double y, double u, double v) {
    const char* const format = "%010d %010d %010d %010d %14.7e %14.7e %010d %010d %010d %010d\n";
    return line(format, time, 120, 5, 6, x, y, 1, 77, 30, 4) + line(format, time, 130, 6, 5, u, v, 1, 77, 30, 9) + "\n";
}

std::string message_of(const std::filesystem::path& path) {
    return error_of([&] { read_geometry(path); });
}

}  // namespace

TEST_CASE("tlbfind: densities, temperatures and velocities as text are fields, x to the right and y upwards") {
    const Scratch scratch;
    Notes notes;
    const Geometry read = read_geometry(scratch.file("firstdensity.dat", density_file(5, 3)), &notes);
    REQUIRE(read.field);
    CHECK(read.field->width == 5);
    CHECK(read.field->height == 3);
    CHECK(read.field->values[2 * 5 + 4] == doctest::Approx(density(5, 3)));
    CHECK(read.field->values[1 * 5 + 0] == doctest::Approx(density(1, 2)));
    std::string initial;  // with a halo, from 0 on
    for (int x = 0; x <= 4; ++x, initial += "\n")
        for (int y = 0; y <= 3; ++y)
            initial += line("%d %d %e \n", x, y, x < 1 || y < 1 || x > 3 || y > 2 ? 9. : x + 10. * y);
    CHECK(read_geometry(scratch.file("init_rho1.dat", initial)).field->values ==
          std::vector<float>{11, 12, 13, 21, 22, 23});
    std::string velocity;
    for (int x = 1; x <= 3; ++x, velocity += "\n")
        for (int y = 1; y <= 2; ++y) velocity += line("%d %d %e %e\n", x, y, 3e-3 * x, -4e-3 * x);
    CHECK(read_geometry(scratch.file("veloconf.4.dat", velocity)).field->values[2] == doctest::Approx(0.015));
    // Other tables of numbers stay points.
    CHECK(read_geometry(scratch.file("points.dat", "1 1 0.5\n1 2 0.5\n2 1 0.25\n")).points.size() == 3);
}

TEST_CASE("tlbfind: VTK densities and velocities are fields") {
    const Scratch scratch;
    const std::string head = "DATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 1\nORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 6\n";
    std::string bytes =
        "# vtk DataFile Version 2.0\nCAMPO\nBINARY\n" + head + "SCALARS rho1 double\nLOOKUP_TABLE default\n";
    for (int i = 0; i < 6; ++i) {
        const auto bits = std::bit_cast<uint64_t>(0.5 + i);
        for (int k = 7; k >= 0; --k) bytes += char(bits >> (8 * k) & 255);
    }
    CHECK(read_geometry(scratch.file("firstdensity.0.vtk", bytes)).field->values ==
          std::vector<float>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5});
    std::string text = "# vtk DataFile Version 2.0\nCAMPO\nASCII\n" + head + "VECTORS velocity double \n";
    for (int i = 0; i < 6; ++i) text += line("%f %f %f\n", 0.3 * i, 0.4 * i, 0.0);
    CHECK(read_geometry(scratch.file("veloconf.0.vtk", text)).field->values[4] == doctest::Approx(2));
}

TEST_CASE("tlbfind: a folder of densities is a film in the order of the numbers") {
    const Scratch scratch;
    for (const int n : {0, 1, 2, 10}) scratch.file("firstdensity." + std::to_string(n) + ".dat", density_file(4, 3, n));
    scratch.file("firstdensity.dat", density_file(4, 3, 10));
    scratch.file("seconddensity.0.dat", density_file(4, 3, 99));
    scratch.file("timeEnergy.dat", "0 1e-3\n");
    Notes notes;
    const auto film = io::read_tlbfind_folder(scratch.folder, &notes);
    REQUIRE(film);
    CHECK(film->frame_count() == 4);
    CHECK(film->frame(3)[0] == doctest::Approx(density(1, 1) + 10));
    CHECK(contains(notes.at(0), "4 frames of TLBfind's firstdensity"));
    scratch.file("firstdensity.3.dat", density_file(4, 4));
    CHECK(contains(error_of([&] { io::read_tlbfind_folder(scratch.folder, nullptr); }),
                   "firstdensity.3.dat: has another size"));
    const Scratch other;
    CHECK_FALSE(io::read_tlbfind_folder(other.folder, nullptr));
}

TEST_CASE("tlbfind: droplets are points with areas and neighbours, and their links marked edges") {
    const Scratch scratch;
    const Geometry read = read_geometry(scratch.file("delaunayNowTime000000100", droplets_file()));
    CHECK(read.points == Points{{10.5, 8}, {30, 9}, {50.25, 10}});
    REQUIRE(read.attributes);
    CHECK((*read.attributes)[0].name == "area");
    CHECK((*read.attributes)[0].values == std::vector<double>{120, 130, 140});
    CHECK((*read.attributes)[1].values == std::vector<double>{1, 2, 1});
    REQUIRE(read.recording);
    CHECK(read.recording->steps.at(0).marks.edges == Segments{{0, 1}, {1, 2}});
    // As tracks of one frame they have radii.
    CHECK(read_tracks(scratch.folder / "delaunayNowTime000000100").attributes.at(0).name == "area");
    const std::string whole = droplets_file();
    CHECK(contains(message_of(scratch.file("short", whole.substr(0, 80))),
                   "has 80 bytes, and 3 droplets with up to 2 links take 112"));
    std::string wrong = whole;
    wrong[48 + 3] = 0x7f;  // the first x
    wrong[48 + 4 + 2] = char(0x80);
    wrong[48 + 4 + 3] = 0x7f;
    CHECK(contains(message_of(scratch.file("wrong", wrong)), "droplet 1: x is not a finite number"));
}

TEST_CASE("tlbfind: lists of lost and created links are recordings, a step for each time") {
    const Scratch scratch;
    const std::string text = link_lines(100, 10, 20, 15, 21) + link_lines(100, 15, 21, 12, 30) + "\n\n" +
                             link_lines(250, 1.5, 2.5, 4, 5) + "\n\n";
    const Geometry read = read_geometry(scratch.file("breakingLinks", text));
    REQUIRE(read.recording);
    REQUIRE(read.recording->steps.size() == 2);
    const RecordedSteps::Step& first = read.recording->steps[0];
    CHECK(*first.points == Points{{10, 20}, {15, 21}, {12, 30}});
    CHECK(first.marks.edges == Segments{{0, 1}, {1, 2}});
    CHECK(first.caption == "time 100: 2 links");
    CHECK(*read.recording->steps[1].points == Points{{1.5, 2.5}, {4, 5}});
    // The boundary's created links have six columns.
    const std::string six = line("%010d %010d %010d %010d %014.7e %014.7e\n", 7, 90, 4, 5, 3.0, 4.0) +
                            line("%010d %010d %010d %010d %014.7e %014.7e\n\n", 7, 91, 4, 5, 6.0, 8.0);
    CHECK(read_geometry(scratch.file("arisingLinksBoundary", six)).recording->steps.at(0).marks.edges ==
          Segments{{0, 1}});
}

TEST_CASE("tlbfind: what is broken is refused with its line") {
    const Scratch scratch;
    const auto refused = [&](const std::string& text) { return message_of(scratch.file("firstdensity.7.dat", text)); };
    const std::string whole = density_file(3, 3);
    CHECK(contains(refused(whole.substr(0, whole.size() - 40)), "ends at pixel 3 "));
    CHECK(contains(refused(whole + "5 1 1e0\n"), "firstdensity.7.dat:13: expected the pixel 3 4"));
    CHECK(contains(refused("1 1 8.0e-01\n1 2 8.0e-01\n1 3 8.0e-01 7\n"), ":3: expected x, y and a value"));
    CHECK(contains(refused("1 1 8.0e-01\n1 2 8.0e-01\n1 3 rho\n"), ":3: expected a number"));
    CHECK(contains(refused("1 1 8.0e-01\n1 2 nan\n"), "nan"));
    const std::string links = link_lines(100, 10, 20, 15, 21);
    CHECK(contains(message_of(scratch.file("links", links + links.substr(0, links.find('\n') + 1))),
                   "ends after the first end"));
    CHECK(contains(message_of(scratch.file("links2", links + "0000000101 x\n")), "an end of a link"));
}
