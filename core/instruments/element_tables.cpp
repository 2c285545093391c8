#include "instruments/element_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "geometry/frames.h"
#include "instruments/scene_statistics.h"
#include "instruments/triangle_words.h"
#include "lab/unit_names.h"

namespace flipscope {

namespace {

using Q = ElementQuantity;

constexpr Q kOfPoints[] = {Q::kDegree,          Q::kNearest,    Q::kCellArea,   Q::kCellPerimeter,
                           Q::kNeighbourDegree, Q::kBondOrder4, Q::kBondOrder6, Q::kBondAngle6};
constexpr Q kOfCells[] = {Q::kCellArea, Q::kCellPerimeter, Q::kDegree};

Value cell_of(double value) { return std::isnan(value) ? Value() : Value::exactly(value); }

Value cell_of(const Attribute& column, size_t i) {
    if (i >= column.values.size() || std::isnan(column.values[i])) return Value();
    if (column.categories.empty()) return cell_of(column.values[i]);
    return Value(column.categories.at(static_cast<size_t>(column.values[i])));
}

/// Collects columns.
class Columns {
  public:
    void add(std::string name, std::string unit, std::function<Value(size_t)> cell) {
        columns_.push_back({std::move(name), "", {}, 0, std::move(unit)});
        cells_.push_back(std::move(cell));
    }
    void add(std::string name, std::string unit, std::vector<double> values) {
        add(std::move(name), std::move(unit), [kept = std::move(values)](size_t i) { return cell_of(kept[i]); });
    }
    void add(std::string name, std::vector<int64_t> values) {
        add(std::move(name), "", [kept = std::move(values)](size_t i) { return Value(kept[i]); });
    }
    Table table(size_t rows) {
        Table made;
        made.columns = std::move(columns_);
        made.row_count = rows;
        made.row = [cells = std::move(cells_)](size_t i) {
            Table::Row row;
            row.cells.reserve(cells.size());
            for (const auto& cell : cells) row.cells.push_back(cell(i));
            return row;
        };
        return made;
    }

  private:
    std::vector<Table::Column> columns_;
    std::vector<std::function<Value(size_t)>> cells_;
};

/// For points that are not vertices: the first earlier point at the same place.
std::vector<int64_t> earlier_copies(const Geometry& input, const std::vector<uint32_t>& vertex_of) {
    if (std::find(vertex_of.begin(), vertex_of.begin() + std::ptrdiff_t(input.points.size()), kNone) ==
        vertex_of.begin() + std::ptrdiff_t(input.points.size()))
        return {};
    std::vector<uint32_t> order(input.points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](uint32_t a, uint32_t b) {
        const Point3 p = input.at(a), q = input.at(b);
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z != q.z ? p.z < q.z : a < b;
    };
    std::sort(order.begin(), order.end(), before);
    std::vector<int64_t> copies;
    for (size_t k = 1, first = 0; k < order.size(); ++k) {
        if (!(input.at(order[k]) == input.at(order[first]))) {
            first = k;
            continue;
        }
        if (vertex_of[order[k]] != kNone) continue;
        copies.resize(order.size(), -1);
        copies[order[k]] = order[first];
    }
    return copies;
}

}  // namespace

struct ElementTables::Parts {
    const SceneStatistics& statistics;
    const SceneView& view;
    const TriangleMesh& mesh;
    const Geometry* input;  // nullptr: no row is of it
    uint32_t inside;        // vertices of the mesh from here on are helpers
    size_t row_count;
    std::vector<Point> positions;     // (v)
    std::vector<uint32_t> vertex_of;  // (row) or kNone
    std::vector<Point> places;        // (row)
    std::vector<double> heights;      // (row) or empty
    std::vector<uint8_t> flags;       // (row)
    std::shared_ptr<const Geometry> kept;
    bool y_down;  // of the file

    Parts(const SceneStatistics& measured, const Scene& scene)
        : statistics(measured),
          view(scene.view(measured.view())),
          mesh(measured.mesh(scene)),
          input(measured.input().get()),
          inside(measured.elements().mesh().vertex_count),
          row_count(measured.row_count()),
          positions(mesh.positions.download(inside)),
          vertex_of(row_count, kNone),
          places(row_count, {NAN, NAN}),
          flags(row_count, kNotMeasured),
          kept(measured.input()),
          y_down(goes_down(measured)) {
        const std::vector<uint32_t>& rows = statistics.rows();
        const std::vector<uint8_t> of_vertices = statistics.elements().flags().download();
        for (uint32_t v = 0; v < inside; ++v) {
            if (rows[v] == kNone) continue;
            vertex_of[rows[v]] = v;
            flags[rows[v]] = of_vertices[v];
        }
        place_rows();
    }

    static bool goes_down(const SceneStatistics& measured) {
        const Geometry* const given = measured.given().get();
        if (measured.input()) return measured.input()->y_down;
        return measured.of_cells() && given && given->tracks && given->tracks->y_down;
    }
    bool planar() const { return mesh.heights.empty(); }
    /// Tests for edges over the open axis of a cylinder.
    auto beyond() const {
        return [open = mesh.open()](ImageShift shift) { return (open == OpenAxis::kX ? shift.x : shift.y) != 0; };
    }
    Point low_of_box() const { return mesh.on_torus() && view.periodic() ? view.periodic()->low : Point{0, 0}; }
    /// A place of the mesh in world units.
    Point world(Point of_mesh) const {
        const Point low = low_of_box(), p = statistics.as_given(of_mesh);
        return {low.x + p.x, low.y + p.y};
    }
    double up(double y) const { return y_down ? 0 - y : y; }
    const std::string& length() const { return statistics.unit(); }
    std::string unit(const std::string& words) const {
        if (words.find("world unit") == words.npos) return words;
        return length().empty() ? length() : in_unit(words, length());
    }

    /// Unmoved points get exactly their input coordinates.
    void place_rows() {
        const std::vector<double> z = mesh.heights.download(planar() ? 0 : inside);
        if (!planar()) heights.assign(row_count, NAN);
        std::vector<Point> first;
        if (statistics.of_cells()) {
            const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape);
            if (cells.first_places && input) first = cells.first_places->download();
        }
        const Window& window = statistics.window();
        const auto same = [&](double at, double given, double side, bool periodic) {
            if (!window.is_periodic()) return at == given;
            if (!periodic) return std::fabs(given - at) < 0x1p-36 * std::max(window.width(), window.height());
            const double sides = (given - at) / side;
            return std::fabs(sides - std::floor(sides + 0.5)) < (mesh.on_cylinder() ? 0x1p-36 : 0x1p-40);
        };
        const std::vector<Point> drawn = first.empty() ? std::vector<Point>() : sites_by_row();
        for (size_t row = 0; row < row_count; ++row) {
            const bool given = input && row < input->points.size();
            if (vertex_of[row] != kNone) {
                places[row] = world(positions[vertex_of[row]]);
                if (!planar()) heights[row] = z[vertex_of[row]];
            }
            if (!given) continue;
            const Point at = input->points[row];
            const bool unmoved =
                vertex_of[row] == kNone ||
                (row < first.size() ? first[row] == drawn[row]
                                    : same(places[row].x, at.x, window.width(), window.periodic_x) &&
                                          same(places[row].y, at.y, window.height(), window.periodic_y));
            if (unmoved) places[row] = at;
            if (!planar() && vertex_of[row] == kNone) heights[row] = input->heights[row];
        }
    }

    /// The places of sites on the lattice.
    std::vector<Point> sites_by_row() const {
        const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape);
        std::vector<Point> by_row(row_count, {NAN, NAN});
        if (!cells.inputs) return by_row;
        const std::vector<Point> sites = SiteMesh::sites_of(view).download(cells.site_count);
        const std::vector<uint32_t> rows = cells.inputs->download();
        for (size_t site = 0; site < sites.size(); ++site)
            if (rows[site] < row_count) by_row[rows[site]] = sites[site];
        return by_row;
    }

    /// Row, name and place, and then the input's columns.
    void add_heads(Columns& columns) const {
        const auto self = kept;  // rows outlive this
        columns.add("row", "", [self](size_t i) {
            if (!self || self->points.empty()) return Value(i);
            if (i >= self->points.size()) return Value();
            return self->rows.empty() ? Value(i) : Value(self->rows[i]);
        });
        if (self && !self->names.empty())
            columns.add("name", "",
                        [self](size_t i) { return i < self->names.size() ? Value(self->names[i]) : Value(); });
        else if (statistics.of_cells() && !self)
            add_lattice_names(columns);
        std::vector<double> x, y;
        for (const Point& p : places) {
            x.push_back(p.x);
            y.push_back(up(p.y));
        }
        columns.add("x", length(), std::move(x));
        columns.add("y", length(), std::move(y));
        if (!planar()) columns.add("z", length(), heights);
        const std::vector<std::string> ids = attribute_ids(self.get());
        for (size_t k = 0; k < ids.size(); ++k) {
            const Attribute& column = (*self->attributes)[k];
            columns.add(free_name(ids[k]), column.unit, [self, &column](size_t i) { return cell_of(column, i); });
        }
        if (statistics.of_cells() && !self) add_columns_of_tracks(columns);
    }
    /// Columns of the shown frame.
    void add_columns_of_tracks(Columns& columns) const {
        const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape);
        const std::shared_ptr<const Geometry>& given = statistics.given();
        if (!given || !given->tracks || cells.first_track_place == SIZE_MAX) return;
        const std::vector<Attribute>& all = given->tracks->attributes;
        const std::vector<std::string> ids = attribute_ids(all);
        for (size_t k = 0; k < all.size(); ++k)
            columns.add(free_name(ids[k]), all[k].unit,
                        [tracks = given->tracks, k, first = cells.first_track_place](size_t i) {
                            return cell_of(tracks->attributes[k], first + i);
                        });
    }
    /// A free name for a column of the input whose name clashes with a column of these tables.
    static std::string free_name(const std::string& id) {
        for (const char* own : {"row", "name", "x", "y", "z", "duplicate-of", "hull", "cell-cut", "outside"})
            if (id == own) return "input." + id;
        return id;
    }
    /// Permanent names of bubbles and cells.
    void add_lattice_names(Columns& columns) const {
        const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape);
        if (cells.ids && cells.ids->size() >= cells.site_count) {
            columns.add("name", *cells.ids);
            return;
        }
        if (!cells.names || cells.names->size() < cells.site_count) return;
        const std::vector<uint32_t> names = cells.names->download(cells.site_count);
        columns.add("name", "",
                    [names](size_t i) { return i < names.size() && names[i] != kNone ? Value(names[i]) : Value(); });
    }

    template <size_t n>
    void add_measures(Columns& columns, const Q (&quantities)[n]) const {
        for (const Q quantity : quantities) {
            const ElementQuantityInfo& info = info_of(quantity);
            const bool of_cells = quantity == Q::kCellArea || quantity == Q::kCellPerimeter;
            if (statistics.elements().values(quantity).empty() || (of_cells && !has_cells())) continue;
            columns.add(info.id, unit(info.unit), statistics.by_row(quantity));
        }
    }
    bool has_cells() const { return planar() && statistics.elements().illegal_edges() == 0; }
    void add_flag(Columns& columns, const char* name, uint8_t bit) const {
        columns.add(name, "", [bit, of = flags](size_t i) {
            const bool measured = !(of[i] & (kNotMeasured | (bit == kOutside ? 0 : kOutside)));
            return measured ? Value(of[i] & bit ? 1 : 0) : Value();
        });
    }
    void add_flags(Columns& columns, bool of_points) const {
        const bool closed = statistics.window().is_torus();
        if (of_points && !closed) add_flag(columns, "hull", kOnOutline);
        if (has_cells() && !closed) add_flag(columns, "cell-cut", kCellCut);
        if (statistics.has_window()) add_flag(columns, "outside", kOutside);
    }

    Table points() const {
        Columns columns;
        add_heads(columns);
        add_measures(columns, kOfPoints);
        add_flags(columns, true);
        if (input && input->points.size() <= row_count && !statistics.window().is_periodic())
            if (const std::vector<int64_t> copies = earlier_copies(*input, vertex_of); !copies.empty())
                columns.add("duplicate-of", "", [copies, self = kept](size_t i) {
                    if (i >= copies.size() || copies[i] < 0) return Value();
                    return self->rows.empty() ? Value(copies[i]) : Value(self->rows[static_cast<size_t>(copies[i])]);
                });
        return columns.table(row_count);
    }

    Table cells() const {
        require_cells();
        Columns columns;
        add_heads(columns);
        add_measures(columns, kOfCells);
        add_flags(columns, false);
        return columns.table(row_count);
    }
    void require_cells() const {
        if (!planar()) throw Error("a surface in space has no Voronoi cells here");
        if (!has_cells())
            throw Error("the triangulation has " + std::to_string(statistics.elements().illegal_edges()) +
                        " illegal edges, so it has no Voronoi cells");
    }

    /// An edge or a triangle whose corners are all points, once.
    struct Found {
        std::vector<uint32_t> ids;        // in the mesh
        std::vector<uint32_t> rows;       // `each` of them, of its corners
        std::vector<double> x, y;         // of the middles of corners, world units
        std::vector<double> heights;      // or empty
        std::vector<int64_t> on_outline;  // of edges
    };
    /// `kept`: by id, whether it is listed; empty: all are.
    Found elements(uint32_t each, const std::vector<uint8_t>& kept_ids = {}) const {
        Found found;
        const size_t count = each == 2 ? mesh.edge_count : mesh.triangle_count;
        const std::vector<uint32_t> corners = (each == 2 ? mesh.edges : mesh.triangles).download(each * count);
        std::vector<uint32_t> corner_of, triangles;
        std::vector<ImageShift> shifts;
        if (each == 2) {
            corner_of = mesh.corner_of.download(2 * count);
            triangles = mesh.triangles.download(3 * size_t(mesh.triangle_count));
        }
        if (mesh.on_torus()) shifts = mesh.shifts.download(3 * size_t(mesh.triangle_count));
        const std::vector<double> z = mesh.heights.download(planar() ? 0 : inside);
        const auto is_beyond = [&](uint32_t t) {
            return mesh.on_cylinder() && std::any_of(&shifts[3 * size_t(t)], &shifts[3 * size_t(t)] + 3, beyond());
        };
        const bool copied = bool(statistics.elements().mesh().copies);
        std::vector<uint32_t> copies, rows(statistics.rows().begin(), statistics.rows().begin() + inside);
        if (copied) {
            copies = mesh.inputs.download(inside);
            std::vector<uint32_t> row_of_site;
            for (uint32_t v = 0; v < inside; ++v) {
                const uint32_t site = copies[v] / MeasuredMesh::kCopies;
                if (site >= row_of_site.size()) row_of_site.resize(size_t(site) + 1, kNone);
                if (rows[v] != kNone) row_of_site[site] = rows[v];
            }
            for (uint32_t v = 0; v < inside; ++v) rows[v] = row_of_site[copies[v] / MeasuredMesh::kCopies];
        }
        const Window& window = statistics.window();
        CancelPoll poll;
        for (size_t i = 0; i < count; ++i) {
            poll();
            if (!kept_ids.empty() && !kept_ids[i]) continue;
            const uint32_t* const at = &corners[each * i];
            if (std::any_of(at, at + each, [&](uint32_t v) { return v >= inside; })) continue;
            if (mesh.on_cylinder() && (each == 2 ? beyond()(shifts[corner_of[2 * i]]) : is_beyond(uint32_t(i))))
                continue;
            if (copied) {  // measured once, as the copy whose first corner lies in the middle
                uint32_t first = kNone;
                for (uint32_t k = 0; k < each; ++k) first = std::min(first, copies[at[k]]);
                if (first % MeasuredMesh::kCopies != MeasuredMesh::kMiddle) continue;
            }
            // Relative to the first corner, corner by corner.
            Point sum{0, 0}, step{0, 0};
            double heights_sum = 0;
            for (uint32_t k = 0; k < each; ++k) {
                if (k > 0) {
                    const Point a = positions[at[k - 1]], b = positions[at[k]];
                    step.x += b.x - a.x;
                    step.y += b.y - a.y;
                    if (!shifts.empty()) {
                        const ImageShift shift = shifts[each == 2 ? corner_of[2 * i] : 3 * i + k - 1];
                        step.x += shift.x * window.width();
                        step.y += shift.y * window.height();
                    }
                }
                sum.x += step.x;
                sum.y += step.y;
                if (!z.empty()) heights_sum += z[at[k]];
            }
            const Point start = positions[at[0]];
            const Point middle = world({start.x + sum.x / each, start.y + sum.y / each});
            found.ids.push_back(static_cast<uint32_t>(i));
            for (uint32_t k = 0; k < each; ++k) found.rows.push_back(rows[at[k]]);
            found.x.push_back(middle.x);
            found.y.push_back(up(middle.y));
            if (!z.empty()) found.heights.push_back(heights_sum / each);
            if (each == 2) {
                bool outline = false;
                for (const uint32_t corner : {corner_of[2 * i], corner_of[2 * i + 1]}) {
                    outline |= is_beyond(corner / 3);
                    for (uint32_t k = 0; k < 3; ++k) outline |= triangles[corner - corner % 3 + k] >= inside;
                }
                found.on_outline.push_back(outline);
            }
        }
        return found;
    }

    /// Some elements, and further columns.
    struct Structure {
        std::vector<uint8_t> kept;                                                       // (e); empty: all
        std::vector<std::tuple<const char*, std::string, std::vector<double>>> columns;  // name, unit, (e) values
    };
    bool in_plane() const {
        return planar() && !mesh.on_torus() && view.has_incidence && !statistics.of_cells() &&
               !statistics.elements().mesh().copies;
    }
    Structure structure(ElementTable which) const {
        if (!in_plane()) throw Error("structures are those of a triangulation in the plane, which there is not here");
        Context& context = statistics.context();
        const StructureMesh of = structure_mesh(mesh, inside);
        const std::string id = kElementTableNames[static_cast<size_t>(which)];
        const auto infos = structure_infos();
        const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& one) { return one.id == id; });
        const bool delaunay = inside == mesh.infinite() && count_illegal(context, of) == 0;
        if (info->of_delaunay && !delaunay)
            throw Error("the triangulation is not Delaunay in this state, and the " + std::string(info->title) +
                        " is defined for a Delaunay triangulation only");
        EdgeStructures found;
        found.find(context, of, info->of_delaunay);
        if (which == ElementTable::kSkeleton) found.find_skeleton(context, of, statistics.structures().beta);
        const std::vector<uint32_t> words = found.words().download();
        const std::vector<double> alpha = statistics.elements().values(Q::kAlpha).download();
        const double chosen = statistics.structures().alpha;
        const double limit = chosen > 0 ? chosen : mean_spacing(view);
        Structure made;
        for (size_t e = 0; e < mesh.edge_count; ++e)
            made.kept.push_back(which == ElementTable::kAlphaShape ? alpha[e] <= limit
                                : which == ElementTable::kVoronoi  ? (words[e] & kFiniteEdge) != 0
                                                                   : (words[e] & info->bits) != 0);
        if (which == ElementTable::kVoronoi) add_duals(made);
        return made;
    }
    /// NaN: at infinity.
    Point circumcentre_of(const uint32_t* v) const {
        const bool finite = v[0] < inside && v[1] < inside && v[2] < inside;
        const auto circle = finite ? circumcircle(positions[v[0]], positions[v[1]], positions[v[2]]) : std::nullopt;
        return circle ? Point{circle->centre.x, up(circle->centre.y)} : Point{NAN, NAN};
    }
    /// All triangles, in the plane with their circumcentres.
    Structure circles() const {
        if (!in_plane()) return {};
        const std::vector<uint32_t> triangles = mesh.triangles.download(3 * size_t(mesh.triangle_count));
        std::vector<double> x, y;
        for (size_t t = 0; t < triangles.size(); t += 3) {
            const Point centre = circumcentre_of(&triangles[t]);
            x.push_back(centre.x);
            y.push_back(centre.y);
        }
        return {{}, {{"circumcentre-x", length(), std::move(x)}, {"circumcentre-y", length(), std::move(y)}}};
    }
    /// The ends of every edge's dual: circumcentres of the triangles at its left and right; NaN at infinity.
    void add_duals(Structure& made) const {
        const std::vector<uint32_t> triangles = mesh.triangles.download(3 * size_t(mesh.triangle_count)),
                                    corner_of = mesh.corner_of.download(2 * size_t(mesh.edge_count));
        std::vector<double> ends[4];
        for (size_t e = 0; e < mesh.edge_count; ++e)
            for (uint32_t side = 0; side < 2; ++side) {
                const Point centre = circumcentre_of(&triangles[corner_of[2 * e + side] / 3 * 3]);
                ends[2 * side].push_back(centre.x);
                ends[2 * side + 1].push_back(centre.y);
            }
        constexpr const char* kNames[] = {"x1", "y1", "x2", "y2"};
        for (size_t k = 0; k < 4; ++k) made.columns.emplace_back(kNames[k], length(), std::move(ends[k]));
    }

    template <size_t n>
    Table table_of(uint32_t each, const char* kind, const std::array<const char*, n>& names,
                   std::initializer_list<Q> quantities, const Structure& structure = {}) const {
        Found found = elements(each, structure.kept);
        const size_t count = found.ids.size();
        Columns columns;
        if (!statistics.of_cells() && statistics.names_elements())
            columns.add(kind, std::vector<int64_t>(found.ids.begin(), found.ids.end()));
        for (size_t k = 0; k < n; ++k) {
            std::vector<int64_t> rows(count);
            for (size_t i = 0; i < count; ++i) rows[i] = number_of_row(found.rows[each * i + k]);
            columns.add(names[k], std::move(rows));
        }
        columns.add("x", length(), std::move(found.x));
        columns.add("y", length(), std::move(found.y));
        if (!found.heights.empty()) columns.add("z", length(), found.heights);
        const auto add = [&](const char* name, std::string of_column, const std::vector<double>& all) {
            std::vector<double> values(count);
            for (size_t i = 0; i < count; ++i) values[i] = all.empty() ? NAN : all[found.ids[i]];
            columns.add(name, std::move(of_column), std::move(values));
        };
        for (const Q quantity : quantities)
            add(info_of(quantity).id, unit(info_of(quantity).unit), statistics.elements().values(quantity).download());
        for (const auto& [name, of_column, all] : structure.columns) add(name, of_column, all);
        if (each == 2 && !statistics.window().is_torus()) columns.add("hull", found.on_outline);
        return columns.table(count);
    }
    /// The value of a corner in the column "row" of points; its position in that table for points that are not in the
    /// input.
    int64_t number_of_row(uint32_t row) const {
        if (row == kNone) return -1;
        return input && row < input->rows.size() ? static_cast<int64_t>(input->rows[row]) : int64_t(row);
    }

    std::vector<PolygonParts> polygons() const {
        require_cells();
        if (statistics.elements().mesh().polygon) return polygons_in_area();
        const std::vector<uint32_t> ends = mesh.edges.download(2 * size_t(mesh.edge_count)),
                                    corner_of = mesh.corner_of.download(ends.size());
        const std::vector<ImageShift> shifts =
            mesh.shifts.download(mesh.on_torus() ? 3 * size_t(mesh.triangle_count) : 0);
        std::vector<std::vector<Point>> steps(inside);  // (v) the places of its neighbours relative to it
        const Window& world_window = statistics.window();
        for (size_t e = 0; e < mesh.edge_count; ++e) {
            const uint32_t from = ends[2 * e], to = ends[2 * e + 1];
            if (from >= inside || to >= inside || (mesh.on_cylinder() && beyond()(shifts[corner_of[2 * e]]))) continue;
            const Point a = positions[from], b = positions[to];
            Point step{b.x - a.x, b.y - a.y};
            if (!shifts.empty()) {
                const ImageShift shift = shifts[corner_of[2 * e]];
                step.x += shift.x * world_window.width();
                step.y += shift.y * world_window.height();
            }
            steps[from].push_back(step);
            steps[to].push_back({-step.x, -step.y});
        }
        const Window& window = statistics.elements().mesh().window;
        std::vector<PolygonParts> made(row_count);
        CancelPoll poll;
        for (size_t row = 0; row < row_count; ++row) {
            poll();
            const uint32_t v = vertex_of[row];
            if (v == kNone || flags[row] & (kNotMeasured | kOutside)) continue;
            const Point p = positions[v];
            Point low{window.low.x - p.x, window.low.y - p.y}, high{window.high.x - p.x, window.high.y - p.y};
            if (window.periodic_x) low.x = -window.high.x, high.x = window.high.x;
            if (window.periodic_y) low.y = -window.high.y, high.y = window.high.y;
            std::vector<Point> cell{low, {high.x, low.y}, high, {low.x, high.y}};
            for (const Point step : steps[v]) cell = cut(cell, step);
            if (cell.size() < 3) continue;
            const Point sides = sides_to(places[row], world(p));
            for (Point& corner : cell) {
                corner = world({p.x + corner.x, p.y + corner.y});
                corner = {corner.x + sides.x, up(corner.y + sides.y)};
            }
            if (y_down) std::reverse(cell.begin(), cell.end());
            made[row] = {{std::move(cell)}};
        }
        return made;
    }
    std::vector<PolygonParts> polygons_in_area() const {
        const MeasuredMesh& measured = statistics.elements().mesh();
        std::vector<PolygonParts> made(row_count);
        const std::optional<VertexRows> rows = rows_of(statistics.context(), measured);
        if (!rows) return made;
        const CellRings cells = cells_in(statistics.context(), positions, *rows, *measured.polygon);
        CancelPoll poll;
        for (size_t row = 0; row < row_count; ++row) {
            poll();
            const uint32_t v = vertex_of[row];
            if (v == kNone) continue;
            for (uint32_t part = cells.part_starts[v]; part < cells.part_starts[v + 1]; ++part) {
                made[row].emplace_back();
                for (uint32_t r = cells.ring_starts[part]; r < cells.ring_starts[part + 1]; ++r) {
                    std::vector<Point>& ring = made[row].back().emplace_back();
                    for (uint32_t k = cells.corner_starts[r]; k < cells.corner_starts[r + 1]; ++k) {
                        const Point corner = world(cells.corners[k]);
                        ring.push_back({corner.x, up(corner.y)});
                    }
                    if (y_down) std::reverse(ring.begin(), ring.end());
                }
            }
        }
        return made;
    }
    /// In a periodic box: the sides from a place to the image of the input.
    Point sides_to(Point given, Point place) const {
        const Window& window = statistics.window();
        const auto along = [](double by, double side, bool periodic) {
            return periodic ? side * std::floor(by / side + 0.5) : 0;
        };
        return {along(given.x - place.x, window.width(), window.periodic_x),
                along(given.y - place.y, window.height(), window.periodic_y)};
    }
    /// Clips a convex polygon around 0 to the half-plane nearer to 0 than to `other`.
    static std::vector<Point> cut(const std::vector<Point>& polygon, Point other) {
        const auto beyond = [&](Point p) {
            return p.x * other.x + p.y * other.y - (other.x * other.x + other.y * other.y) / 2;
        };
        std::vector<Point> rest;
        for (size_t k = 0; k < polygon.size(); ++k) {
            const Point a = polygon[k], b = polygon[(k + 1) % polygon.size()];
            const double at_a = beyond(a), at_b = beyond(b);
            if (at_a <= 0) rest.push_back(a);
            if ((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0)) {
                const double t = at_a / (at_a - at_b);
                rest.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
            }
        }
        return rest;
    }
};

ElementTables::ElementTables(const SceneStatistics& statistics, const Scene& scene)
    : parts_(std::make_unique<Parts>(statistics, scene)) {}
ElementTables::~ElementTables() = default;

Table ElementTables::table(ElementTable which) const {
    switch (which) {
        case ElementTable::kPoints:
            return parts_->points();
        case ElementTable::kEdges:
            return parts_->table_of(2, "edge", std::array{"from", "to"}, {Q::kEdgeLength, Q::kAlpha});
        case ElementTable::kTriangles:
            return parts_->table_of(3, "triangle", std::array{"a", "b", "c"},
                                    {Q::kMinimumAngle, Q::kTriangleArea, Q::kCircumradius}, parts_->circles());
        case ElementTable::kCells:
            return parts_->cells();
        default:
            return parts_->table_of(2, "edge", std::array{"from", "to"}, {Q::kEdgeLength, Q::kAlpha},
                                    parts_->structure(which));
    }
}

std::vector<PolygonParts> ElementTables::polygons() const { return parts_->polygons(); }

}  // namespace flipscope
