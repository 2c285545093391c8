#include "labs/subdivide/subdivide_drawing.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "compute/launch.h"

namespace flipscope {

namespace {

struct DrawCells {
    View<const Cell> cells;
    View<const uint32_t> verdicts;  // empty: unknown
    State otherwise;
    View<Point> corners;
    View<uint32_t> fills, outlines;
    View<State> fill_states, outline_states;
    FLIPSCOPE_HD void operator()(uint32_t cell) const {
        const Point low = cells[cell].low, high = cells[cell].high();
        const uint32_t first = 4 * cell;
        corners[first] = low;
        corners[first + 1] = {high.x, low.y};
        corners[first + 2] = high;
        corners[first + 3] = {low.x, high.y};
        for (uint32_t k = 0; k < 3; ++k) {
            fills[6 * cell + k] = first + k;
            fills[6 * cell + 3 + k] = first + (k == 0 ? 0 : k + 1);
        }
        const uint32_t verdict = verdicts ? verdicts[cell] : uint32_t(kStays);
        State state = otherwise;
        if (verdict == kFew) state = kStateGranted;
        if (verdict == kCocircular) state = kStateChosen;
        if (verdict == kTooSmall) state = kStateBlocked;
        if (verdict == kCrowded) state = kStateCycling;
        fill_states[2 * cell] = fill_states[2 * cell + 1] = state;
        for (uint32_t k = 0; k < 4; ++k) {
            outlines[2 * (first + k)] = first + k;
            outlines[2 * (first + k) + 1] = first + (k + 1) % 4;
            outline_states[first + k] = state;
        }
    }
};

struct MarkCandidates {
    View<const uint32_t> points;
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const { atomic_store_state(states[points[i]]); }
    FLIPSCOPE_HD static void atomic_store_state(State& state) {
#if defined(__CUDA_ARCH__)
        *const_cast<volatile State*>(&state) = kStateWaiting;
#else
        std::atomic_ref<State>(state).store(kStateWaiting, std::memory_order_relaxed);
#endif
    }
};

/// The rounded circumcentre of each triangle, and its three sides.
struct DrawTriangles {
    View<const Point> positions;
    View<const uint32_t> triangles;
    View<Point> vertices;
    View<uint32_t> sides;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        const Point a = positions[triangles[3 * t]], b = positions[triangles[3 * t + 1]],
                    c = positions[triangles[3 * t + 2]];
        const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
        const double twice = 2 * (bx * cy - by * cx), b_lift = bx * bx + by * by, c_lift = cx * cx + cy * cy;
        const Point centre{a.x + (b_lift * cy - c_lift * by) / twice, a.y + (c_lift * bx - b_lift * cx) / twice};
        // If the three points are collinear in doubles: their middle.
        const bool known = centre.x - centre.x == 0 && centre.y - centre.y == 0;
        vertices[t] = known ? centre : Point{(a.x + b.x) / 2, (a.y + b.y) / 2};
        for (uint32_t k = 0; k < 3; ++k) {
            sides[6 * t + 2 * k] = triangles[3 * t + k];
            sides[6 * t + 2 * k + 1] = triangles[3 * t + (k + 1) % 3];
        }
    }
};

/// The two triangles at each edge, whose circumcentres a Voronoi edge joins; ghosts have no circumcentre.
struct DrawVoronoiEdges {
    MeshView mesh;
    View<uint32_t> ends;
    FLIPSCOPE_HD void operator()(uint32_t half) const { ends[half] = triangle_of(mesh.corner_of[half]); }
};

/// The cells in the picture: between the passes solve and split the judged ones, otherwise the present ones.
struct Shown {
    explicit Shown(const Subdivision& made) {
        if (made.next_pass() == Subdivision::kOrder || made.done()) return;
        judged = made.judged_count() > 0;
        view = judged ? made.judged() : made.cells();
        cells = judged ? made.judged_count() : made.cell_count();
        candidates = judged ? made.judged_candidates() : made.candidate_count();
    }
    bool judged = false;
    CellsView view;
    uint32_t cells = 0, candidates = 0;
};

bool leaches_next_pack(const Subdivision& made) { return made.next_pass() == Subdivision::kPack; }

}  // namespace

void SubdivideDrawing::forget() {
    cells_ = triangles_ = points_ = edges_ = 0;
    labels_.clear();
}

void SubdivideDrawing::draw(const Subdivision& made) {
    forget();
    if (made.distinct() == 0 || !made.path().empty() || made.mesh().vertex_count == 0) return;
    Context& context = made.context();
    const Shown shown(made);
    points_ = made.distinct();
    triangles_ = made.found();
    point_states_.fill(context, points_, 0);
    if (!made.done() && made.candidate_count() > 0)
        launch(context, "draw.points", made.candidate_count(),
               MarkCandidates{made.cells().points, point_states_.view()});
    if (triangles_ > 0) {
        vertices_.resize(context, triangles_, false);
        sides_.resize(context, 6 * size_t(triangles_), false);
        launch(
            context, "draw.triangles", triangles_,
            DrawTriangles{made.mesh().positions.view(), made.mesh().triangles.view(), vertices_.view(), sides_.view()});
    }
    if (made.done()) {
        edges_ = made.mesh().edge_count;
        voronoi_edges_.resize(context, 2 * size_t(edges_), false);
        launch(context, "draw.voronoi", 2 * edges_, DrawVoronoiEdges{made.mesh().view(), voronoi_edges_.view()});
    }
    if (shown.cells == 0 || shown.cells > kMostCells) return;
    cells_ = shown.cells;
    corners_.resize(context, 4 * size_t(cells_), false);
    fills_.resize(context, 6 * size_t(cells_), false);
    outlines_.resize(context, 8 * size_t(cells_), false);
    fill_states_.resize(context, 2 * size_t(cells_), false);
    outline_states_.resize(context, 4 * size_t(cells_), false);
    const bool fresh = made.next_pass() == Subdivision::kLeach;
    launch(context, "draw.cells", cells_,
           DrawCells{shown.view.cells, shown.judged ? made.verdicts() : View<const uint32_t>{},
                     fresh ? State(kStateFresh) : State(0), corners_.view(), fills_.view(), outlines_.view(),
                     fill_states_.view(), outline_states_.view()});
    if (cells_ > kMostLabels) return;
    const std::vector<Cell> cells = download(context, shown.view.cells.first(cells_));
    const std::vector<uint32_t> cell_of = download(context, shown.view.cell_of.first(shown.candidates));
    std::vector<uint32_t> counts(cells_, 0), staying(cells_, 0);
    const bool leached = leaches_next_pack(made);
    const std::vector<uint32_t> stays =
        leached ? download(context, made.stays().first(shown.candidates)) : std::vector<uint32_t>(shown.candidates, 1);
    for (size_t i = 0; i < cell_of.size(); ++i) {
        ++counts[cell_of[i]];
        staying[cell_of[i]] += stays[i];
    }
    for (uint32_t c = 0; c < cells_; ++c) {
        const double half = cells[c].side / 2;
        std::string text = std::to_string(counts[c]);
        if (leached && staying[c] != counts[c]) text += " → " + std::to_string(staying[c]);
        labels_.push_back({{cells[c].low.x + half, cells[c].low.y + half}, std::move(text)});
    }
}

void SubdivideDrawing::add_layers(const Subdivision& made, Scene& scene) const {
    using E = LegendEntry::Element;
    const TriangleMesh& mesh = made.mesh();
    const uint32_t cells = cells_, triangles = made.done() ? 0 : triangles_, points = made.done() ? 0 : points_;
    const auto add = [&](const char* id, const char* title, const char* sentence, auto shape, Role role = Role::kPlain,
                         bool shown = true) {
        scene.layers.push_back({id, title, sentence, shown, std::move(shape)});
        scene.layers.back().role = role;
    };
    const auto add_legend = [&](E element) {
        scene.layers.back().legend = {
            {element, kStateGranted, Role::kGranted, "leaves",
             "It has few candidates: those three of them whose circle is empty and centred here give a triangle."},
            {element, kStateChosen, Role::kChosen, "cocircular",
             "It leaves: all its candidates are on one circle, which no split would separate."},
            {element, kStateBlocked, Role::kBlocked, "too small",
             "It leaves: its halves have no exact corners in doubles."},
            {element, kStateCycling, Role::kCycling, "crowded",
             "It leaves: splits only multiply its candidates, as long Voronoi edges run side by side in it."},
            {element, kStateFresh, Role::kFresh, "split", "It is a quarter of what was one cell before."}};
    };
    add("cells", "Cells", "The subspaces, coloured by what becomes of them; more than a million are not drawn",
        TrianglesLayer{&corners_, nullptr, 4 * cells, &fills_, 2 * cells, cells ? &fill_states_ : nullptr});
    add_legend(E::kTriangle);
    if (!made.done())
        add("triangles", "Triangles", "The triangles found so far, each around its Voronoi vertex",
            TrianglesLayer{&mesh.positions, nullptr, points, &mesh.triangles, triangles});
    add("outlines", "Outlines of cells", "The sides of the subspaces",
        SegmentsLayer{&corners_, nullptr, 4 * cells, &outlines_, 4 * cells, {}, cells ? &outline_states_ : nullptr});
    add_legend(E::kEdge);
    if (!made.done()) {
        scene.point_count = points;
        add("edges", "Edges", "The edges of the triangles found so far",
            SegmentsLayer{&mesh.positions, nullptr, points, &sides_, 3 * triangles});
        add("points", "Points", "The vertices; those that are candidates of some cell are marked",
            PointsLayer{&mesh.positions, nullptr, points, points ? &point_states_ : nullptr});
        scene.layers.back().legend = {{E::kVertex, kStateWaiting, Role::kWaiting, "candidate",
                                       "It can own a place in a cell that is not solved."}};
    }
    add("voronoi_edges", "Voronoi edges",
        "At the end, between the circumcentres of neighbouring triangles; infinite edges are left out",
        SegmentsLayer{&vertices_, nullptr, triangles_, &voronoi_edges_, edges_}, Role::kExact, false);
    add("voronoi", "Voronoi vertices", "The circumcentres of the triangles",
        PointsLayer{&vertices_, nullptr, triangles_}, Role::kExact, !made.done());
    add("counts", "Numbers of candidates", "How many candidates each cell has, where there are at most 400 cells",
        LabelsLayer{labels_});
}

std::optional<SubdivideDrawing::CellProperties> SubdivideDrawing::lesson_values(const Subdivision& made,
                                                                                uint32_t cell) {
    const Shown shown(made);
    if (cell >= shown.cells) return {};
    Context& context = made.context();
    CellProperties facts;
    facts.cell = download(context, shown.view.cells.part(cell, 1)).front();
    facts.judged = shown.judged;
    if (shown.judged) facts.verdict = download(context, made.verdicts().part(cell, 1)).front();
    // The array is sorted by cell.
    const std::vector<uint32_t> cell_of = download(context, shown.view.cell_of.first(shown.candidates));
    const auto range = std::equal_range(cell_of.begin(), cell_of.end(), cell);
    const auto first = static_cast<size_t>(range.first - cell_of.begin());
    facts.head = static_cast<uint32_t>(first);
    facts.candidates =
        download(context, shown.view.points.part(first, static_cast<size_t>(range.second - range.first)));
    if (leaches_next_pack(made)) {
        const std::vector<uint32_t> stays = download(context, made.stays().part(first, facts.candidates.size()));
        for (size_t i = 0; i < stays.size(); ++i)
            if (!stays[i]) facts.superfluous.push_back(facts.candidates[i]);
    }
    return facts;
}

uint32_t SubdivideDrawing::cell_at(const Subdivision& made, Point place) {
    const Shown shown(made);
    if (shown.cells > kMostCells) return kNone;
    const std::vector<Cell> cells = download(made.context(), shown.view.cells.first(shown.cells));
    for (uint32_t c = 0; c < cells.size(); ++c)
        if (cells[c].holds(place)) return c;
    return kNone;
}

std::vector<uint32_t> SubdivideDrawing::cells_beside(const Subdivision& made, uint32_t cell) {
    const Shown shown(made);
    if (shown.cells > kMostCells || cell >= shown.cells) return {};
    const std::vector<Cell> cells = download(made.context(), shown.view.cells.first(shown.cells));
    const Point low = cells[cell].low, high = cells[cell].high();
    std::vector<uint32_t> beside;
    for (uint32_t c = 0; c < cells.size(); ++c) {
        // The overlap of the two along each axis; 0: they touch.
        const double x = std::min(high.x, cells[c].high().x) - std::max(low.x, cells[c].low.x),
                     y = std::min(high.y, cells[c].high().y) - std::max(low.y, cells[c].low.y);
        if (c != cell && ((x == 0 && y > 0) || (y == 0 && x > 0))) beside.push_back(c);
    }
    return beside;
}

}  // namespace flipscope
