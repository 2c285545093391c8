#include "app/run/exports.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "app/run/detections.h"
#include "app/run/run.h"
#include "app/run/table_files.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/places.h"
#include "instruments/element_tables.h"
#include "io/files.h"
#include "io/mesh.h"
#include "io/npy_writer.h"
#include "io/ogr.h"
#include "io/output_file.h"
#include "io/vtk_writer.h"
#include "io/xyz.h"
#include "lab/parameters.h"
#include "lab/unit_names.h"

namespace flipscope::app {

namespace {

constexpr const char *kArrays = ".npy", *kImages = ".vtk";
constexpr const char* kTables = ".csv";
constexpr const char* kPoints = ".xy";
constexpr const char* kTrajectories = ".xyz";
constexpr const char *kArchives = ".npz", *kObjects = ".json", *kFeatures = ".geojson", *kWords = ".wkt",
                     *kShapefile = ".shp", *kPackage = ".gpkg", *kDrawings = ".svg";
constexpr const char* kPages = ".html";

/// NumPy's format is for meshes too, but means an array if the lab has arrays.
bool means_array(const std::string& file, const Lab& algorithm) {
    const std::string extension = io::lower_extension(file);
    return (extension == kArrays || extension == kImages) && !arrays_of(algorithm).empty();
}
/// A kind of file for the polygons of cells.
bool means_polygons(const std::string& file) {
    return is_one_of(io::lower_extension(file), {kFeatures, kWords, kShapefile, kPackage, kDrawings});
}
bool means_trajectory(const std::string& file) { return io::lower_extension(file) == kTrajectories; }
bool means_table(const std::string& file) { return io::lower_extension(file) == kTables; }

std::vector<std::string> names_of(const std::vector<ArrayInfo>& arrays) {
    std::vector<std::string> names;
    for (const ArrayInfo& array : arrays) names.push_back(array.name);
    return names;
}

/// "events"; empty: the lab has no detections.
std::string name_of_detections(const LabInfo& info) { return info.detects.empty() ? "" : words_of(info); }

std::vector<std::string> names_of_own_tables(const Lab& algorithm) {
    const auto* exporter = find_facet<TableExporter>(algorithm);
    return exporter ? names_of(exporter->tables()) : std::vector<std::string>{};
}

/// Names of tables: detections, the lab's tables and arrays, in this precedence.
std::vector<std::string> names_of_tables(const Lab& algorithm) {
    std::vector<std::string> names = names_of(arrays_of(algorithm));
    for (std::string& own : names_of_own_tables(algorithm))
        if (std::find(names.begin(), names.end(), own) == names.end()) names.push_back(std::move(own));
    const std::string detections = name_of_detections(algorithm.info());
    if (!detections.empty() && std::find(names.begin(), names.end(), detections) == names.end())
        names.push_back(detections);
    return names;
}

/// The one of `names` that equals the file's stem, or the part after one of its hyphens; empty: none.
std::string name_meant(const std::string& file, const std::vector<std::string>& names) {
    std::string rest = std::filesystem::path(file).stem().string();
    for (;;) {
        if (std::find(names.begin(), names.end(), rest) != names.end()) return rest;
        const size_t hyphen = rest.find('-');
        if (hyphen == rest.npos) return {};
        rest.erase(0, hyphen + 1);
    }
}

/// The table of elements named by the file; nothing: none.
std::optional<ElementTable> elements_of_file(const std::string& file) {
    const std::string extension = io::lower_extension(file);
    const bool shapes = means_polygons(file);
    if (!shapes && extension != kTables && extension != kArchives && extension != kObjects) return std::nullopt;
    const std::string name = name_meant(file, {std::begin(kElementTableNames), std::end(kElementTableNames)});
    for (uint32_t k = 0; k < std::size(kElementTableNames); ++k)
        if (name == kElementTableNames[k] && (!shapes || ElementTable(k) == ElementTable::kCells))
            return ElementTable(k);
    return std::nullopt;
}

std::string error_prefix(const std::string& file, Caller in) {
    return (in == Caller::kWindow ? "" : "--export ") + file + ": ";
}

/// "colours.npy, labels.npy or events.csv"
std::string exports_text(const Lab& algorithm) {
    std::vector<std::string> files;
    for (const ArrayInfo& array : arrays_of(algorithm)) files.push_back(array.name + kArrays);
    const std::string detections = name_of_detections(algorithm.info());
    if (!detections.empty()) files.push_back(detections + kTables);
    for (const std::string& own : names_of_own_tables(algorithm)) files.push_back(own + kTables);
    if (find_facet<TrajectoryExporter>(algorithm)) files.push_back(std::string("tracks") + kTrajectories);
    return join_words(files);
}

/// Tables of the run available for this lab.
std::vector<std::string> names_of_run_tables(const Lab& algorithm) {
    std::vector<std::string> names{"results", "statistics", "histograms", "curves"};
    for (const char* elements : kElementTableNames) names.emplace_back(elements);
    if (find_facet<Checkable>(algorithm)) names.push_back("failures");
    if (find_facet<Inspectable>(algorithm)) names.push_back("inspected");
    if (algorithm.info().makes_triangles) names.push_back("selection");
    return names;
}

/// Array names of scene measures, without the lab's own.
std::vector<std::string> scene_arrays(const Lab& algorithm, const std::vector<std::string>& columns) {
    std::vector<std::string> names = names_of(SceneStatistics::arrays());
    names.insert(names.end(), columns.begin(), columns.end());
    const std::vector<std::string> own = names_of(arrays_of(algorithm));
    std::erase_if(names, [&](const auto& name) { return std::find(own.begin(), own.end(), name) != own.end(); });
    return names;
}

/// Throws Error if the file's name is none of `names`, the lab's `what`; `others`: further names; `shown`: measures of
/// the scene.
void require_name(const std::string& file, const Lab& algorithm, const std::vector<std::string>& names,
                  const char* what, Caller in, const std::vector<std::string>& others = {},
                  const std::vector<std::string>& shown = {}) {
    if (!name_meant(file, names).empty()) return;
    std::vector<std::string> all = names;
    all.insert(all.end(), others.begin(), others.end());
    const std::string own = join_words(all, " and ");
    all.insert(all.end(), shown.begin(), shown.end());
    const std::string meant = nearest_word(std::filesystem::path(file).stem().string(), all);
    throw Error(error_prefix(file, in) + "the name of the file, or what follows a hyphen in it, says which " + what +
                "; \"" + algorithm.info().id + "\" has " + own +
                (shown.empty() ? "" : ", and of what it shows " + join_words(shown, " and ")) +
                (meant.empty() ? "" : "; did you mean " + meant + io::lower_extension(file) + "?"));
}

void require_trajectory(const std::string& file, const Lab& algorithm, bool records_later, Caller in) {
    if (const auto* exporter = find_facet<TrajectoryExporter>(algorithm)) {
        if (const std::string why = exporter->records_nothing(); !why.empty() && !records_later)
            throw Error(error_prefix(file, in) + why);
        return;
    }
    const std::string there_is = exports_text(algorithm);
    const char* const others =
        in == Caller::kWindow ? "results.csv has its numbers" : "for what it has see 'flipscope list formats'";
    throw Error(error_prefix(file, in) + "the " + algorithm.info().title +
                " records no points over time, which .xyz is for; " +
                (there_is.empty() ? others : "it has " + there_is));
}

/// Throws Error for an array of recorded data if nothing is recorded.
void require_recorded(const std::string& file, const Lab& algorithm, Caller in) {
    const auto* exporter = find_facet<TrajectoryExporter>(algorithm);
    const std::string name = array_of_file(file, algorithm);
    for (const ArrayInfo& array : arrays_of(algorithm))
        if (exporter && array.recorded && array.name == name)
            if (const std::string why = exporter->records_nothing(); !why.empty())
                throw Error(error_prefix(file, in) + why);
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

/// A line per row, without a heading, as numpy.loadtxt reads it; numbers keep every bit. In higher dimensions a row
/// holds all values of one first index.
std::string csv_of(const Array& array) {
    if (array.shape.empty()) throw std::logic_error("an array without dimensions is no table");
    size_t columns = 1;
    for (size_t k = 1; k < array.shape.size(); ++k) columns *= std::max<size_t>(array.shape[k], 1);
    std::string text;
    constexpr void (*kAppends[])(std::string&, const Array&, size_t) = {append_rows<uint32_t>, append_rows<int64_t>,
                                                                        append_rows<float>, append_rows<double>};
    kAppends[static_cast<size_t>(array.type)](text, array, columns);
    return text;
}

}  // namespace

bool means_page(const std::string& file) { return io::lower_extension(file) == kPages; }

std::vector<std::string> export_extensions() {
    std::vector<std::string> extensions;
    for (const auto& format : mesh_formats())
        extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
    for (const char* more : {kArrays, kImages, kTables, kTrajectories, kArchives, kObjects, kFeatures, kWords,
                             kShapefile, kPackage, kDrawings, kPages})
        if (std::find(extensions.begin(), extensions.end(), more) == extensions.end()) extensions.emplace_back(more);
    return extensions;
}

std::string lab_table_of_file(const std::string& file, const Lab& algorithm) {
    return means_table(file) ? name_meant(file, names_of_own_tables(algorithm)) : std::string();
}

std::string array_of_file(const std::string& file, const Lab& algorithm) {
    return name_meant(file, names_of(arrays_of(algorithm)));
}

std::string run_table_of_file(const std::string& file, const Lab& algorithm) {
    if (!means_table(file) || elements_of_file(file)) return {};
    if (!name_meant(file, names_of_tables(algorithm)).empty()) return {};
    return name_meant(file, {"failures", "results", "statistics", "histograms", "curves", "inspected", "selection"});
}

bool means_view(const std::string& file) {
    return io::lower_extension(file) == ".py" || std::filesystem::path(file).filename() == "scenario.json";
}

bool can_mean_selection(const std::string& file) {
    return means_table(file) && name_meant(file, {"selection"}) == "selection";
}

std::string points_csv(const Geometry& set) {
    static const std::vector<Attribute> none;
    const std::vector<Attribute>& columns = set.attributes ? *set.attributes : none;
    Table table;
    for (const char* axis : {"x", "y", "z"})
        if (*axis != 'z' || set.in_space()) table.columns.push_back({axis, "", {}, 0, set.unit});
    for (const Attribute& column : columns) table.columns.push_back({column.name, "", {}, 0, column.unit});
    if (!set.names.empty()) table.columns.push_back({"name", ""});
    table.row_count = set.points.size();
    table.row = [&](size_t i) {
        Table::Row row;
        const Point p = set.points[i];
        row.cells.emplace_back(p.x);
        row.cells.emplace_back(set.y_down ? 0 - p.y : p.y);
        if (set.in_space()) row.cells.emplace_back(set.heights[i]);
        for (const Attribute& column : columns) {
            const double value = column.values[i];
            row.cells.push_back(std::isnan(value)           ? Value()
                                : column.categories.empty() ? Value(value)
                                                            : Value(column.categories.at(size_t(value))));
        }
        if (!set.names.empty()) row.cells.emplace_back(set.names[i]);
        return row;
    };
    return csv_of(table);
}

std::string points_xy(const Geometry& set) {
    std::string text;
    for (size_t i = 0; i < set.points.size(); ++i) {
        const Point p = set.points[i];
        text += format_exactly(p.x) + " " + format_exactly(set.y_down ? 0 - p.y : p.y);
        if (set.in_space()) text += " " + format_exactly(set.heights[i]);
        text += "\n";
    }
    return text;
}

bool means_points_xy(const std::string& file) { return io::lower_extension(file) == kPoints; }

bool means_points_csv(const std::string& file) {
    return means_table(file) && elements_of_file(file) == ElementTable::kPoints;
}

namespace {

/// Whether a .npy file means the mesh of a lab without arrays.
bool means_mesh_array(const std::string& file) {
    return !name_meant(file, {"triangles", "mesh", "positions", "points"}).empty();
}

}  // namespace

/// The quantity of elements named by the file; empty: none, or an array of the lab.
std::string quantity_meant(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns) {
    if (io::lower_extension(file) == kImages) return name_meant(file, {SceneStatistics::kIntensityArray});
    if ((io::lower_extension(file) != kArrays && !means_table(file)) || elements_of_file(file)) return {};
    if (!name_meant(file, names_of_tables(algorithm)).empty()) return {};
    std::vector<std::string> names = names_of(SceneStatistics::arrays());
    names.insert(names.end(), columns.begin(), columns.end());
    return name_meant(file, names);
}

bool means_statistics(const std::string& file, const Lab& algorithm, const std::vector<std::string>& columns) {
    return elements_of_file(file) || means_curves(file, algorithm) ||
           run_table_of_file(file, algorithm) == "histograms" || !quantity_meant(file, algorithm, columns).empty();
}

bool means_curves(const std::string& file, const Lab& algorithm) {
    const std::string table = run_table_of_file(file, algorithm);
    return table == "statistics" || table == "curves" ||
           quantity_meant(file, algorithm, {}) == SceneStatistics::kStructureFactorArray ||
           quantity_meant(file, algorithm, {}) == SceneStatistics::kIntensityArray;
}

void check_export(const std::string& file, const Lab& algorithm, bool records_later,
                  const std::vector<std::string>& columns, Caller in) {
    const LabInfo& info = algorithm.info();
    if (run_table_of_file(file, algorithm) == "failures") {
        if (in == Caller::kCommandLine) return require_check(algorithm, "--export " + file);
        if (!find_facet<Checkable>(algorithm)) throw Error(file + ": the " + info.title + " has no check");
        return;
    }
    if (!run_table_of_file(file, algorithm).empty() || means_statistics(file, algorithm, columns)) return;
    if (is_one_of(io::lower_extension(file), {kArchives, kObjects}))
        throw Error(error_prefix(file, in) + "tables of elements are called " +
                    join_words({std::begin(kElementTableNames), std::end(kElementTableNames)}) +
                    ", or end so behind a hyphen: points" + io::lower_extension(file));
    if (means_polygons(file))
        throw Error(error_prefix(file, in) + "only cells have polygons: cells" + io::lower_extension(file));
    if (means_trajectory(file)) return require_trajectory(file, algorithm, records_later, in);
    if (means_array(file, algorithm)) {
        require_name(file, algorithm, names_of(arrays_of(algorithm)), "array", in, {},
                     scene_arrays(algorithm, columns));
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
        const char* const meshes = in == Caller::kWindow
                                       ? "; .ply, .obj, .off and others have its points and triangles"
                                       : "; for its points and triangles see 'flipscope list formats'";
        throw Error(error_prefix(file, in) + "the " + info.title +
                    " has no table of this name; the name of a table is its content, points.csv or run7-points.csv" +
                    (info.makes_triangles ? meshes : "") +
                    (find_facet<Checkable>(algorithm)
                         ? "; failures.csv lists what its check finds wrong, results.csv its numbers"
                         : "; results.csv has its numbers"));
    }
    if (info.makes_triangles) {
        if (io::lower_extension(file) != kArrays || means_mesh_array(file)) return;
        return require_name(file, algorithm, {"triangles", "positions"}, "array", in, {},
                            scene_arrays(algorithm, columns));
    }
    const std::string there_is = exports_text(algorithm);
    const std::vector<std::string> arrays = names_of(arrays_of(algorithm));
    if (std::find(arrays.begin(), arrays.end(), "triangles") != arrays.end())
        throw Error(error_prefix(file, in) + "triangles of the " + info.title +
                    " close on themselves across the borders of a periodic box, which files of meshes cannot hold; "
                    "it has " +
                    there_is);
    const char* const results = in == Caller::kWindow ? "results.csv has its numbers" : "--json has its results";
    throw Error(error_prefix(file, in) + "the " + info.title + " makes no triangles, so there is no mesh to write; " +
                (there_is.empty() ? results : "it has " + there_is));
}

namespace {

/// The positions that a mesh's triangle rows refer to.
Array positions_of(const TriangleSoup& soup) {
    const size_t count = soup.points ? soup.points->size() : 0;
    std::vector<double> numbers;
    for (size_t i = 0; i < count; ++i) {
        numbers.insert(numbers.end(), {(*soup.points)[i].x, (*soup.points)[i].y});
        if (soup.heights) numbers.push_back((*soup.heights)[i]);
    }
    return make_array(Array::Type::kFloat64, {count, soup.heights ? size_t(3) : size_t(2)}, numbers);
}

/// Flips y if the input's y goes down; triangles stay counter-clockwise.
void write_soup(const std::string& file, TriangleSoup soup, const Geometry* input) {
    std::vector<Point> points;
    if (input && input->y_down && soup.points) {
        points = *soup.points;
        for (Point& p : points) p.y = 0 - p.y;
        soup.points = &points;
        for (auto& triangle : soup.triangles) std::swap(triangle[1], triangle[2]);
    }
    if (io::lower_extension(file) == kArrays && !name_meant(file, {"positions", "points"}).empty())
        return write_whole_file(file, npy_bytes(positions_of(soup)));
    write_mesh(file, soup);
}

void write_elements(const std::string& file, ElementTable which, const ElementTables& tables) {
    const std::string extension = io::lower_extension(file);
    if (extension == kWords) return write_whole_file(file, wkt_of(tables.polygons()));
    if (extension == kDrawings) return write_whole_file(file, svg_of(tables.polygons()));
    const Table table = tables.table(which);
    if (means_polygons(file)) {
        const std::string features = geojson_of(table, tables.polygons());
        return extension == kFeatures ? write_whole_file(file, features) : io::write_geography(file, features);
    }
    write_whole_file(file, extension == kObjects  ? json_of_rows(table)
                           : extension == kTables ? app::csv_of(table)
                                                  : npz_of(table));
}

/// The table column of this name. Throws Error if there is none.
std::pair<Table, size_t> column_of(const ElementTables& tables, const std::string& name) {
    for (const ElementTable which : {ElementTable::kPoints, ElementTable::kEdges, ElementTable::kTriangles}) {
        Table table = tables.table(which);
        for (size_t k = 0; k < table.columns.size(); ++k)
            if (table.columns[k].name == name) return {std::move(table), k};
    }
    throw Error(name + ": there is no triangulation here that has such a number");
}

void write_quantity(const std::string& file, const std::string& name, const SceneStatistics& statistics,
                    const ElementTables& tables) {
    const bool as_table = means_table(file);
    const bool is_intensity = name == SceneStatistics::kIntensityArray;
    if (is_intensity || name == SceneStatistics::kStructureFactorArray || name == SceneStatistics::kEdgeArray) {
        Array array;
        if (name == SceneStatistics::kEdgeArray) {
            const Table edges = tables.table(ElementTable::kEdges);
            const size_t from = edges.columns.front().name == "from" ? 0 : 1;
            std::vector<int64_t> ends;
            for (size_t i = 0; i < edges.row_count; ++i)
                for (size_t k = 0; k < 2; ++k)
                    ends.push_back(static_cast<int64_t>(edges.row(i).cells[from + k].number()));
            array = make_array(Array::Type::kInt64, {edges.row_count, 2}, ends);
        } else {
            array = is_intensity ? statistics.intensity_picture() : statistics.structure_picture();
        }
        if (io::lower_extension(file) == kImages) {
            const auto& [low, size] = std::pair{statistics.intensity().low, statistics.intensity().size};
            const Point middle{low.x + size.x / 2, low.y + size.y / 2};
            return write_whole_file(file, vtk_bytes(name, array, middle, size));
        }
        return write_whole_file(file, as_table ? csv_of(array) : npy_bytes(array));
    }
    const auto& [table, column] = column_of(tables, name);
    write_whole_file(file, as_table ? csv_of_column(table, column) : npy_of(table, column));
}

/// Stacks all distributions in one table, whose first columns name them.
Table histograms_of(const Report& report) {
    std::vector<Table::Row> rows;
    for (const Distribution& one : report.all<Distribution>()) {
        const Table table = table_of(one);
        const bool both = table.columns.size() > 3;
        for (size_t i = 0; i < table.row_count; ++i) {
            const Table::Row row = table.row(i);
            rows.push_back(
                {{one.name, one.unit.empty() ? Value() : Value(one.unit), row.cells[0], row.cells[1], row.cells.back(),
                  both ? row.cells[2] : Value(), both ? Value(one.before_name) : Value()}});
        }
    }
    // from and to: empty for all below, and all above.
    return Table::of(columns_named({"quantity", "unit", "from", "to", "count", "compared", "compared with"}),
                     std::move(rows));
}

Table curves_of(const Report& report) {
    std::vector<Table::Row> rows;
    for (const Curve& one : report.all<Curve>())
        for (size_t i = 0; i < one.x.size(); ++i)
            rows.push_back(
                {{one.name, one.label.empty() ? Value() : Value(one.label), one.x_name, one.y_name, one.x[i], one.y[i],
                  one.errors.empty() ? NAN : one.errors[i], one.band_low.empty() ? NAN : one.band_low[i],
                  one.band_high.empty() ? NAN : one.band_high[i]}});
    // low and high: of the envelope.
    return Table::of(columns_named({"curve", "label", "x is", "y is", "x", "y", "error", "low", "high"}),
                     std::move(rows));
}

}  // namespace

void write_export(const std::string& file, const Lab& algorithm, const SceneStatistics* statistics, Caller in,
                  const Geometry* input) {
    const std::vector<std::string> columns =
        attribute_ids(statistics && statistics->input() ? statistics->input().get() : input);
    check_export(file, algorithm, false, columns, in);
    const LabInfo& info = algorithm.info();
    const std::string unit = length_unit(algorithm.scene(), input);
    if (const std::string table = run_table_of_file(file, algorithm); table == "results") {
        Report results;
        results.add(results_of(algorithm.result(), info));
        name_units(results, unit);
        return write_whole_file(file, csv_of(results));
    } else if (is_one_of(table, {"statistics", "histograms", "curves"})) {
        if (table == "statistics")
            return write_whole_file(file, csv_of(statistics ? statistics->table() : SceneStatistics().table()));
        Report report = statistics_of(algorithm, statistics);
        name_units(report, unit);
        return write_whole_file(file, csv_of(table == "histograms" ? histograms_of(report) : curves_of(report)));
    } else if (!table.empty()) {
        throw std::logic_error(file + ": the caller writes what it checked, inspected and selected");
    }
    const std::string quantity = quantity_meant(file, algorithm, columns);
    if (const auto elements = elements_of_file(file); elements || !quantity.empty()) {
        if (!statistics || statistics->empty())
            throw Error(error_prefix(file, in) + (in == Caller::kWindow && !statistics
                                                      ? "it is not measured; the statistics (7) measure it"
                                                      : "the " + info.title + " shows no points in this state"));
        try {
            const Scene scene = algorithm.scene();
            const ElementTables tables(*statistics, scene);
            return elements ? write_elements(file, *elements, tables)
                            : write_quantity(file, quantity, *statistics, tables);
        } catch (const Error& error) {
            const std::string what = error.what();
            throw Error(what.find(file) == what.npos ? error_prefix(file, in) + what : what);
        }
    }
    if (means_trajectory(file)) return write_xyz(file, facet<TrajectoryExporter>(algorithm).trajectory());
    if (means_array(file, algorithm)) {
        const std::string name = array_of_file(file, algorithm);
        const Array array = facet<Exporter>(algorithm).array(name);
        if (io::lower_extension(file) != kImages) return write_whole_file(file, npy_bytes(array));
        const LatticeLayer lattice = algorithm.scene().lattice();
        if (array.shape.size() < 2 || array.shape[0] != lattice.height || array.shape[1] != lattice.width)
            throw Error(error_prefix(file, in) + "\"" + name +
                        "\" has no number for each pixel of a lattice; save it as " + name + ".npy");
        return write_whole_file(file, vtk_bytes(name, array));
    }
    if (!means_table(file)) return write_soup(file, algorithm.soup(), input);
    const std::string name = name_meant(file, names_of_tables(algorithm));
    if (const std::string own = lab_table_of_file(file, algorithm); !own.empty())
        return write_whole_file(file, csv_of(facet<TableExporter>(algorithm).table(own)));
    if (name != name_of_detections(info)) return write_whole_file(file, csv_of(facet<Exporter>(algorithm).array(name)));
    const Detector& detector = facet<Detector>(algorithm);
    DetectionUnits units = detector.detection_units();
    if (units.length.empty()) units.length = unit;
    write_whole_file(file, detections_csv(detector.detections(0), info, units));
}

}  // namespace flipscope::app
