#include "app/exports.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "app/detections.h"
#include "app/report_csv.h"
#include "app/runs.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/places.h"
#include "io/mesh.h"
#include "io/npy_writer.h"
#include "io/output_file.h"
#include "io/xyz.h"
#include "labs/parameters.h"

namespace flipscope::app {

namespace {

constexpr const char* kArrays = ".npy";
constexpr const char* kTables = ".csv";
constexpr const char* kTrajectories = ".xyz";

std::string extension_of(const std::string& file) {
    std::string extension = std::filesystem::path(file).extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

/// NumPy's format is one of meshes, too: it means an array where a lab has some.
bool means_array(const std::string& file, const Lab& algorithm) {
    return extension_of(file) == kArrays && !arrays_of(algorithm).empty();
}
bool means_trajectory(const std::string& file) { return extension_of(file) == kTrajectories; }
bool means_table(const std::string& file) { return extension_of(file) == kTables; }

std::vector<std::string> names_of(const std::vector<ArrayInfo>& arrays) {
    std::vector<std::string> names;
    for (const ArrayInfo& array : arrays) names.push_back(array.name);
    return names;
}

/// The array that was called so in the release before; nullptr: none.
const ArrayInfo* formerly_called(const std::vector<ArrayInfo>& arrays, const std::string& name) {
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const ArrayInfo& array) { return !name.empty() && array.former == name; });
    return found == arrays.end() ? nullptr : &*found;
}

/// "events"; empty: the lab finds nothing.
std::string name_of_detections(const LabInfo& info) { return info.detects.empty() ? "" : words_of(info); }

std::vector<std::string> names_of_own_tables(const Lab& algorithm) {
    const auto* exporter = find_facet<TableExporter>(algorithm);
    return exporter ? names_of(exporter->tables()) : std::vector<std::string>{};
}

/// What can be written as a table: what the lab finds, its tables, and its arrays. Of one name, the former.
std::vector<std::string> names_of_tables(const Lab& algorithm) {
    std::vector<std::string> names = names_of(arrays_of(algorithm));
    for (std::string& own : names_of_own_tables(algorithm))
        if (std::find(names.begin(), names.end(), own) == names.end()) names.push_back(std::move(own));
    const std::string detections = name_of_detections(algorithm.info());
    if (!detections.empty() && std::find(names.begin(), names.end(), detections) == names.end())
        names.push_back(detections);
    return names;
}

/// The one of `names` that is the file's stem, or else what follows one of its hyphens; empty: none.
std::string name_meant(const std::string& file, const std::vector<std::string>& names) {
    std::string rest = std::filesystem::path(file).stem().string();
    for (;;) {
        if (std::find(names.begin(), names.end(), rest) != names.end()) return rest;
        const size_t hyphen = rest.find('-');
        if (hyphen == rest.npos) return {};
        rest.erase(0, hyphen + 1);
    }
}

/// As name_meant() of what the lab has, `names`, former names of its arrays included: the present one.
std::string present_name_meant(const std::string& file, const Lab& algorithm, const std::vector<std::string>& names) {
    const std::string meant = name_meant(file, names);
    if (!meant.empty()) return meant;
    const std::vector<ArrayInfo> arrays = arrays_of(algorithm);
    std::vector<std::string> former;
    for (const ArrayInfo& array : arrays) former.push_back(array.former);
    const ArrayInfo* const array = formerly_called(arrays, name_meant(file, former));
    return array ? array->name : std::string();
}

std::string begin_of(const std::string& file, AskedIn in) {
    return (in == AskedIn::kWindow ? "" : "--export ") + file + ": ";
}

/// "colours.npy, labels.npy or events.csv"
std::string what_there_is(const Lab& algorithm) {
    std::vector<std::string> files;
    for (const ArrayInfo& array : arrays_of(algorithm)) files.push_back(array.name + kArrays);
    const std::string detections = name_of_detections(algorithm.info());
    if (!detections.empty()) files.push_back(detections + kTables);
    for (const std::string& own : names_of_own_tables(algorithm)) files.push_back(own + kTables);
    if (find_facet<TrajectoryExporter>(algorithm)) files.push_back(std::string("tracks") + kTrajectories);
    return join_words(files);
}

/// Tables of the run itself that such a lab can have.
std::vector<std::string> names_of_run_tables(const Lab& algorithm) {
    std::vector<std::string> names{"results", "statistics"};
    if (find_facet<Checkable>(algorithm)) names.push_back("failures");
    if (find_facet<Inspectable>(algorithm)) names.push_back("inspected");
    if (algorithm.info().makes_triangles) names.push_back("selection");
    return names;
}

/// Throws Error when the file's name is none of `names`, which are `what` the lab has; `others`: what else it could be.
void require_name(const std::string& file, const Lab& algorithm, const std::vector<std::string>& names,
                  const char* what, AskedIn in, const std::vector<std::string>& others = {}) {
    if (!present_name_meant(file, algorithm, names).empty()) return;
    std::vector<std::string> all = names;
    all.insert(all.end(), others.begin(), others.end());
    const std::string meant = nearest_word(std::filesystem::path(file).stem().string(), all);
    throw Error(begin_of(file, in) + "the name of the file, or what follows a hyphen in it, says which " + what +
                "; \"" + algorithm.info().id + "\" has " + join_words(all, " and ") +
                (meant.empty() ? "" : "; did you mean " + meant + extension_of(file) + "?"));
}

void require_trajectory(const std::string& file, const Lab& algorithm, bool records_later, AskedIn in) {
    if (const auto* exporter = find_facet<TrajectoryExporter>(algorithm)) {
        if (const std::string why = exporter->records_nothing(); !why.empty() && !records_later)
            throw Error(begin_of(file, in) + why);
        return;
    }
    const std::string there_is = what_there_is(algorithm);
    const char* const others =
        in == AskedIn::kWindow ? "results.csv has its numbers" : "for what it has see 'flipscope list formats'";
    throw Error(begin_of(file, in) + "the " + algorithm.info().title +
                " records no points over time, which .xyz is for; " +
                (there_is.empty() ? others : "it has " + there_is));
}

/// Throws Error for an array of what is recorded over time where nothing is.
void require_recorded(const std::string& file, const Lab& algorithm, AskedIn in) {
    const auto* exporter = find_facet<TrajectoryExporter>(algorithm);
    const std::string name = array_meant(file, algorithm);
    for (const ArrayInfo& array : arrays_of(algorithm))
        if (exporter && array.recorded && array.name == name)
            if (const std::string why = exporter->records_nothing(); !why.empty())
                throw Error(begin_of(file, in) + why);
}

template <class T>
void append_rows(std::string& text, const Array& array, size_t columns) {
    const auto* values = reinterpret_cast<const char*>(array.values.data());
    const size_t count = array.values.size() / sizeof(T);
    for (size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, values + i * sizeof(T), sizeof(T));
        char number[32];
        text.append(number, std::to_chars(number, number + sizeof number, value).ptr);
        text += (i + 1) % columns == 0 ? '\n' : ',';
    }
}

/// A line for each row, without a heading, as numpy.loadtxt reads it; numbers keep every bit. Of more than two
/// dimensions a row has all that belongs to one index of the first.
std::string csv_of(const Array& array) {
    if (array.shape.empty()) throw std::logic_error("an array without dimensions is no table");
    size_t columns = 1;
    for (size_t k = 1; k < array.shape.size(); ++k) columns *= std::max<size_t>(array.shape[k], 1);
    std::string text;
    switch (array.type) {
        case Array::Type::kUint32:
            append_rows<uint32_t>(text, array, columns);
            break;
        case Array::Type::kInt64:
            append_rows<int64_t>(text, array, columns);
            break;
        case Array::Type::kFloat32:
            append_rows<float>(text, array, columns);
            break;
        case Array::Type::kFloat64:
            append_rows<double>(text, array, columns);
            break;
    }
    return text;
}

}  // namespace

std::vector<std::string> export_extensions() {
    std::vector<std::string> extensions;
    for (const auto& format : mesh_formats())
        extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
    for (const char* more : {kArrays, kTables, kTrajectories})
        if (std::find(extensions.begin(), extensions.end(), more) == extensions.end()) extensions.emplace_back(more);
    return extensions;
}

std::string own_table_meant(const std::string& file, const Lab& algorithm) {
    return means_table(file) ? name_meant(file, names_of_own_tables(algorithm)) : std::string();
}

std::string array_meant(const std::string& file, const Lab& algorithm) {
    return present_name_meant(file, algorithm, names_of(arrays_of(algorithm)));
}

std::string run_table_meant(const std::string& file, const Lab& algorithm) {
    if (!means_table(file) || !present_name_meant(file, algorithm, names_of_tables(algorithm)).empty()) return {};
    return name_meant(file, {"failures", "results", "statistics", "inspected", "selection"});
}

bool can_mean_selection(const std::string& file) {
    return means_table(file) && name_meant(file, {"selection"}) == "selection";
}

/// A name at the head of a column. In quotes, too, where a part of it reads as a number ("2020", "mass 2"): a line with
/// numbers is no heading to who reads it.
static std::string column_name_csv(const std::string& name) {
    const std::string field = csv_field(name);
    if (field.starts_with('"')) return field;
    for (size_t begin = 0; begin < name.size(); begin = std::min(name.find(' ', begin), name.size()) + 1) {
        const size_t digits = begin + (name[begin] == '+' ? 1 : 0);
        double ignored = 0;
        if (std::from_chars(name.data() + digits, name.data() + name.size(), ignored).ec != std::errc::invalid_argument)
            return '"' + name + '"';
    }
    return field;
}

std::string selection_csv(const Geometry& selected) {
    static const std::vector<Attribute> none;
    const std::vector<Attribute>& columns = selected.attributes ? *selected.attributes : none;
    std::string text = selected.in_space() ? "x,y,z" : "x,y";
    for (const Attribute& column : columns) text += "," + column_name_csv(column.name);
    if (!selected.names.empty()) text += ",name";
    text += "\n";
    for (size_t i = 0; i < selected.points.size(); ++i) {
        text += format_exactly(selected.points[i].x) + "," + format_exactly(selected.points[i].y);
        if (selected.in_space()) text += "," + format_exactly(selected.heights[i]);
        for (const Attribute& column : columns)
            text += "," + (std::isnan(column.values[i]) ? std::string() : format_exactly(column.values[i]));
        if (!selected.names.empty()) text += "," + csv_field(selected.names[i]);
        text += "\n";
    }
    return text;
}

/// The quantity of elements that the file asks for; empty: none, or an array of the lab's own.
std::string quantity_meant(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns) {
    if (extension_of(file) != kArrays && !means_table(file)) return {};
    if (!present_name_meant(file, algorithm, names_of_tables(algorithm)).empty()) return {};
    std::vector<std::string> names = names_of(SceneStatistics::arrays());
    names.insert(names.end(), columns.begin(), columns.end());
    return name_meant(file, names);
}

bool means_statistics(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns) {
    return run_table_meant(file, algorithm) == "statistics" || !quantity_meant(file, algorithm, columns).empty();
}

std::string export_remark(const std::string& file, const Lab& algorithm) {
    if (!means_array(file, algorithm) && !means_table(file)) return {};
    const std::vector<std::string> names = names_of_tables(algorithm);
    if (!name_meant(file, names).empty()) return {};
    const std::string present = present_name_meant(file, algorithm, names);
    for (const ArrayInfo& array : arrays_of(algorithm))
        if (!present.empty() && array.name == present)
            return "--export " + file + ": " + former_name_remark(array.former, present);
    return {};
}

void check_export(const std::string& file, const Lab& algorithm, bool records_later,
                  const std::vector<std::string>& columns, AskedIn in) {
    const LabInfo& info = algorithm.info();
    if (means_failures(file, algorithm)) {
        if (in == AskedIn::kCommandLine) return require_check(algorithm, "--export " + file);
        if (!find_facet<Checkable>(algorithm)) throw Error(file + ": the " + info.title + " has no check");
        return;
    }
    if (!run_table_meant(file, algorithm).empty() || means_statistics(file, algorithm, columns)) return;
    if (means_trajectory(file)) return require_trajectory(file, algorithm, records_later, in);
    if (means_array(file, algorithm)) {
        require_name(file, algorithm, names_of(arrays_of(algorithm)), "array", in);
        if (!records_later) require_recorded(file, algorithm, in);
        return;
    }
    if (means_table(file)) {
        const std::vector<std::string> names = names_of_tables(algorithm);
        if (!names.empty()) {
            require_name(file, algorithm, names, "table", in, names_of_run_tables(algorithm));
            if (!records_later) require_recorded(file, algorithm, in);
            return;
        }
        const char* const meshes = in == AskedIn::kWindow
                                       ? "; .ply, .obj, .off and others have its points and triangles"
                                       : "; for its points and triangles see 'flipscope list formats'";
        throw Error(begin_of(file, in) + "the " + info.title + " detects nothing that could be listed" +
                    (info.makes_triangles ? meshes : "") +
                    (find_facet<Checkable>(algorithm)
                         ? "; failures.csv lists what its check finds wrong, results.csv its numbers"
                         : "; results.csv has its numbers"));
    }
    if (info.makes_triangles) return;
    const std::string there_is = what_there_is(algorithm);
    const std::vector<std::string> arrays = names_of(arrays_of(algorithm));
    if (std::find(arrays.begin(), arrays.end(), "triangles") != arrays.end())
        throw Error(begin_of(file, in) + "triangles of the " + info.title +
                    " close on themselves across the borders of a periodic box, which files of meshes cannot hold; "
                    "it has " +
                    there_is);
    const char* const results = in == AskedIn::kWindow ? "results.csv has its numbers" : "--json has its results";
    throw Error(begin_of(file, in) + "the " + info.title + " makes no triangles, so there is no mesh to write; " +
                (there_is.empty() ? results : "it has " + there_is));
}

namespace {

/// What the triangles of a mesh's .npy file are rows of.
Array positions_of(const TriangleSoup& soup) {
    const size_t count = soup.points ? soup.points->size() : 0;
    std::vector<double> numbers;
    for (size_t i = 0; i < count; ++i) {
        numbers.insert(numbers.end(), {(*soup.points)[i].x, (*soup.points)[i].y});
        if (soup.heights) numbers.push_back((*soup.heights)[i]);
    }
    return make_array(Array::Type::kFloat64, {count, soup.heights ? size_t(3) : size_t(2)}, numbers);
}

}  // namespace

void write_export(const std::string& file, const Lab& algorithm, const SceneStatistics* statistics, AskedIn in) {
    const std::vector<std::string> columns = statistics ? statistics->attributes() : std::vector<std::string>();
    check_export(file, algorithm, false, columns, in);
    const LabInfo& info = algorithm.info();
    if (const std::string table = run_table_meant(file, algorithm); table == "results") {
        Report results;
        results.add(results_of(algorithm.result(), info));
        return write_whole_file(file, csv_of(results));
    } else if (table == "statistics") {
        return write_whole_file(file, csv_of(statistics_of(algorithm, statistics)));
    } else if (!table.empty()) {
        throw std::logic_error(file + ": the caller writes what it checked, inspected and selected");
    }
    if (const std::string quantity = quantity_meant(file, algorithm, columns); !quantity.empty()) {
        if (!statistics || statistics->empty())
            throw Error(begin_of(file, in) + (in == AskedIn::kWindow && !statistics
                                                  ? "it is not measured; the statistics (7) measure it"
                                                  : "the " + info.title + " shows no points in this state"));
        const Array array = statistics->array(quantity);
        return means_table(file) ? write_whole_file(file, csv_of(array)) : write_whole_file(file, npy_bytes(array));
    }
    if (means_trajectory(file)) return write_xyz(file, facet<TrajectoryExporter>(algorithm).trajectory());
    if (means_array(file, algorithm))
        return write_whole_file(file, npy_bytes(facet<Exporter>(algorithm).array(array_meant(file, algorithm))));
    if (extension_of(file) == kArrays && !name_meant(file, {"positions"}).empty())
        return write_whole_file(file, npy_bytes(positions_of(algorithm.soup())));
    if (!means_table(file)) return write_mesh(file, algorithm.soup());
    const std::string name = present_name_meant(file, algorithm, names_of_tables(algorithm));
    if (const std::string own = own_table_meant(file, algorithm); !own.empty())
        return write_whole_file(file, csv_of(facet<TableExporter>(algorithm).table(own)));
    if (name != name_of_detections(info)) return write_whole_file(file, csv_of(facet<Exporter>(algorithm).array(name)));
    const Detector& detector = facet<Detector>(algorithm);
    write_whole_file(file, detections_csv(detector.detections(0), info, detector.detection_units()));
}

}  // namespace flipscope::app
