// Images and folders of them as fields: brightness, the right way up, in the right order, and what is refused.
#include <sys/stat.h>

#include <cmath>
#include <random>

#include "app/folders.h"
#include "app/image_files.h"
#include "app/images/images.h"
#include "app/run/inputs.h"
#include "io/files.h"
#include "io/input_files.h"
using namespace flipscope;
using namespace flipscope::app;
using input_files::npy;

namespace {

/// A grey picture, rows from the top as in the file.
std::string pgm(int width, int height, const std::string& pixels) {
    return "P5 " + std::to_string(width) + " " + std::to_string(height) + " 255\n" + pixels;
}

std::string refusal(const std::filesystem::path& path) {
    return error_of([&] { read_any_field(path); });
}

}  // namespace

TEST_CASE("images: the bottom row is row 0, black is 0 and white is 1") {
    const TemporaryFolder folder;
    write_file(folder / "a.pgm", pgm(3, 2, std::string("\0\x80\xff\x33\x66\x99", 6)));
    const FieldStack field = read_any_field(folder / "a.pgm");
    CHECK(field.name == "a.pgm");
    CHECK(field.width == 3);
    CHECK(field.height == 2);
    CHECK(field.frame_count() == 1);
    const std::vector<double> expected{0.2, 0.4, 0.6, 0, 128 / 255.0, 1};
    for (size_t i = 0; i < expected.size(); ++i) CHECK(field.values[i] == doctest::Approx(expected[i]));
}

TEST_CASE("images: names are put in the order people mean") {
    CHECK(io::comes_before("frame2.png", "frame10.png"));
    CHECK(!io::comes_before("frame10.png", "frame2.png"));
    CHECK(io::comes_before("frame02.png", "frame10.png"));
    CHECK(io::comes_before("a9b2", "a9b11"));
    CHECK(io::comes_before("A1", "b0"));
    CHECK(io::comes_before("a", "a1"));
    CHECK(io::comes_before("1", "01") != io::comes_before("01", "1"));
    CHECK(!io::comes_before("x", "x"));
    CHECK(io::comes_before("99999999999999999999998", "99999999999999999999999"));
}

TEST_CASE("images: a folder is a film in that order, with a note about ignored files") {
    const TemporaryFolder folder;
    for (const int k : {10, 9, 1, 2})
        write_file(folder / (std::to_string(k) + ".pgm"), pgm(1, 1, std::string(1, char(k))));
    write_file(folder / "11.npy", npy<uint8_t>("|u1", "(1, 1)", {7}));
    write_file(folder / "readme.md", "no frame");
    write_file(folder / ".hidden.png", "no frame");
    std::vector<std::string> notes;
    const FieldStack film = read_any_field(folder.path(), &notes);
    REQUIRE(film.frame_count() == 5);
    for (size_t k = 0; k < 4; ++k) CHECK(film.values[k] == doctest::Approx(std::vector<int>{1, 2, 9, 10}[k] / 255.0));
    CHECK(film.values[4] == 7);
    REQUIRE(notes.size() == 1);
    CHECK(has(notes[0], "1 file is no image and no .npy array, and left out"));
    CHECK(film.name == folder.path().filename().string());
}

TEST_CASE("images: frames of varying size are refused, naming both") {
    const TemporaryFolder folder;
    write_file(folder / "1.pgm", pgm(2, 1, "ab"));
    write_file(folder / "2.pgm", pgm(1, 2, "ab"));
    const std::string message = refusal(folder.path());
    CHECK(has(message, (folder / "2.pgm").string() + ": is 1 × 2, but 1.pgm is 2 × 1"));
    write_file(folder / "2.pgm", pgm(2, 1, "ab"));
    CHECK(refusal(folder.path()) == "accepted");
    write_file(folder / "3.npy", npy<uint8_t>("|u1", "(2, 1, 3)", {7, 7, 7, 7, 7, 7}));
    CHECK(has(refusal(folder.path()), "3.npy: has 2 frames, and in a folder each file is one frame"));
    write_file(folder / "3.npy", "broken");
    CHECK(has(refusal(folder.path()), "3.npy: expected an npy file"));
}

TEST_CASE("images: what cannot be read is refused with the file and the reason") {
    const TemporaryFolder folder;
    CHECK(has(refusal(folder.path()), "there is no image and no .npy array in this folder"));
    CHECK(has(refusal(folder / "missing.png"), "missing.png: no such file"));
    write_file(folder / "text.png", "this is no picture");
    CHECK(has(refusal(folder / "text.png"), "text.png: cannot be read as an image: "));
    write_file(folder / "a.csv", "x,y\n1,2\n4,5\n7,9\n");
    CHECK(has(refusal(folder / "a.csv"), "holds no field; expected an image, a folder of images or a .npy array"));
    CHECK(refusal(folder.path()) != "accepted");  // a broken image in a folder, too
}

TEST_CASE("images: formats that are not read are named, with what to do instead") {
    const TemporaryFolder folder;
    for (const auto& [name, bytes] : {std::pair("a.gif", "GIF89a\1\0\1"), std::pair("b.hdr", "#?RADIANCE\n"),
                                      std::pair("c.pic", "\x53\x80\xf6\x34"), std::pair("d.webp", "RIFF1234WEBP")}) {
        CAPTURE(name);
        write_file(folder / name, bytes);
        CHECK(has(refusal(folder / name), " images are not read; save it as PNG or TIFF"));
        CHECK_THROWS_AS(read_input(folder / name), Error);
    }
    CHECK(has(refusal(folder.path()), "there is no image and no .npy array in this folder; "));
    write_file(folder / "b.pgm", pgm(1, 1, "x"));
    std::vector<std::string> notes;
    read_any_field(folder.path(), &notes);
    REQUIRE(notes.size() == 1);
    CHECK(has(notes[0], "4 files are no image and no .npy array, and left out; "));
    CHECK(has(notes[0], " images are not read: save them as PNG"));
}

TEST_CASE("images: an image is known by its bytes; a table that begins as one does stays a table") {
    const TemporaryFolder folder;
    write_file(folder / "picture", png_of({0, 8}, 2, 1, {0, 255}));
    REQUIRE(read_input(folder / "picture").field);
    CHECK(read_input(folder / "picture").field->values == std::vector<float>{0, 1});
    write_file(folder / "points.txt", "P1 10 20\nP2 30 40\nP5 7 8\n");
    CHECK(read_input(folder / "points.txt").points.size() == 3);
    write_file(folder / "sizes.csv", "BMI,x,y\n20,1,2\n22,3,4\n23,5,7\n");
    CHECK(read_input(folder / "sizes.csv").points.size() == 3);
}

TEST_CASE("images: y down puts row 0 of an array to the top; an image's top row is the highest y in any case") {
    const TemporaryFolder folder;
    write_file(folder / "a.npy", npy<uint8_t>("|u1", "(2, 3)", {0, 1, 2, 3, 4, 5}));
    ReadOptions down;
    down.y_down = true;
    std::vector<std::string> notes;
    CHECK(read_any_field(folder / "a.npy").values == std::vector<float>{0, 1, 2, 3, 4, 5});
    CHECK(read_any_field(folder / "a.npy", &notes, down).values == std::vector<float>{3, 4, 5, 0, 1, 2});
    CHECK(read_any_field(folder.path(), &notes, down).values == std::vector<float>{3, 4, 5, 0, 1, 2});
    CHECK(notes.empty());
    write_file(folder / "b.pgm", pgm(1, 2, std::string("\0\xff", 2)));
    CHECK(read_any_field(folder / "b.pgm", &notes, down).values == std::vector<float>{1, 0});
    REQUIRE(notes.size() == 1);
    CHECK(has(notes[0], "y down has no effect: the top row of an image is always the highest y"));
}

TEST_CASE("images: label images are recognised, and photographs, masks and drawings are not") {
    const auto grey16 = [](uint32_t width, const std::vector<uint16_t>& samples) {
        return decode_image("a.png", png_of({0, 16}, width, static_cast<uint32_t>(samples.size()) / width, samples));
    };
    std::vector<uint16_t> cells, mask, photo, rings;
    std::mt19937 random(3);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 60; ++x) {
            const bool inside = x % 20 > 1 && y % 20 > 1;
            cells.push_back(static_cast<uint16_t>(inside ? 1 + x / 20 + 300 * (y / 20) : 0));
            mask.push_back(inside ? 255 : x < 20 ? 100 : 0);
            photo.push_back(static_cast<uint16_t>(100 + 5 * x + random() % 50));
            rings.push_back(static_cast<uint16_t>(std::max(0.0, 10 - std::floor(std::hypot(x - 30, y - 20) / 2))));
        }
    const FieldStack labels = grey16(60, cells);
    CHECK(labels.labels);
    CHECK(labels.whole == 65535);
    CHECK(labels.label(size_t{5} * 60 + 5) == 301);  // the lower row of cells
    Geometry opened;
    opened.field = std::make_shared<FieldStack>(labels);
    CHECK(lab_for(opened) == "events");
    opened.field = std::make_shared<FieldStack>(grey16(60, photo));
    CHECK(lab_for(opened) == "voronoi");
    CHECK(!grey16(60, mask).labels);
    CHECK(!grey16(60, photo).labels);
    CHECK(!grey16(60, rings).labels);
    // Each row of cells in bits of their own: palettes, whose indices count; TIFF of 32 bits, beyond what floats hold.
    PngKind palette{3, 8, false};
    for (int i = 0; i < 256; ++i) palette.palette.push_back({uint8_t(i * 37), uint8_t(i * 91), uint8_t(i * 53)});
    std::vector<uint16_t> few = cells;
    for (uint16_t& value : few) value = static_cast<uint16_t>(value % 256);
    std::vector<std::string> notes;
    const FieldStack indexed = decode_image("a.png", png_of(palette, 60, 40, few), &notes);
    CHECK(indexed.labels);
    CHECK(indexed.label(size_t{35} * 60 + 5) == 1);
    REQUIRE(notes.size() == 1);
    CHECK(has(notes[0], "indices into its palette look like labels"));
    std::vector<double> large(cells.begin(), cells.end());
    for (double& value : large)
        if (value > 0) value += 4294960000.0;
    for (const TiffKind& kind : {TiffKind{.bits = 32}, TiffKind{.bits = 64, .format = 3}}) {
        const FieldStack exact = decode_image("a.tif", tiff_of(kind, 60, 40, {large}));
        CHECK(exact.labels);
        CHECK(exact.label(size_t{35} * 60 + 25) == 4294960002.0);
    }
}

TEST_CASE("images: a folder of frames with a pipe, a device or a loop among them is refused at once") {
    const TemporaryFolder folder;
    write_file(folder / "1.pgm", pgm(1, 1, "x"));
    REQUIRE(mkfifo((folder / "2.png").c_str(), 0600) == 0);
    CHECK(has(refusal(folder.path()), "2.png: is a pipe, not a regular file"));
    std::filesystem::remove(folder / "2.png");
    std::filesystem::create_symlink("/dev/zero", folder / "2.jpg");
    CHECK(has(refusal(folder.path()), "2.jpg: is a device, not a regular file"));
    std::filesystem::remove(folder / "2.jpg");
    std::filesystem::create_symlink("2.npy", folder / "2.npy");
    CHECK(has(refusal(folder.path()), "2.npy: is a link that leads back to itself"));
}
