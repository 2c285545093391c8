#include "io/tlbfind.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "compute/text.h"
#include "geometry/recording.h"
#include "io/field_values.h"
#include "io/fields.h"
#include "io/formats.h"
#include "io/geometry.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

constexpr uint32_t kNoLink = 0x77777777;  // fills the rest of a row of links
constexpr uint64_t kMostDroplets = 1u << 20, kMostLinks = 4096;
constexpr size_t kDropletHead = 16;

uint32_t word_at(std::string_view bytes, size_t at) { return static_cast<uint32_t>(integer_at(bytes, at, 4)); }

bool is_droplets(std::string_view bytes) {
    if (bytes.size() < kDropletHead + 8) return false;
    const uint32_t nx = word_at(bytes, 0), ny = word_at(bytes, 4), count = word_at(bytes, 8), most = word_at(bytes, 12);
    if (nx == 0 || ny == 0 || nx > 65536 || ny > 65536 || count == 0 || count > kMostDroplets || most == 0 ||
        most > kMostLinks)
        return false;
    // Row 0 is not used; the next ones have droplets, then fill.
    const size_t links = size_t(count + 1) * most, shown = std::min(links, (bytes.size() - kDropletHead) / 4);
    for (size_t i = most; i < std::min<size_t>(shown, 4 * most); ++i)
        if (const uint32_t link = word_at(bytes, kDropletHead + 4 * i); link - 1 >= count && link != kNoLink)
            return false;
    return true;
}

/// Words of the first two lines that are not empty.
std::array<std::vector<std::string_view>, 2> first_lines(std::string_view text) {
    std::array<std::vector<std::string_view>, 2> lines;
    text = text.substr(0, 1024);
    for (auto& words : lines)
        while (words.empty() && !text.empty()) split_words(take_until(text, '\n'), words);
    return lines;
}

bool is_lattice(std::string_view bytes) {
    const auto [first, second] = first_lines(bytes);
    if ((first.size() != 3 && first.size() != 4) || second.size() != first.size()) return false;
    const bool has_halo = first[0] == "0";
    return (has_halo || first[0] == "1") && first[1] == first[0] && second[0] == first[0] &&
           second[1] == (has_halo ? "1" : "2") && first[2].find('e') != std::string_view::npos;
}

bool is_links(std::string_view bytes) {
    const auto [first, second] = first_lines(bytes);
    const auto fits = [](const std::vector<std::string_view>& words) {
        return (words.size() == 6 || words.size() == 10) &&
               std::all_of(words.begin(), words.begin() + 4, [](std::string_view word) {
                   return word.size() == 10 && std::ranges::all_of(word, is_decimal_digit);
               });
    };
    return fits(first) && fits(second) && first[0] == second[0];
}

/// "x y value", or "x y u v", each y of x = 1, then of 2, and so on. Initial fields begin at 0: with a halo of a pixel
/// around the lattice, which is left out.
Geometry read_lattice(const InputFile& file) {
    Lines lines(file.path, file.bytes);
    std::vector<double> values;
    std::string_view content;
    uint64_t x = 1, y = 0, height = 0, halo = 0;  // x and y are counted from 1
    size_t columns = 0;
    while (next_content(lines, content)) {
        std::string_view rest = content;
        std::optional<uint64_t> at_x = whole(take_word(rest)), at_y = whole(take_word(rest));
        if (values.empty() && at_x == uint64_t{0}) halo = 1;
        if (at_x) *at_x += halo;
        if (at_y) *at_y += halo;
        const bool begins = at_x == x + 1 && at_y == uint64_t{1} && y > 0 && (height == 0 || y == height);
        if (begins) height = y, y = 0, ++x;
        ++y;
        if (at_x != x || at_y != y || (height > 0 && y > height))
            throw lines.expected("the pixel " + std::to_string(x - halo) + " " + std::to_string(y - halo) +
                                     (height == 0 || y == height ? " or the first of the next column" : ""),
                                 content);
        if (x > kMostPixels || y > kMostPixels) throw lines.fail("at most 16384 pixels in each direction can be taken");
        double numbers[2] = {0, 0};
        size_t found = 0;
        for (rest = trimmed(rest); !rest.empty() && found < 2; rest = trimmed(rest), ++found)
            if (!take_number(rest, numbers[found])) throw lines.expected("a number", rest);
        if (columns == 0) columns = found;
        if (found == 0 || found != columns || !rest.empty())
            throw lines.expected(columns == 1 ? "x, y and a value" : "x, y and two components of the velocity",
                                 content);
        values.push_back(columns == 1 ? numbers[0] : std::sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1]));
    }
    if (height == 0) height = y;
    if (y != height)
        throw file.fail("ends at pixel " + std::to_string(x - halo) + " " + std::to_string(y - halo) +
                        ", and a column has " + std::to_string(height));
    if (std::min(x, y) <= 2 * halo) throw file.fail("has no pixel but those of its halo");
    auto stack = std::make_shared<FieldStack>();
    stack->name = file.path.filename().string();
    stack->width = static_cast<uint32_t>(x - 2 * halo);
    stack->height = static_cast<uint32_t>(height - 2 * halo);
    set_values(*stack, 1, false, file.path.string(),
               [&](uint64_t, uint64_t row, uint64_t column) { return values[(column + halo) * height + row + halo]; });
    stack->labels = false;
    if (file.options.y_down) flip_rows(*stack);
    file.note(std::string("the field of a lattice of TLBfind") +
              (columns == 2 ? ": the speed, from both components of the velocity"
               : halo       ? ", without its halo"
                            : ""));
    Geometry geometry;
    geometry.field = std::move(stack);
    return geometry;
}

Geometry as_recording(const InputFile& file, std::vector<RecordedSteps::Step> steps) {
    auto recording = std::make_shared<RecordedSteps>();
    recording->name = file.path.filename().string();
    recording->steps = std::move(steps);
    Geometry geometry;
    geometry.points = *recording->steps.back().points;
    geometry.recording = std::move(recording);
    return geometry;
}

RecordedSteps::Step step_of(RecordedSteps::Points points, std::vector<std::array<uint32_t, 2>> links,
                            const std::string& begin) {
    RecordedSteps::Step step{std::make_shared<const RecordedSteps::Points>(std::move(points)),
                             std::make_shared<const RecordedSteps::Triangles>()};
    step.caption = begin + count_text(links.size(), "link", "links");
    step.marks.edges = std::move(links);
    return step;
}

/// Little-endian: nx, ny, n, l; (n + 1, l) links; (n + 1) floats x; y; (n + 1) areas; numbers of links. Entry 0 of each
/// is not used.
Geometry read_droplets(const InputFile& file) {
    const std::string_view bytes = file.bytes;
    const uint32_t count = word_at(bytes, 8), most = word_at(bytes, 12);
    const uint64_t rows = uint64_t(count) + 1, size = kDropletHead + 4 * rows * (most + 4);
    if (bytes.size() != size)
        throw file.fail("has " + with_commas(bytes.size()) + " bytes, and " + std::to_string(count) +
                        " droplets with up to " + std::to_string(most) + " links take " + with_commas(size));
    const auto entry = [&](uint64_t block, uint64_t i) {
        return word_at(bytes, kDropletHead + 4 * (rows * (most + block) + i));
    };
    RecordedSteps::Points points;
    Attribute area{"area", {}}, degree{"neighbours", {}};
    std::vector<std::array<uint32_t, 2>> links;
    CoordinateRange range(file.options);
    for (uint32_t i = 1; i <= count; ++i) {
        const std::string where = file.path.string() + ": droplet " + std::to_string(i) + ": ";
        const auto place = [&](uint64_t block, const char* axis) {
            const double value = std::bit_cast<float>(entry(block, i));
            if (!std::isfinite(value)) throw Error(where + axis + " is not a finite number");
            return range.take(value, format_short(value), [&] { return where + axis; });
        };
        const double x = place(0, "x"), y = place(1, "y");
        points.push_back({x, y});
        area.values.push_back(entry(2, i));
        degree.values.push_back(entry(3, i));
        for (uint32_t k = 0; k < most; ++k) {
            const uint32_t other = word_at(bytes, kDropletHead + 4 * (uint64_t(i) * most + k));
            if (other == kNoLink) break;
            if (other == 0 || other > count)
                throw Error(where + "is linked to " + std::to_string(other) + ", and there are droplets 1 to " +
                            std::to_string(count));
            if (i < other) links.push_back({i - 1, other - 1});
        }
    }
    file.note(count_text(count, "droplet", "droplets") + " of TLBfind on a lattice of " +
              std::to_string(word_at(bytes, 0)) + " × " + std::to_string(word_at(bytes, 4)) + " with " +
              count_text(links.size(), "link", "links") + ", which are the marked edges of the recording");
    std::vector<RecordedSteps::Step> steps{step_of(std::move(points), std::move(links), "")};
    Geometry geometry = as_recording(file, std::move(steps));
    set_attributes(geometry, {std::move(area), std::move(degree)});
    return geometry;
}

/// Pairs of lines, one for each end of a link: time, area, numbers of neighbours before and after, x, y, and mostly
/// four integers more.
Geometry read_links(const InputFile& file) {
    Lines lines(file.path, file.bytes);
    std::vector<RecordedSteps::Step> steps;
    RecordedSteps::Points points;
    std::vector<std::array<uint32_t, 2>> links;
    std::map<std::pair<double, double>, uint32_t> known;
    std::optional<uint64_t> now;
    const auto end_step = [&] {
        if (now)
            steps.push_back(
                step_of(std::exchange(points, {}), std::exchange(links, {}), "time " + std::to_string(*now) + ": "));
        known.clear();
    };
    CoordinateRange range(file.options);
    std::string_view content;
    uint32_t first = kNone;
    while (next_content(lines, content)) {
        std::vector<std::string_view> words;
        split_words(content, words);
        const std::optional<uint64_t> time = words.size() >= 6 ? whole(words[0]) : std::nullopt;
        Point p;
        if (!time || !take_number(words[4], p.x) || !take_number(words[5], p.y))
            throw lines.expected("an end of a link: time, area, two numbers of neighbours, x and y", content);
        if (first != kNone && time != now)
            throw lines.expected("the other end of a link at time " + std::to_string(*now), content);
        if (time != now) end_step(), now = time;
        p.x = range.take(p.x, content, [&] { return lines.where() + "x"; });
        p.y = range.take(p.y, content, [&] { return lines.where() + "y"; });
        const auto [at, is_new] = known.try_emplace({p.x, p.y}, static_cast<uint32_t>(points.size()));
        if (is_new) points.push_back(p);
        if (first != kNone) links.push_back({first, at->second});
        first = first == kNone ? at->second : kNone;
    }
    if (first != kNone) throw file.fail("ends after the first end of a link");
    end_step();
    file.note(count_text(steps.size(), "time", "times") +
              " with links that TLBfind listed, each a step of a recording");
    return as_recording(file, std::move(steps));
}

}  // namespace

bool is_tlbfind(std::string_view bytes) { return is_lattice(bytes) || is_links(bytes) || is_droplets(bytes); }

Geometry read_tlbfind(const InputFile& file) {
    const std::string_view head = file.bytes.head();
    if (is_lattice(head)) return read_lattice(file);
    if (is_links(head)) return read_links(file);
    if (is_droplets(head)) return read_droplets(file);
    throw file.fail("is none of TLBfind's fields, droplets or links");
}

std::optional<FieldStack> read_tlbfind_folder(const std::filesystem::path& folder, std::vector<std::string>* notes) {
    const std::vector<std::filesystem::path> all = files_in(folder);
    for (const std::string series : {"firstdensity", "seconddensity", "temperature", "veloconf"}) {
        FieldStack stack;
        for (const std::filesystem::path& path : all) {
            const std::string ending = lower_extension(path), name = path.stem().string();
            const std::string_view number = std::string_view(name).substr(std::min(name.size(), series.size() + 1));
            if ((ending != ".dat" && ending != ".vtk") || !name.starts_with(series + ".") || !whole(number)) continue;
            const Geometry read = read_geometry(path);
            if (!read.field || read.field->frame_count() != 1) throw Error(path.string() + ": is no field of TLBfind");
            if (!stack.values.empty() && (read.field->width != stack.width || read.field->height != stack.height))
                throw Error(path.string() + ": has another size than the frames before; all must have one");
            append_frames(stack, FieldStack(*read.field));
        }
        if (stack.values.empty()) continue;
        stack.name = folder_name(folder);
        if (notes)
            notes->push_back(folder.string() + ": " + count_text(stack.frame_count(), "frame", "frames") +
                             " of TLBfind's " + series + "; other files are left out");
        return stack;
    }
    return std::nullopt;
}

}  // namespace flipscope::io
