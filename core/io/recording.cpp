#include "io/recording.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/recording.h"
#include "io/formats.h"
#include "io/geometry.h"
#include "io/input_bytes.h"
#include "io/json_line.h"
#include "io/npy_file.h"
#include "io/npz_file.h"
#include "io/npz_points.h"
#include "io/parse.h"

namespace flipscope {
namespace {

namespace fs = std::filesystem;
using Points = RecordedSteps::Points;
using Triangles = RecordedSteps::Triangles;
using Step = RecordedSteps::Step;
using Notes = std::vector<std::string>;

constexpr size_t kLongestCaption = 2000;  // bytes

/// One line that can be drawn and printed.
std::string caption_of(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return printable_within(text, kLongestCaption);
}

/// Appends steps; unchanged arrays are shared with the previous step.
class StepAssembly {
  public:
    explicit StepAssembly(std::string name) {
        recording_.name = std::move(name);
        step_.points = std::make_shared<const Points>();
        step_.triangles = std::make_shared<const Triangles>();
    }

    void set_points(Points points) { replace(step_.points, std::move(points)); }
    void set_triangles(Triangles triangles) { replace(step_.triangles, std::move(triangles)); }
    void set_attributes(std::vector<Attribute> attributes) { attributes_ = std::move(attributes); }
    const Points& points() const { return *step_.points; }
    const Triangles& triangles() const { return *step_.triangles; }

    void add(RecordedSteps::Marks marks, std::string caption, std::vector<RecordedSteps::Test> tests = {}) {
        Step step = step_;
        step.tests = std::move(tests);
        step.marks = std::move(marks);
        step.caption = std::move(caption);
        recording_.steps.push_back(std::move(step));
    }
    size_t step_count() const { return recording_.steps.size(); }
    RecordedSteps& recording() { return recording_; }

    Geometry geometry(const fs::path& path) {
        if (recording_.steps.empty()) throw Error(path.string() + ": it has no step");
        if (std::ranges::all_of(recording_.steps, [](const Step& step) { return step.points->empty(); }))
            throw Error(path.string() + ": no points found");
        recording_.steps.shrink_to_fit();
        Geometry geometry;
        geometry.name = recording_.name;
        geometry.points = *recording_.steps.back().points;
        geometry.triangles = *recording_.steps.back().triangles;
        geometry.recording = std::make_shared<const RecordedSteps>(std::move(recording_));
        io::set_attributes(geometry, std::move(attributes_));
        return geometry;
    }

  private:
    template <class Rows>
    static void replace(std::shared_ptr<const Rows>& kept, Rows rows) {
        if (rows == *kept) return;
        rows.shrink_to_fit();
        kept = std::make_shared<const Rows>(std::move(rows));
    }

    RecordedSteps recording_;
    Step step_;                          // present points and triangles
    std::vector<Attribute> attributes_;  // of the points of the last step
};

/// Throws Error: "mine.jsonl:17: /marks/vertices/3: names point 9, and there are 8, counted from 0". `place`: the
/// message up to the row.
void require_below(uint32_t id, size_t limit, const std::string& place, size_t row, const char* what) {
    if (id < limit) return;
    throw Error(place + std::to_string(row) + ": names " + what + " " + std::to_string(id) + ", and there " +
                (limit == 1 ? "is 1" : "are " + std::to_string(limit)) + ", counted from 0");
}
void require_below(const std::vector<uint32_t>& ids, size_t limit, const std::string& place, const char* what) {
    for (size_t i = 0; i < ids.size(); ++i) require_below(ids[i], limit, place, i, what);
}
template <class Rows>
void require_points(const Rows& rows, size_t limit, const std::string& place) {
    for (size_t i = 0; i < rows.size(); ++i)
        for (const uint32_t v : rows[i]) require_below(v, limit, place, i, "point");
}

class JsonSteps {
  public:
    JsonSteps(const fs::path& path, std::string_view text, StepAssembly& assembly, Notes& notes)
        : path_(path), lines_(path, text), assembly_(assembly), notes_(notes) {}

    void read() {
        for (std::string_view line; lines_.next(line);) {
            if (io::trimmed(line).empty()) continue;
            read_step(line);
        }
        for (const std::string& key : unknown_)
            notes_.push_back(path_.string() + ": " + excerpt(key) +
                             " is not used; a step has points, triangles, marks, caption and tests");
        if (more_unknown_) notes_.push_back(path_.string() + ": other names are not used either");
    }

  private:
    using Line = io::JsonLine;
    enum Key : uint32_t { kUnknown = 0, kPoints = 1, kTriangles = 2, kMarks = 4, kCaption = 8, kTests = 16 };

    void read_step(std::string_view text) {
        throw_if_cancelled();
        Line line(lines_.where(), text);
        if (!line.is_next('{'))
            throw lines_.expected("a step, such as {\"points\": [[0, 0]], \"triangles\": []},", text);
        RecordedSteps::Marks marks;
        std::string caption;
        std::vector<RecordedSteps::Test> tests;
        std::optional<Points> points;
        std::optional<Triangles> triangles;
        uint32_t seen = 0;
        line.object("a step", [&](const std::string& key) {
            const Key bit = key == "points"      ? kPoints
                            : key == "triangles" ? kTriangles
                            : key == "marks"     ? kMarks
                            : key == "caption"   ? kCaption
                            : key == "tests"     ? kTests
                                                 : kUnknown;
            line.at = "/" + key;
            line.item = -1;
            if (bit & seen) line.fail("is in the step twice");
            seen |= bit;
            if (bit == kPoints)
                points = read_points(line);
            else if (bit == kTriangles)
                triangles = read_indices<3>(line, "three indices of points", "points", assembly_.triangles().size());
            else if (bit == kMarks)
                marks = read_marks(line);
            else if (bit == kCaption)
                caption = caption_of(line.string("a text in quotes"));
            else if (bit == kTests)
                tests = read_tests(line);
            else
                skip(line, key);
            line.at.clear();
            line.item = -1;
        });
        line.end();
        if (points) assembly_.set_points(std::move(*points));
        const size_t n = assembly_.points().size();
        const std::string& place = line.place();
        if (triangles) {
            require_points(*triangles, n, place + "/triangles/");
            assembly_.set_triangles(std::move(*triangles));
        } else if (points) {  // they stay the same, over other points
            require_points(assembly_.triangles(), n, place + "the triangles of the step before: /triangles/");
        }
        require_points(marks.edges, n, place + "/marks/edges/");
        require_below(marks.vertices, n, place + "/marks/vertices/", "point");
        require_below(marks.triangles, assembly_.triangles().size(), place + "/marks/triangles/", "triangle");
        const std::string of_tests = place + "/tests/";
        for (size_t i = 0; i < tests.size(); ++i)
            for (size_t k = 0; k < (tests[i].in_circle ? 4u : 3u); ++k)
                require_below(tests[i].points[k], n, of_tests, i, "point");
        assembly_.add(std::move(marks), std::move(caption), std::move(tests));
    }

    void skip(Line& line, const std::string& key) {
        constexpr size_t kMostNamed = 5;
        line.at = "/" + printable_within(key, 40);
        line.skip_value();
        if (unknown_.contains(key)) return;
        if (unknown_.size() < kMostNamed)
            unknown_.insert(key);
        else
            more_unknown_ = true;
    }

    /// Calls read() for each item of an array.
    template <class Read>
    static void read_items(Line& line, const char* what, const Read& read) {
        CancelPoll poll;
        line.item = -1;
        line.array(what, [&](uint64_t i) {
            poll();
            line.item = static_cast<int64_t>(i);
            read();
        });
    }

    Points read_points(Line& line) {
        constexpr const char* kWhat = "a point, two numbers as in [0.5, -1]";
        Points points;
        points.reserve(assembly_.points().size());
        read_items(line, "points, as in [[0, 0], [1, 0]]", [&] {
            line.take('[', kWhat);
            Point p;
            p.x = read_coordinate(line, kWhat, 'x');
            line.take(',', kWhat);
            p.y = read_coordinate(line, kWhat, 'y');
            line.take(']', "a bracket after the two numbers of a point");
            points.push_back(p);
        });
        return points;
    }

    double read_coordinate(Line& line, const char* what, char axis) {
        std::string_view written;
        const double value = line.number(what, written);
        const bool vanished = value == 0 && written.find_first_of("123456789") < written.find_first_of("eE\"");
        if (vanished) line.fail(std::string(1, axis) + " is too small for a double: " + excerpt(written));
        if (!coordinate_in_range(value))
            require_in_range(value, line.place() + line.at + "/" + std::to_string(line.item) + ": " + axis);
        return value;
    }

    template <size_t kCount>
    std::vector<std::array<uint32_t, kCount>> read_indices(Line& line, const char* what, const char* of,
                                                           size_t expected_count) {
        std::vector<std::array<uint32_t, kCount>> all;
        all.reserve(expected_count);
        read_items(line, "a list of lists of indices", [&] {
            std::array<uint32_t, kCount> one;
            for (size_t k = 0; k < kCount; ++k) {
                line.take(k == 0 ? '[' : ',', what);
                one[k] = line.index(what, of);
            }
            line.take(']', what);
            all.push_back(one);
        });
        return all;
    }

    std::vector<uint32_t> read_list(Line& line, const char* what, const char* of) {
        std::vector<uint32_t> all;
        read_items(line, what, [&] { all.push_back(line.index(what, of)); });
        return all;
    }

    RecordedSteps::Marks read_marks(Line& line) {
        RecordedSteps::Marks marks;
        uint32_t seen = 0;
        line.object("marks, as in {\"vertices\": [3], \"edges\": [[3, 7]], \"triangles\": [12]}",
                    [&](const std::string& key) {
                        line.at = "/marks/" + printable_within(key, 40);
                        line.item = -1;
                        const uint32_t bit = key == "vertices" ? 1 : key == "edges" ? 2 : key == "triangles" ? 4 : 0;
                        if (bit & seen) line.fail("is in the marks twice");
                        seen |= bit;
                        if (bit == 1)
                            marks.vertices = read_list(line, "a list of indices of points", "points");
                        else if (bit == 2)
                            marks.edges = read_indices<2>(line, "two indices of points", "points", 0);
                        else if (bit == 4)
                            marks.triangles = read_list(line, "a list of indices of triangles", "triangles");
                        else
                            line.fail("vertices, edges and triangles can be marked");
                    });
        return marks;
    }

    std::vector<RecordedSteps::Test> read_tests(Line& line) {
        constexpr const char* kWhat =
            "a test, as in {\"incircle\": [6, 5, 8, 9], \"sign\": 1} or {\"orient\": [0, 1, 2], …}";
        std::vector<RecordedSteps::Test> tests;
        CancelPoll poll;
        line.array("a list of tests", [&](uint64_t i) {
            poll();
            RecordedSteps::Test test;
            uint32_t seen = 0;
            const std::string at = "/tests/" + std::to_string(i);
            line.object(kWhat, [&](const std::string& key) {
                const uint32_t bit = key == "incircle" || key == "orient" ? 1 : key == "sign" ? 2 : 0;
                line.at = at + "/" + printable_within(key, 40);
                line.item = -1;
                if (bit == 0 || (bit & seen)) line.fail(std::string("expected ") + kWhat);
                seen |= bit;
                if (bit == 2) {
                    std::string_view written;
                    const double sign = line.number("a sign: -1, 0 or 1", written);
                    if (sign != -1 && sign != 0 && sign != 1) line.fail("expected a sign: -1, 0 or 1");
                    test.sign = static_cast<int>(sign);
                    return;
                }
                test.in_circle = key == "incircle";
                const size_t count = test.in_circle ? 4 : 3;
                const std::vector<uint32_t> points = read_list(line, "indices of points", "points");
                if (points.size() != count)
                    line.fail(key + " takes " + std::to_string(count) + " points, found " +
                              std::to_string(points.size()));
                std::copy(points.begin(), points.end(), test.points.begin());
            });
            line.at = at;
            line.item = -1;
            if (seen != 3) line.fail(std::string("expected ") + kWhat);
            tests.push_back(test);
        });
        return tests;
    }

    const fs::path& path_;
    io::Lines lines_;
    StepAssembly& assembly_;
    Notes& notes_;
    std::set<std::string> unknown_;
    bool more_unknown_ = false;
};

/// An array of a recording, in an archive or in a folder.
struct StoredArray {
    std::string name;
    fs::path place;                     // for messages
    std::function<std::string()> read;  // the bytes of the .npy file
};
using Arrays = std::vector<StoredArray>;

enum Kind : uint32_t { kPoints, kTriangles, kMarkedVertices, kMarkedEdges, kMarkedTriangles, kCaptions, kKinds };
constexpr std::array<std::string_view, kKinds> kKindNames{"points",       "triangles",        "marked_vertices",
                                                          "marked_edges", "marked_triangles", "captions"};

struct ArrayName {
    Kind kind;
    std::optional<uint64_t> number;  // of the step; nullopt: of all steps
};

/// "points", "points_0012", "points12".
std::optional<ArrayName> parse_name(std::string_view name) {
    for (uint32_t kind = 0; kind < kKinds; ++kind) {
        if (!name.starts_with(kKindNames[kind])) continue;
        std::string_view rest = name.substr(kKindNames[kind].size());
        if (rest.empty()) return ArrayName{static_cast<Kind>(kind), std::nullopt};
        if (rest.starts_with('_')) rest.remove_prefix(1);
        const std::optional<uint64_t> number = io::whole(rest);
        if (number && kind != kCaptions) return ArrayName{static_cast<Kind>(kind), number};
    }
    return std::nullopt;
}

class ArraySteps {
  public:
    ArraySteps(const fs::path& path, const Arrays& arrays, StepAssembly& assembly, Notes& notes)
        : path_(path), arrays_(arrays), assembly_(assembly), notes_(notes) {}

    void read() {
        sort_names();
        if (common_[kPoints]) assembly_.set_points(read_points(*common_[kPoints]));
        if (common_[kTriangles]) assembly_.set_triangles(read_rows<3>(*common_[kTriangles], "(t, 3)"));
        if (steps_.empty() && (common_[kPoints] || common_[kTriangles])) steps_[0] = {};
        if (steps_.empty())
            throw Error(path_.string() + ": there is no array called points_0, triangles_0 or the like in it");
        for (const auto& [number, arrays] : steps_) {
            throw_if_cancelled();
            read_step(arrays, number);
        }
        if (common_[kCaptions]) read_captions(*common_[kCaptions]);
        take_columns();
    }

  private:
    using Found = std::array<std::optional<size_t>, kKinds>;  // indices of arrays

    void sort_names() {
        for (size_t i = 0; i < arrays_.size(); ++i) {
            const auto name = parse_name(arrays_[i].name);
            if (!name ||
                (!name->number && name->kind != kPoints && name->kind != kTriangles && name->kind != kCaptions)) {
                others_.push_back(i);
                continue;
            }
            std::optional<size_t>& place = name->number ? steps_[*name->number][name->kind] : common_[name->kind];
            if (place)
                throw Error(path_.string() + ": " + excerpt(arrays_[*place].name) + " and " + excerpt(arrays_[i].name) +
                            " are of the same step");
            place = i;
        }
    }

    /// If all steps have the same points, other arrays with one number per point become attributes.
    void take_columns() {
        if (others_.empty()) return;
        const auto& steps = assembly_.recording().steps;
        const bool same = std::ranges::all_of(steps, [&](const Step& step) {
            return step.points == steps.front().points || *step.points == *steps.front().points;
        });
        if (!same) {
            notes_.push_back(path_.string() + ": " + excerpt(arrays_[others_[0]].name) +
                             (others_.size() > 1
                                  ? " and " + count_text(others_.size() - 1, "other array", "other arrays") + " are"
                                  : std::string(" is")) +
                             " not used: steps have points of their own, and attributes would be of one of them");
            return;
        }
        io::NpyColumns columns(path_, assembly_.points().size());
        for (const size_t i : others_) columns.take(arrays_[i].name, arrays_[i].read());
        assembly_.set_attributes(columns.finish(notes_));
    }

    void read_step(const Found& arrays, uint64_t number) {
        if (arrays[kPoints]) assembly_.set_points(read_points(*arrays[kPoints]));
        if (arrays[kTriangles]) assembly_.set_triangles(read_rows<3>(*arrays[kTriangles], "(t, 3)"));
        const size_t n = assembly_.points().size(), t = assembly_.triangles().size();
        if (arrays[kTriangles] || arrays[kPoints] || assembly_.step_count() == 0) {
            const std::string place = arrays[kTriangles]
                                          ? arrays_[*arrays[kTriangles]].place.string()
                                          : path_.string() + ": the triangles before step " + std::to_string(number);
            require_points(assembly_.triangles(), n, place + ": row ");
        }
        RecordedSteps::Marks marks;
        if (arrays[kMarkedVertices]) marks.vertices = read_list(*arrays[kMarkedVertices], n, "point");
        if (arrays[kMarkedTriangles]) marks.triangles = read_list(*arrays[kMarkedTriangles], t, "triangle");
        if (arrays[kMarkedEdges]) {
            marks.edges = read_rows<2>(*arrays[kMarkedEdges], "(m, 2)");
            require_points(marks.edges, n, arrays_[*arrays[kMarkedEdges]].place.string() + ": row ");
        }
        assembly_.add(std::move(marks), {});
    }

    /// Columns 0: a list.
    io::NpyFile open(size_t i, const std::string& bytes, uint64_t columns, const std::string& shape, bool whole) const {
        io::NpyFile file(arrays_[i].place, bytes);
        // NumPy gives an empty list one dimension and floating-point type.
        const auto& sizes = file.shape();
        const bool empty = sizes && !sizes->empty() && sizes->front() == 0;
        const bool known = file.type() && (whole && !empty ? file.type()->kind == 'i' || file.type()->kind == 'u'
                                                           : file.type()->kind != 'b');
        if (!known)
            throw file.fail(std::string("expected ") + (whole ? "whole numbers" : "floating-point or whole numbers") +
                            ", found " + excerpt(file.written_type()));
        const bool fits = sizes && (columns == 0 ? sizes->size() == 1 : sizes->size() == 2 && (*sizes)[1] == columns);
        if (!fits && !empty) throw file.fail_shape(shape);
        return file;
    }

    Points read_points(size_t i) const {
        const std::string bytes = arrays_[i].read();
        io::NpyFile file = open(i, bytes, 2, "(n, 2)", false);
        const uint64_t n = file.require_whole("points", notes_) / 2;
        Points points(n);
        CancelPoll poll;
        for (uint64_t k = 0; k < n; ++k) {
            poll();
            Point& p = points[k];
            p = file.column_major() ? Point{file.number(k), file.number(n + k)}
                                    : Point{file.number(2 * k), file.number(2 * k + 1)};
            if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) continue;
            const std::string place = file.name() + ": row " + std::to_string(k) + ": ";
            require_in_range(p.x, place + "x");
            require_in_range(p.y, place + "y");
        }
        return points;
    }

    uint32_t index_at(const io::NpyFile& file, uint64_t element, uint64_t row) const {
        const double value = file.number(element);
        if (value >= 0 && value < 4294967295.0) return static_cast<uint32_t>(value);
        throw Error(file.name() + ": row " + std::to_string(row) + ": names number " +
                    std::to_string(static_cast<long long>(std::clamp(value, -9e18, 9e18))) +
                    (value < 0 ? ", and they are counted from 0" : ", which is too large"));
    }

    template <size_t kCount>
    std::vector<std::array<uint32_t, kCount>> read_rows(size_t i, const char* shape) const {
        const std::string bytes = arrays_[i].read();
        io::NpyFile file = open(i, bytes, kCount, shape, true);
        const uint64_t n = file.require_whole("indices", notes_) / kCount;
        std::vector<std::array<uint32_t, kCount>> rows(n);
        CancelPoll poll;
        for (uint64_t row = 0; row < n; ++row) {
            poll();
            for (size_t k = 0; k < kCount; ++k)
                rows[row][k] = index_at(file, file.column_major() ? k * n + row : kCount * row + k, row);
        }
        return rows;
    }

    std::vector<uint32_t> read_list(size_t i, size_t limit, const char* what) const {
        const std::string bytes = arrays_[i].read();
        io::NpyFile file = open(i, bytes, 0, "(m)", true);
        std::vector<uint32_t> ids(file.require_whole("indices", notes_));
        const std::string place = file.name() + ": row ";
        for (uint64_t k = 0; k < ids.size(); ++k) {
            ids[k] = index_at(file, k, k);
            require_below(ids[k], limit, place, k, what);
        }
        return ids;
    }

    void read_captions(size_t i) {
        const std::string bytes = arrays_[i].read();
        const io::NpyFile file(arrays_[i].place, bytes);
        if (!file.text_type()) throw file.fail("expected an array of texts, found " + excerpt(file.written_type()));
        const size_t s = assembly_.step_count();
        if (!file.shape() || file.shape()->size() != 1 || (*file.shape())[0] != s)
            throw file.fail_shape("(" + std::to_string(s) + ",), a text for each step");
        file.require_whole("captions", notes_);
        for (size_t step = 0; step < s; ++step)
            assembly_.recording().steps[step].caption = caption_of(file.elements().text(step, kLongestCaption));
    }

    const fs::path& path_;
    const Arrays& arrays_;
    StepAssembly& assembly_;
    Notes& notes_;
    std::map<uint64_t, Found> steps_;
    Found common_{};
    std::vector<size_t> others_;  // names that belong to no step
};

struct FolderContents {
    std::vector<fs::path> meshes, arrays;  // in the order of their numbers
    size_t others = 0;
};

FolderContents look_into(const fs::path& folder) {
    FolderContents found;
    FormatInfo mesh{io::mesh_extensions(io::MeshUse::kInFolder), {}};
    mesh.extensions.push_back(".ele");
    std::error_code ignored;
    bool any_triangles = false;
    for (const fs::path& file : io::files_in(folder)) {
        const std::string extension = io::lower_extension(file);
        const auto name = extension == ".npy" ? parse_name(file.stem().string()) : std::nullopt;
        if (has_extension(mesh, extension)) {
            found.meshes.push_back(file);
        } else if (name) {
            found.arrays.push_back(file);
            any_triangles = any_triangles || name->kind == kTriangles;
        } else if (extension != ".node" || !fs::exists(fs::path(file).replace_extension(".ele"), ignored)) {
            ++found.others;
        }
    }
    if (!any_triangles) {
        found.others += found.arrays.size();
        found.arrays.clear();
    }
    return found;
}

void read_meshes(const FolderContents& found, StepAssembly& assembly, Notes& notes) {
    for (const fs::path& file : found.meshes) {
        throw_if_cancelled();
        Geometry geometry = read_geometry(file, &notes);
        if (geometry.in_space())
            throw Error(file.string() + ": is a surface in space, and a recording is of the plane");
        assembly.set_points(std::move(geometry.points));
        assembly.set_triangles(std::move(geometry.triangles));
        assembly.add({}, caption_of(file.filename().string()));
    }
}

Geometry read_folder(const fs::path& folder, const FolderContents& found, Notes& notes) {
    StepAssembly assembly(io::folder_name(folder));
    if (!found.arrays.empty() && !found.meshes.empty())
        throw Error(folder.string() + ": has meshes and arrays of triangles; keep one kind in it, or name a file");
    if (!found.meshes.empty()) {
        read_meshes(found, assembly, notes);
    } else {
        Arrays arrays;
        for (const fs::path& file : found.arrays)
            arrays.push_back({file.stem().string(), file, [&file] { return io::read_file(file); }});
        ArraySteps(folder, arrays, assembly, notes).read();
    }
    if (found.others > 0)
        notes.push_back(folder.string() + ": " + count_text(found.others, "other file", "other files") +
                        (found.others == 1 ? " is" : " are") + " not used");
    return assembly.geometry(folder);
}

/// read(notes), whose notes are limited: there may be one per step.
template <class Read>
Geometry with_few_notes(const fs::path& path, Notes* notes, const Read& read) {
    constexpr size_t kMostNotes = 10;
    Notes all_notes;
    Geometry geometry = read(all_notes);
    if (!notes) return geometry;
    for (size_t i = 0; i < std::min(all_notes.size(), kMostNotes); ++i) notes->push_back(std::move(all_notes[i]));
    if (all_notes.size() > kMostNotes)
        notes->push_back(path.string() + ": there is more of this kind, " +
                         std::to_string(all_notes.size() - kMostNotes) + " times");
    return geometry;
}

}  // namespace

const std::vector<FormatInfo>& recording_formats() {
    static const std::vector<FormatInfo> formats{
        {{".jsonl", ".ndjson"}, "JSON lines: a step in each, with points, triangles, marks and a caption"},
        {{".npz"},
         "NumPy's archives: arrays points_N, triangles_N and marks for each step N, and captions; without such names "
         "points alone: an array of shape (n, 2), and attributes beside it, of shape (n)"}};
    return formats;
}

bool io::has_recorded_steps(const NpzFile& archive) {
    return std::ranges::any_of(archive.members(), [](const NpzFile::Member& member) {
        const auto name = parse_name(member.name);
        return name && (name->number || name->kind == kCaptions);
    });
}

Geometry io::read_recording(const InputFile& file) {
    return with_few_notes(file.path, &file.notes, [&](Notes& notes) {
        StepAssembly assembly(file.path.filename().string());
        JsonSteps(file.path, file.bytes, assembly, notes).read();
        return assembly.geometry(file.path);
    });
}

Geometry io::read_recording(const InputFile& file, const NpzFile& archive) {
    return with_few_notes(file.path, &file.notes, [&](Notes& notes) {
        StepAssembly assembly(file.path.filename().string());
        Arrays arrays;
        for (const NpzFile::Member& member : archive.members())
            arrays.push_back({member.name, file.path.string() + ": " + member.name,
                              [&archive, &member] { return archive.read(member); }});
        ArraySteps(file.path, arrays, assembly, notes).read();
        archive.note_others(notes);
        return assembly.geometry(file.path);
    });
}

std::optional<Geometry> read_recording_folder(const fs::path& folder, std::vector<std::string>* notes) {
    const FolderContents found = look_into(folder);
    if (found.meshes.empty() && found.arrays.empty()) return std::nullopt;
    return with_few_notes(folder, notes, [&](Notes& all_notes) {
        return io::within_memory(folder, [&] { return read_folder(folder, found, all_notes); });
    });
}

}  // namespace flipscope
