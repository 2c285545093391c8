// What came of the Flip lab's work: the check, of surfaces against what they were before, the distributions of angles,
// and the triangles for writers.
#include <bit>
#include <cmath>
#include <unordered_map>

#include "compute/primitives.h"
#include "delaunay/flipping.h"
#include "steps/facts.h"

namespace flipscope {

namespace {

/// Tallies as the members of SurfaceFacts.
struct SurveyEdge {
    MeshView mesh;
    SurfaceRule rule;
    double crease_cosine;  // of the dihedral angle from which an edge counts as a crease
    FLIPSCOPE_HD void operator()(uint32_t edge, Tally& tally) const {
        const Quad q = quad_at(mesh, edge);
        if (touches_infinity(mesh, q)) return;
        const Point3 from = mesh.place(q.from), to = mesh.place(q.to);
        const bool crease = !meets_flatly(normal_of(from, to, mesh.place(q.left)),
                                          normal_of(to, from, mesh.place(q.right)), crease_cosine);
        tally.value[0] += crease;
        if (!rule.is_illegal_by_angle(mesh, q)) return;
        const Verdict verdict = rule.judge(mesh, edge, q);
        tally.value[1] += must_flip(verdict);
        tally.value[2] += verdict == Verdict::kBlocked;
        tally.value[3] += crease;
    }
};

}  // namespace

/// `rounding`: angles may be off by it, radians, and so may cosines of dihedral angles.
SurfaceFacts Flipping::survey_surface(double rounding) const {
    SurfaceRule rule = surface_rule();
    rule.slack = {std::cos(now_.epsilon + rounding), std::sin(now_.epsilon + rounding)};
    Buffer<uint64_t> tallies("tallies");
    tallies.resize(*context_, kTallyWidth);
    tallies.fill_bytes(0);
    launch(*context_, "check.surface", mesh_.edge_count, SurveyEdge{mesh_.view(), rule, rule.limit_cosine - rounding},
           tallies.view());
    Tally sum;
    tallies.download(sum.value, kTallyWidth);
    return {sum.value[0], sum.value[1], sum.value[2], sum.value[3]};
}

CheckReport Flipping::check() const {
    if (mesh_.triangle_count == 0) return Construction::check();
    if (!in_space()) return check_mesh(*context_, mesh_, {.fixed_outline = !connection_.convex_outline});
    CheckReport report = check_surface(*context_, mesh_);
    const SurfaceFacts facts = survey_surface(kRounding);
    const auto worse = [&](uint64_t now, uint64_t before, const char* what) {
        if (now <= before) return;
        report.passed = false;
        join(report.sentence, std::to_string(now - before) + " " + what + ".");
    };
    report.illegal_edges = facts.illegal;
    const bool by_hand = state_.moved || state_.folded;
    if (!by_hand) {  // a hand may fold the surface as it likes
        worse(facts.creases, facts_before_.creases, "creases past the dihedral limit that were not there before");
        worse(report.flat_triangles, check_before_.flat_triangles, "triangles without area that were not there before");
    }
    worse(report.doubled_edges, check_before_.doubled_edges, "doubled edges that were not there before");
    if (report.boundary_edges != check_before_.boundary_edges ||
        report.euler_characteristic != check_before_.euler_characteristic) {
        report.passed = false;
        join(report.sentence, "The boundary or the Euler characteristic has changed.");
    }
    worse(facts.illegal, 0, "edges are illegal and could flip");
    if (report.passed) {
        report.sentence = "Delaunay by angles: no edge that could flip is illegal";
        if (facts.held)
            report.sentence += "; " + count_text(facts.held, "illegal edge is a crease", "illegal edges are creases") +
                               " past the dihedral limit";
        if (facts.blocked) report.sentence += "; " + count_text(facts.blocked, "cannot flip", "cannot flip");
        report.sentence += "; same boundary, same Euler characteristic";
        if (!by_hand) report.sentence += ", no new crease";
    }
    return report;
}

std::vector<Histogram> Flipping::histograms() const {
    if (mesh_.triangle_count == 0) return {};
    const AngleCounts now = count_angles(*context_, mesh_);
    return {{"smallest angles",
             "The smallest angle of every triangle; Delaunay makes the smallest of all as large as can be.", "°", 0, 60,
             angles_before_.least, now.least},
            {"angles", "All angles of all triangles.", "°", 0, 180, angles_before_.all, now.all}};
}

TriangleSoup Flipping::soup() const {
    TriangleSoup soup = Construction::soup();
    if (!input_) return soup;
    if (input_->in_space()) soup.heights = &input_->heights;
    if (!state_.moved) return soup;
    moved_points_ = input_->points;
    moved_heights_ = input_->heights;
    const std::vector<uint32_t> inputs = mesh_.inputs.download();
    const std::vector<Point> at = mesh_.positions.download();
    const std::vector<double> heights = in_space() ? mesh_.heights.download() : std::vector<double>{};
    std::unordered_map<uint64_t, std::vector<uint32_t>> used;  // by place: copies, which no triangle uses, move along
    const auto key = [](Point p) {
        return mix64(std::bit_cast<uint64_t>(p.x + 0.0)) ^ std::bit_cast<uint64_t>(p.y + 0.0);
    };
    RegularLook look;
    for (uint32_t v = 0; v < distinct_; ++v) {
        look();
        moved_points_[inputs[v]] = at[v];
        if (in_space())
            moved_heights_[inputs[v]] = heights[v];
        else if (distinct_ < input_->points.size())
            used[key(input_->points[inputs[v]])].push_back(v);
    }
    for (uint32_t i = 0; !used.empty() && i < input_->points.size(); ++i) {
        look();
        const auto found = used.find(key(input_->points[i]));
        if (found == used.end()) continue;
        for (const uint32_t v : found->second)
            if (input_->points[inputs[v]] == input_->points[i]) moved_points_[i] = at[v];
    }
    soup.points = &moved_points_;
    if (in_space()) soup.heights = &moved_heights_;
    return soup;
}

}  // namespace flipscope
