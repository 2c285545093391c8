// The kernels of space subdivision. One array holds (candidate, cell) pairs, those of one cell adjacent and in the
// Hilbert order of the points; a second list has the place of each cell and the range of its part of the array. Called
// by subdivision.cu alone.
#pragma once

#include "compute/atomics.h"
#include "compute/launch.h"
#include "delaunay/constructions/subdivision_predicates.h"
#include "delaunay/constructions/subdivision_view.h"

namespace flipscope {

/// All points in the root.
struct StartArray {
    View<uint32_t> points, cell_of;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        points[i] = i;
        cell_of[i] = 0;
    }
};

/// Every element at the start or end of its cell's part of the array writes its index for the others.
struct BroadcastEnds {
    View<const uint32_t> cell_of;
    View<uint32_t> begins, ends;
    uint32_t count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t cell = cell_of[i];
        if (i == 0 || cell_of[i - 1] != cell) begins[cell] = i;
        if (i + 1 == count || cell_of[i + 1] != cell) ends[cell] = i + 1;
    }
};

/// `odd` of a cell stays 0 if all its candidates are on one circle through three of them.
struct TestCocircular {
    CellsView at;
    View<uint32_t> odd;
    uint32_t most;  // cells with at most so many candidates are not tested
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t cell = at.cell_of[i], begin = at.begins[cell], count = at.ends[cell] - begin;
        if (count <= most || i == begin || i == begin + count / 2 || i == begin + count - 1) return;
        if (atomic_load(odd[cell])) return;
        const Point a = at.place(begin), b = at.place(begin + count / 2), c = at.place(begin + count - 1);
        // Three distinct points on one circle are never collinear.
        if (orient2d(a, b, c) == 0 || incircle(a, b, c, at.place(i)) != 0) atomic_store(odd[cell], 1u);
    }
};

/// Decides which cells leave, and why. Sums: 0 leaving cells, 1 those for the host to solve.
struct JudgeCells {
    CellsView at;
    View<const uint32_t> odd;
    View<uint32_t> verdicts;
    uint32_t leaf, patience;
    bool split_before;  // the cells came from a split: the four of one parent are adjacent
    bool too_many;      // the total number of candidates
    FLIPSCOPE_HD void operator()(uint32_t cell, BlockSums& sums) const {
        const uint32_t count = at.count(cell);
        Cell& here = at.cells[cell];
        if (split_before) {
            const uint32_t first = cell / 4 * 4, all = at.ends[first + 3] - at.begins[first];
            here.strain = 4 * uint64_t(all) >= 7 * uint64_t(here.parent_count) ? here.strain + 1 : 0;
        }
        uint32_t verdict = kStays;
        if (count <= leaf)
            verdict = kFew;
        else if (!odd[cell])
            verdict = kCocircular;
        else if (!here.can_halve())
            verdict = kTooSmall;
        else if (too_many || (patience > 0 && here.strain >= patience))
            verdict = kCrowded;
        verdicts[cell] = verdict;
        if (verdict == kStays) return;
        sums.value[0] += 1;
        if (count > kMostByThread) sums.value[1] += 1;
    }
};

/// Solves one cell with few candidates: every triple with its circumcentre in the cell and an empty circle, ties
/// settled by rank.
struct SolveCells {
    CellsView at;
    View<const uint32_t> verdicts;
    View<uint32_t> triangles;  // (t, 3) from the first free one on
    uint32_t room;             // capacity for triangles
    bool whole;                // the cell is the whole plane

    FLIPSCOPE_HD uint32_t code(uint32_t cell) const { return solve(cell, nullptr, 0); }
    FLIPSCOPE_HD void emit(uint32_t cell, uint32_t rank, uint32_t code) const {
        if (code > 0 && rank + code <= room) solve(cell, triangles.data + 3 * size_t(rank), code);
    }
    FLIPSCOPE_HD uint32_t solve(uint32_t cell, uint32_t* to, uint32_t wanted) const {
        const uint32_t count = at.count(cell), begin = at.begins[cell];
        if (verdicts[cell] == kStays || count < 3 || count > kMostByThread) return 0;
        const Cell& here = at.cells[cell];
        uint32_t found = 0;
        for (uint32_t i = 0; i + 2 < count; ++i)
            for (uint32_t j = i + 1; j + 1 < count; ++j)
                for (uint32_t k = j + 1; k < count; ++k) {
                    uint32_t a = at.points[begin + i], b = at.points[begin + j], c = at.points[begin + k];
                    const int turn = orient2d(at.positions[a], at.positions[b], at.positions[c]);
                    if (turn == 0) continue;
                    if (turn < 0) {
                        const uint32_t swapped = b;
                        b = c, c = swapped;
                    }
                    const Point pa = at.positions[a], pb = at.positions[b], pc = at.positions[c];
                    if (!whole && !here.holds_circumcentre(pa, pb, pc)) continue;
                    bool empty = true;
                    for (uint32_t l = 0; l < count && empty; ++l) {
                        if (l == i || l == j || l == k) continue;
                        const uint32_t d = at.points[begin + l];
                        empty = incircle_tied(pa, pb, pc, at.positions[d], at.inputs[a], at.inputs[b], at.inputs[c],
                                              at.inputs[d]) < 0;
                    }
                    if (!empty) continue;
                    if (to && found < wanted) {
                        to[3 * found] = a;
                        to[3 * found + 1] = b;
                        to[3 * found + 2] = c;
                    }
                    ++found;
                }
        return found;
    }
};

/// Lists the cells that the host must solve.
struct ListLarge {
    CellsView at;
    View<const uint32_t> verdicts;
    View<uint32_t> list;
    FLIPSCOPE_HD uint32_t code(uint32_t cell) const {
        return verdicts[cell] != kStays && at.count(cell) > kMostByThread;
    }
    FLIPSCOPE_HD void emit(uint32_t cell, uint32_t rank, uint32_t code) const {
        if (code) list[rank] = cell;
    }
};

/// Numbers the cells that stay.
struct KeepCells {
    View<const Cell> cells;
    View<const uint32_t> verdicts;
    View<Cell> kept;
    View<uint32_t> numbers;
    FLIPSCOPE_HD uint32_t code(uint32_t cell) const { return verdicts[cell] == kStays; }
    FLIPSCOPE_HD void emit(uint32_t cell, uint32_t rank, uint32_t code) const {
        numbers[cell] = code ? rank : kNone;
        if (code) kept[rank] = cells[cell];
    }
};

/// Packs the candidates of the cells that stay. Marks those that leave with a cell at the root's border.
struct KeepCandidates {
    CellsView at;
    View<const uint32_t> numbers;
    View<uint32_t> points, cell_of, begins, ends, at_border;
    Cell root;
    bool whole;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return numbers[at.cell_of[i]] != kNone; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const uint32_t cell = at.cell_of[i];
        if (!code) {
            if (!whole && at.cells[cell].touches_border_of(root)) atomic_store(at_border[at.points[i]], 1u);
            return;
        }
        const uint32_t number = numbers[cell];
        points[rank] = at.points[i];
        cell_of[rank] = number;
        if (i == at.begins[cell]) begins[number] = rank;
        if (i + 1 == at.ends[cell]) ends[number] = rank + 1;
    }
};

/// The four quarters of a cell, and the places of their parts of the array.
struct SplitCells {
    CellsView at;
    View<Cell> cells;
    View<uint32_t> begins, ends;
    FLIPSCOPE_HD void operator()(uint32_t cell) const {
        const uint32_t count = at.count(cell);
        for (uint32_t quarter = 0; quarter < 4; ++quarter) {
            cells[4 * cell + quarter] = at.cells[cell].quarter(quarter, count);
            begins[4 * cell + quarter] = 4 * at.begins[cell] + quarter * count;
            ends[4 * cell + quarter] = 4 * at.begins[cell] + (quarter + 1) * count;
        }
    }
};

/// Copies every candidate into the four quarters of its cell. Head and tail determine the places.
struct SplitCandidates {
    CellsView at;
    View<uint32_t> points, cell_of;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t cell = at.cell_of[i], begin = at.begins[cell], count = at.ends[cell] - begin;
        for (uint32_t quarter = 0; quarter < 4; ++quarter) {
            const uint32_t to = 4 * begin + quarter * count + (i - begin);
            points[to] = at.points[i];
            cell_of[to] = 4 * cell + quarter;
        }
    }
};

/// Numbers the cells with too many candidates to compare each with all others.
struct NumberWide {
    CellsView at;
    View<uint32_t> numbers;
    FLIPSCOPE_HD uint32_t code(uint32_t cell) const { return at.count(cell) > kMostCompared; }
    FLIPSCOPE_HD void emit(uint32_t cell, uint32_t rank, uint32_t code) const { numbers[cell] = code ? rank : kNone; }
};

/// In these, the least squared distance of a candidate to the centre, rounded, because it only selects the point that
/// removes others. With `among`, the first candidate at that distance.
struct FindCentral {
    CellsView at;
    View<const uint32_t> numbers;
    View<uint64_t> least;
    View<const uint64_t> among;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t cell = at.cell_of[i], number = numbers[cell];
        if (number == kNone) return;
        const Cell& here = at.cells[cell];
        const Point p = at.place(i);
        const double half = here.side / 2, x = p.x - (here.low.x + half), y = p.y - (here.low.y + half);
        const uint64_t bits = exact::bits_of(x * x + y * y);  // ascend with the number, as none is negative
        if (!among)
            atomic_min(least[number], bits);
        else if (among[number] == bits)
            atomic_min(least[number], uint64_t(i));
    }
};

/// Leaching: `stays` becomes 0 if another candidate is strictly closer than this one at every corner of the cell, hence
/// everywhere in it. A point in its cell stays, as it is the closest to itself. In cells with few candidates each is
/// compared with all others; else with the one nearest to the centre, and those at distances of 1, 2, 4, … in the
/// array, which along the Hilbert curve are ever farther away. The rest is removed further down.
struct Leach {
    CellsView at;
    View<const uint32_t> numbers;
    View<const uint64_t> central;
    View<uint32_t> stays;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t cell = at.cell_of[i], begin = at.begins[cell], end = at.ends[cell];
        stays[i] = !is_removed(i, cell, begin, end);
    }
    FLIPSCOPE_HD bool is_removed(uint32_t i, uint32_t cell, uint32_t begin, uint32_t end) const {
        const Cell& here = at.cells[cell];
        const Point p = at.place(i);
        if (here.holds(p)) return false;
        if (numbers[cell] == kNone) {
            for (uint32_t j = begin; j < end; ++j)
                if (j != i && here.is_closer(at.place(j), p)) return true;
            return false;
        }
        const auto nearest = static_cast<uint32_t>(central[numbers[cell]]);
        if (nearest != i && here.is_closer(at.place(nearest), p)) return true;
        for (uint32_t step = 1; step < end - begin; step *= 2) {
            if (i - begin >= step && here.is_closer(at.place(i - step), p)) return true;
            if (end - i > step && here.is_closer(at.place(i + step), p)) return true;
        }
        return false;
    }
};

/// Packs what stays, by the prefix sum of `stays`.
struct PackCandidates {
    View<const uint32_t> from_points, from_cell_of, stays;
    View<uint32_t> points, cell_of;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return stays[i]; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        points[rank] = from_points[i];
        cell_of[rank] = from_cell_of[i];
    }
};

/// Lists the points that are marked.
struct ListMarked {
    View<const uint32_t> marks;
    View<uint32_t> list;
    FLIPSCOPE_HD uint32_t code(uint32_t v) const { return marks[v]; }
    FLIPSCOPE_HD void emit(uint32_t v, uint32_t rank, uint32_t code) const {
        if (code) list[rank] = v;
    }
};

/// The edge of each corner, as lesser and greater vertex.
struct NameCorners {
    View<const uint32_t> triangles;
    View<uint64_t> keys;
    View<uint32_t> corners;
    int bits;
    FLIPSCOPE_HD void operator()(uint32_t corner) const {
        const uint32_t from = triangles[corner], to = triangles[next_corner(corner)];
        keys[corner] = from < to ? uint64_t(from) << bits | to : uint64_t(to) << bits | from;
        corners[corner] = corner;
    }
};

/// Compares neighbours in the list sorted by edge: two corners of one edge, or one at the hull.
struct SortedCorners {
    View<const uint64_t> keys;
    View<const uint32_t> corners;
    uint32_t count;
    FLIPSCOPE_HD bool is_first(uint32_t i) const { return i == 0 || keys[i - 1] != keys[i]; }
    FLIPSCOPE_HD bool has_twin(uint32_t i) const { return i + 1 < count && keys[i + 1] == keys[i]; }
};

/// Edges ascend by (lesser, greater); half-edge 2e runs from the lesser to the greater.
struct NumberEdges {
    SortedCorners sorted;
    MeshView mesh;
    uint32_t room;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return sorted.is_first(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t edge, uint32_t code) const {
        if (!code || edge >= room) return;
        const uint32_t corner = sorted.corners[i], from = mesh.from(corner), to = mesh.to(corner);
        mesh.edges[2 * edge] = from < to ? from : to;
        mesh.edges[2 * edge + 1] = from < to ? to : from;
        link(corner, 2 * edge + (from > to));
        if (sorted.has_twin(i)) link(sorted.corners[i + 1], 2 * edge + (from < to));
    }
    FLIPSCOPE_HD void link(uint32_t corner, uint32_t half_edge) const {
        mesh.half_edge_at[corner] = half_edge;
        mesh.corner_of[half_edge] = corner;
    }
};

/// Lists the corners at the hull, and the corner that leaves each vertex there.
struct ListHull {
    SortedCorners sorted;
    View<const uint32_t> triangles;
    View<uint32_t> hull, hull_of;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return sorted.is_first(i) && !sorted.has_twin(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        hull[rank] = sorted.corners[i];
        hull_of[triangles[sorted.corners[i]]] = rank;
    }
};

/// The ghost behind an edge u to v of the hull: (v, u, infinity).
struct MakeGhosts {
    MeshView mesh;
    View<const uint32_t> hull, hull_of;
    uint32_t triangles, edges;  // finite ones, before all ghosts
    FLIPSCOPE_HD void operator()(uint32_t ghost) const {
        const uint32_t inner = hull[ghost], u = mesh.from(inner), v = mesh.to(inner);
        const uint32_t corner = 3 * (triangles + ghost), at_u = edges + ghost, at_v = edges + hull_of[v];
        mesh.triangles[corner] = v;
        mesh.triangles[corner + 1] = u;
        mesh.triangles[corner + 2] = mesh.infinite;
        mesh.edges[2 * at_u] = u;
        mesh.edges[2 * at_u + 1] = mesh.infinite;
        link(corner, mesh.half_edge_at[inner] ^ 1);
        link(corner + 1, 2 * at_u);
        link(corner + 2, 2 * at_v + 1);
    }
    FLIPSCOPE_HD void link(uint32_t corner, uint32_t half_edge) const {
        mesh.half_edge_at[corner] = half_edge;
        mesh.corner_of[half_edge] = corner;
    }
};

}  // namespace flipscope
