#include "io/points.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <new>

#include "geometry/predicates.h"
#include "io/npy_places.h"
#include "io/parse.h"

namespace flipscope {
namespace {

struct Reader {
    FormatInfo info;
    std::vector<Point> (*read)(const std::filesystem::path&, std::string_view text, std::vector<std::string>& notes);
    // Of formats that can say more of points, instead.
    std::vector<Point> (*read_more)(const std::filesystem::path&, std::string_view text,
                                    std::vector<std::string>& notes, io::PointExtras& extras) = nullptr;
};

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all = {
        {{{".xy", ".txt", ".csv", ".tsv"},
          "two numbers a line, separated by blanks, a comma or a semicolon; # and // start comments; a column headed "
          "\"name\" names the points, other columns of numbers under a header are attributes of theirs; fields may "
          "be in quotes"},
         nullptr,
         io::read_text},
        {{{".node"}, "Triangle's points: \"n 2 attributes markers\", then \"index x y ...\" a line"}, io::read_node},
        {{{".npy"},
          "a NumPy array of shape (n, 2), float64 or float32; or a structured one with fields x and y, whose others "
          "are attributes"},
         nullptr,
         [](const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes,
            io::PointExtras& extras) {
             Geometry read = io::read_npy({path, text, {}, notes});
             extras.names = std::move(read.names);
             if (read.attributes) extras.attributes = *read.attributes;
             return std::move(read.points);
         }},
        {{{".xyz"}, "XYZ, plain or extended, of one frame: x and y of its points"}, io::read_xyz},
    };
    return all;
}

const Reader& reader_for(const std::filesystem::path& path) {
    std::string extension = path.extension().string(), known;
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Reader& reader : readers()) {
        for (const std::string& candidate : reader.info.extensions) {
            if (candidate == extension) return reader;
            known += (known.empty() ? "" : ", ") + candidate;
        }
    }
    throw Error(path.string() + ": " +
                (extension.empty() ? "no extension to tell the format by" : "unknown format " + extension) +
                " (known: " + known + ")");
}

}  // namespace

const std::vector<FormatInfo>& point_formats() {
    static const std::vector<FormatInfo> infos = [] {
        std::vector<FormatInfo> list;
        for (const Reader& reader : readers()) list.push_back(reader.info);
        return list;
    }();
    return infos;
}

void require_in_range(double value, const std::string& where) {
    if (coordinate_in_range(value)) return;
    char digits[32];
    const std::string shown(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    if (!std::isfinite(value)) throw Error(where + " is " + shown + ", not a finite number");
    throw Error(where + " is " + shown + ", too " + (std::fabs(value) < 1 ? "small" : "large") +
                ": a coordinate must be 0 or between 2^-200 (6.2e-61) and 2^200 (1.6e60) in magnitude");
}

Geometry check_points(Geometry set) {
    for (size_t i = 0; i < set.points.size(); ++i) {
        const Point p = set.points[i];
        if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) continue;
        const std::string where = set.name + ": point " + std::to_string(i) + ": ";
        require_in_range(p.x, where + "x");
        require_in_range(p.y, where + "y");
    }
    return set;
}

Geometry read_points(const std::filesystem::path& path, std::vector<std::string>* notes) try {
    const Reader& reader = reader_for(path);
    std::vector<std::string> unread_notes;
    const std::string text = io::read_file(path);
    std::vector<std::string>& said = notes ? *notes : unread_notes;
    io::PointExtras extras;
    Geometry set{path.string(),
                 reader.read_more ? reader.read_more(path, text, said, extras) : reader.read(path, text, said)};
    set.names = std::move(extras.names);
    if (!extras.attributes.empty())
        set.attributes = std::make_shared<const std::vector<Attribute>>(std::move(extras.attributes));
    if (set.points.empty()) throw Error(path.string() + ": no points found");
    set = check_points(std::move(set));
    set.name = path.filename().string();
    return set;
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
}

}  // namespace flipscope
