#include "geometry/mesh_generators.h"

#include <algorithm>
#include <cmath>

#include "compute/cancel.h"
#include "flipscope/predicates.h"

namespace flipscope {

GridShape choose_grid(uint64_t count, double aspect, uint64_t min_rows, uint64_t min_columns) {
    const double wanted = std::sqrt(static_cast<double>(count) / aspect);  // columns
    const uint64_t most = std::max(count / min_rows, min_columns);
    CancelPoll poll;
    GridShape best;
    for (const double factor : {2.0, 1.2}) {  // without anything left over, a good way off will do
        const uint64_t first = std::clamp(static_cast<uint64_t>(wanted / factor), min_columns, most);
        const uint64_t last = std::clamp(static_cast<uint64_t>(wanted * factor), first, most);
        double best_distance = 0;
        best = {};
        for (uint64_t columns = first; columns <= last; ++columns) {
            poll();
            const GridShape shape{count / columns, columns, count % columns};
            const double ratio = static_cast<double>(columns) / wanted;
            const double distance = ratio < 1 ? 1 / ratio : ratio;
            if (best.rows == 0 || shape.surplus < best.surplus ||
                (shape.surplus == best.surplus && distance < best_distance)) {
                best = shape;
                best_distance = distance;
            }
        }
        if (best.surplus == 0) break;
    }
    return best;
}

void split_triangles(Geometry& mesh, uint64_t count) {
    if (count == 0) return;
    const uint64_t triangle_count = mesh.triangles.size();
    CancelPoll poll;
    for (uint64_t k = 0, t = 0; k < count; ++k, ++t) {
        poll();
        t = std::max(t, k * triangle_count / count);
        const std::array<uint32_t, 3> corners = mesh.triangles[t % triangle_count];
        const auto middle = [&](double a, double b, double c) { return a + ((b - a) + (c - a)) / 3; };
        const Point a = mesh.points[corners[0]], b = mesh.points[corners[1]], c = mesh.points[corners[2]];
        const Point p{middle(a.x, b.x, c.x), middle(a.y, b.y, c.y)};
        if (!mesh.in_space() && !(orient2d(a, b, p) > 0 && orient2d(b, c, p) > 0 && orient2d(c, a, p) > 0)) {
            --k;  // too thin to hold a point: the next one
            continue;
        }
        const auto added = static_cast<uint32_t>(mesh.points.size());
        mesh.points.push_back(p);
        if (mesh.in_space())
            mesh.heights.push_back(
                middle(mesh.heights[corners[0]], mesh.heights[corners[1]], mesh.heights[corners[2]]));
        mesh.triangles[t % triangle_count] = {corners[0], corners[1], added};
        mesh.triangles.push_back({corners[1], corners[2], added});
        mesh.triangles.push_back({corners[2], corners[0], added});
    }
}

namespace {

/// The distortion of a grid on the unit square.
struct Distortion {
    double jitter;  // of a vertex, of the spacing, each way
    double shear;   // below 1/4
    double waves;   // of the shear, across the square
    double longer;  // share of the cells that are cut along their longer diagonal, before they are shaken
};

/// A sine made of parabolas: period 1, values in [-1, 1], the same on every machine.
double wave(double t) {
    const double f = t - std::floor(t);
    return f < 0.5 ? 16 * f * (0.5 - f) : -16 * (f - 0.5) * (1 - f);
}

/// A triangulated grid on the unit square. Every vertex is shaken, those on the boundary along it; then the square is
/// sheared smoothly, back and forth, onto itself. If that inverts a triangle, the jitter of its vertices is halved
/// until no triangle is inverted; if that does not help (grids of a few cells) the shear is reduced.
class PlanarGrid {
  public:
    PlanarGrid(const GridShape& shape, const Random& random, Distortion distortion)
        : rows_(shape.rows),
          columns_(shape.columns),
          random_(random),
          distortion_(distortion),
          points_(rows_ * columns_),
          halvings_(rows_ * columns_),
          rising_(cell_count()) {
        while (!settle()) distortion_.shear = distortion_.shear > 0x1p-10 ? distortion_.shear / 2 : 0;
    }

    Geometry take() {
        Geometry mesh;
        mesh.triangles.reserve(2 * cell_count());
        CancelPoll poll;
        for (uint64_t cell = 0; cell < cell_count(); ++cell) {
            poll();
            for (const auto& triangle : triangles_of(cell)) mesh.triangles.push_back(triangle);
        }
        mesh.points = std::move(points_);
        return mesh;
    }

  private:
    static constexpr uint8_t kAtHome = 8;  // halvings after which a vertex is not shaken at all

    uint64_t cell_count() const { return (rows_ - 1) * (columns_ - 1); }

    std::array<std::array<uint32_t, 3>, 2> triangles_of(uint64_t cell) const {
        const auto a = static_cast<uint32_t>(cell / (columns_ - 1) * columns_ + cell % (columns_ - 1));
        const auto b = a + 1, d = static_cast<uint32_t>(a + columns_), c = d + 1;
        if (rising_[cell]) return {{{a, b, c}, {a, c, d}}};
        return {{{a, b, d}, {b, c, d}}};
    }

    Point place(uint64_t vertex) const {
        const uint64_t row = vertex / columns_, column = vertex % columns_;
        const bool inner_row = row > 0 && row + 1 < rows_, inner_column = column > 0 && column + 1 < columns_;
        const RandomPair shake = random_.pair(Stream::kJitter, vertex);
        const double reach = halvings_[vertex] < kAtHome ? std::ldexp(2 * distortion_.jitter, -halvings_[vertex]) : 0.0;
        const auto across = [](uint64_t i, double by, uint64_t n) {
            return (static_cast<double>(i) + by) / static_cast<double>(n - 1);
        };
        const double u = across(column, inner_column ? (shake.first - 0.5) * reach : 0, columns_);
        const double v = across(row, inner_row ? (shake.second - 0.5) * reach : 0, rows_);
        // Both shears keep the four sides where they are.
        const double x = u + 4 * distortion_.shear * u * (1 - u) * wave(distortion_.waves * v + 0.125);
        const double y = v + 4 * distortion_.shear * v * (1 - v) * wave(distortion_.waves * x + 0.375);
        return {x, y};
    }

    void place_all() {
        CancelPoll poll;
        for (uint64_t vertex = 0; vertex < points_.size(); ++vertex) {
            poll();
            points_[vertex] = place(vertex);
        }
    }

    void choose_diagonals() {
        CancelPoll poll;
        for (uint64_t cell = 0; cell < cell_count(); ++cell) {
            poll();
            const Point* low = &points_[cell / (columns_ - 1) * columns_ + cell % (columns_ - 1)];
            const Point* high = low + columns_;
            const auto length = [](Point p, Point q) { return (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y); };
            const bool rising_is_longer = length(low[0], high[1]) > length(low[1], high[0]);
            const bool longer = random_.number(Stream::kDiagonal, cell) < distortion_.longer;
            rising_[cell] = rising_is_longer == longer;
        }
    }

    bool valid(uint64_t cell) const {
        for (const auto& t : triangles_of(cell))
            if (orient2d(points_[t[0]], points_[t[1]], points_[t[2]]) <= 0) return false;
        return true;
    }

    /// False if there is a cell that is turned over even with its vertices at home. All cells of one round are looked
    /// at before any vertex moves, so the order does not matter.
    bool settle() {
        std::fill(halvings_.begin(), halvings_.end(), kAtHome);
        place_all();
        choose_diagonals();
        std::fill(halvings_.begin(), halvings_.end(), uint8_t{0});
        place_all();
        CancelPoll poll;
        std::vector<uint64_t> worklist(cell_count()), moved;
        for (uint64_t cell = 0; cell < worklist.size(); ++cell) worklist[cell] = cell;
        while (!worklist.empty()) {
            moved.clear();
            for (const uint64_t cell : worklist) {
                poll();
                if (valid(cell)) continue;
                const uint64_t corner = cell / (columns_ - 1) * columns_ + cell % (columns_ - 1);
                for (const uint64_t vertex : {corner, corner + 1, corner + columns_, corner + columns_ + 1})
                    moved.push_back(vertex);
            }
            sort_distinct_or_cancel(moved);
            worklist.clear();
            bool any = false;
            for (const uint64_t vertex : moved) {
                poll();
                if (halvings_[vertex] < kAtHome) ++halvings_[vertex], any = true;
                points_[vertex] = place(vertex);
                const uint64_t row = vertex / columns_, column = vertex % columns_;
                for (uint64_t r = row ? row - 1 : 0; r <= row && r + 1 < rows_; ++r)
                    for (uint64_t c = column ? column - 1 : 0; c <= column && c + 1 < columns_; ++c)
                        worklist.push_back(r * (columns_ - 1) + c);
            }
            if (!moved.empty() && !any) return false;
            sort_distinct_or_cancel(worklist);
        }
        return true;
    }

    uint64_t rows_, columns_;
    const Random& random_;
    Distortion distortion_;
    std::vector<Point> points_;      // row by row
    std::vector<uint8_t> halvings_;  // of each vertex
    std::vector<char> rising_;       // of each cell: cut from its lower left to its upper right corner
};

/// Random values on ever finer lattices, smoothly joined, each half as high as the last.
class Hills {
  public:
    Hills(const Random& random, uint64_t finest) {
        double height = 0.25;
        for (uint64_t cells = 3; cells == 3 || cells <= finest; cells *= 2, height *= 0.42) {
            Octave octave{cells, std::vector<double>((cells + 1) * (cells + 1))};
            const uint64_t begin = uint64_t{octaves_.size()} << 48;
            CancelPoll poll;
            for (uint64_t i = 0; i < octave.values.size(); ++i) {
                poll();
                octave.values[i] = height * (random.number(Stream::kHeight, begin | i) - 0.5);
            }
            octaves_.push_back(std::move(octave));
        }
    }
    /// For p in the unit square.
    double at(Point p) const {
        double sum = 0;
        for (const Octave& octave : octaves_) {
            const double x = p.x * static_cast<double>(octave.cells), y = p.y * static_cast<double>(octave.cells);
            const uint64_t column = std::min(static_cast<uint64_t>(x), octave.cells - 1);
            const uint64_t row = std::min(static_cast<uint64_t>(y), octave.cells - 1);
            const double s = smooth(x - static_cast<double>(column)), t = smooth(y - static_cast<double>(row));
            const double* low = &octave.values[row * (octave.cells + 1) + column];
            const double* high = low + octave.cells + 1;
            sum += (1 - t) * (low[0] + s * (low[1] - low[0])) + t * (high[0] + s * (high[1] - high[0]));
        }
        return sum;
    }

  private:
    struct Octave {
        uint64_t cells;  // along a side
        std::vector<double> values;
    };
    static double smooth(double t) { return t * t * (3 - 2 * t); }
    std::vector<Octave> octaves_;
};

double waves_for(const GridShape& shape) { return std::min(shape.rows, shape.columns) >= 24 ? 2 : 1; }

}  // namespace

Geometry make_quad(uint64_t count, const Random& random) {
    const GridShape shape = choose_grid(count, 1, 2, 2);
    Geometry mesh = PlanarGrid(shape, random, {0.3, 0.12, waves_for(shape), 0.95}).take();
    split_triangles(mesh, shape.surplus);
    return mesh;
}

/// Points (column + row / 2, row), so that all triangles are acute and far from having a fourth point on their circle.
/// Each is moved by less than a sixteenth: along the border where it lies on it, at the corners not at all. Points that
/// are left over halve edges of the lowest row.
Geometry make_triangular(uint64_t count, const Random& random) {
    const auto rows = std::max<uint64_t>(2, static_cast<uint64_t>(std::sqrt(static_cast<double>(count))));
    const uint64_t columns = count / rows, surplus = count - rows * columns;
    Geometry mesh;
    mesh.points.reserve(count);
    const auto id = [&](uint64_t row, uint64_t column) { return static_cast<uint32_t>(row * columns + column); };
    // Whole multiples of 2^-12, so that all places are exact.
    const auto step = [&](uint64_t i) {
        return (static_cast<double>(below(random.number(Stream::kGap, i), 511)) - 255) * 0x1p-12;
    };
    CancelPoll poll;
    for (uint64_t row = 0; row < rows; ++row)
        for (uint64_t column = 0; column < columns; ++column) {
            poll();
            const bool on_row = row == 0 || row + 1 == rows, on_side = column == 0 || column + 1 == columns;
            const double up = on_row ? 0 : step(id(row, column));
            const double across = on_side ? (on_row ? 0 : up / 2) : step(count + id(row, column));
            mesh.points.push_back(
                {static_cast<double>(column) + static_cast<double>(row) / 2 + across, static_cast<double>(row) + up});
        }
    for (uint64_t row = 0; row + 1 < rows; ++row)
        for (uint64_t column = 0; column + 1 < columns; ++column) {
            poll();
            const uint32_t a = id(row, column), b = id(row, column + 1), c = id(row + 1, column),
                           d = id(row + 1, column + 1);
            if (row == 0 && column < surplus) {
                const auto middle = static_cast<uint32_t>(mesh.points.size());
                mesh.points.push_back({(mesh.points[a].x + mesh.points[b].x) / 2, 0});
                mesh.triangles.push_back({a, middle, c});
                mesh.triangles.push_back({middle, b, c});
            } else {
                mesh.triangles.push_back({a, b, c});
            }
            mesh.triangles.push_back({b, d, c});
        }
    return mesh;
}

Geometry make_terrain(uint64_t count, const Random& random) {
    const GridShape shape = choose_grid(count, 1, 2, 2);
    Geometry mesh = PlanarGrid(shape, random, {0.12, 0.06, waves_for(shape), 0.95}).take();
    const Hills hills(random, std::min(shape.rows, shape.columns) / 6);
    mesh.heights.reserve(count);
    CancelPoll poll;
    for (const Point p : mesh.points) {
        poll();
        mesh.heights.push_back(hills.at(p));
    }
    split_triangles(mesh, shape.surplus);
    return mesh;
}

/// Of four points a, a' below and b, b' above, in order of x: they are cocircular if a + a' = b + b', and else the
/// diagonal between the nearer two is the legal one. With all of the lower row to the right of the upper one, that is
/// always a b'.
Geometry make_worst(uint64_t count, const Random& random) {
    Geometry mesh;
    const uint64_t upper = count / 2, lower = count - upper;
    mesh.points.resize(count);
    double x = 0;
    const auto height = static_cast<double>(count / 2);
    CancelPoll poll;
    for (uint64_t i = 0; i < count; ++i) {
        poll();
        const bool above = i < upper;  // from the left: first the upper row, then the lower
        mesh.points[above ? lower + i : i - upper] = {x, above ? height : 0};
        x += static_cast<double>(1 + below(random.number(Stream::kGap, i), 4));
    }
    mesh.triangles.reserve(count - 2);
    const auto b = [&](uint64_t j) { return static_cast<uint32_t>(lower + j); };
    for (uint32_t i = 0; i + 1 < lower; ++i) mesh.triangles.push_back({i, i + 1, b(0)});
    for (uint64_t j = 0; j + 1 < upper; ++j)
        mesh.triangles.push_back({static_cast<uint32_t>(lower - 1), b(j + 1), b(j)});
    return mesh;
}

}  // namespace flipscope
