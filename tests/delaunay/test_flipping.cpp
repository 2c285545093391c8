// sanitizers: address thread
// The Flip lab in the plane: from every start and every mesh to the one Delaunay triangulation, pass by pass the same
// on every device.
#include "delaunay/constructions/flipping.h"

#include <set>

#include "compute/cancel.h"
#include "delaunay/constructions/lawson.h"
#include "delaunay/flip_films.h"

using namespace flipscope;

namespace {

std::vector<Point> scaled(std::vector<Point> points, double by, Point offset = {}) {
    for (Point& p : points) p = {p.x * by + offset.x, p.y * by + offset.y};
    return points;
}

/// From `start` on every device, stepped on the first: Delaunay, one hash, and the Build lab's triangles.
void check_flips_from(const Input& input, const Settings& settings, bool steps = true) {
    uint64_t state = 0, triangulation = 0, built = 0;
    bool first = true;
    for (const DeviceUnderTest& device : devices_under_test()) {
        for (const bool by_steps : {true, false}) {
            if (by_steps && !(first && steps)) continue;
            INFO(input->name, " ", settings.empty() ? "" : settings[0], ", ", device.name,
                 by_steps ? ", stepped" : ", finished");
            Context context(device.request, device.threads);
            const auto lab = finished(context, input, "flip", settings, by_steps);
            check_passes(*lab);
            const Result result = lab->result();
            if (first) {
                state = lab->state_hash();
                triangulation = result.triangulation_hash;
                built = built_hash(*lab);
            }
            first = false;
            CHECK(lab->done());
            CHECK(result.points == input->points.size());
            // "First taken" promises the triangles, not the way there.
            const bool repeats = std::find(settings.begin(), settings.end(), "conflict=first") == settings.end();
            if (repeats) CHECK(lab->state_hash() == state);
            CHECK(result.triangulation_hash == triangulation);
            CHECK(result.triangulation_hash == built);
        }
    }
}

/// A run of one lab that records states, with a look at every iteration.
struct RunRecord {
    std::vector<int64_t> queued, granted;  // per iteration
    int64_t flips = 0;
};

/// The two outer edges of a quad that go to the other triangle when its diagonal turns (figure 5 of the paper).
std::vector<uint32_t> edges_that_move(const HostMesh& before, uint32_t edge) {
    std::vector<uint32_t> moved;
    for (uint32_t side = 0; side < 2; ++side)
        moved.push_back(before.half_edge_at[next_corner(before.corner_of[2 * size_t(edge) + side])] >> 1);
    return moved;
}

bool is_illegal_here(const HostMesh& mesh, uint32_t edge) {
    const uint32_t corner = mesh.corner_of[2 * size_t(edge)], twin = mesh.corner_of[2 * size_t(edge) + 1];
    const uint32_t a = mesh.triangles[corner], b = mesh.triangles[next_corner(corner)],
                   c = mesh.triangles[previous_corner(corner)], d = mesh.triangles[previous_corner(twin)];
    if (std::max({a, b, c, d}) == mesh.infinite) return false;  // with a convex outline these are legal
    const auto& at = mesh.positions;
    const int sign = incircle(at[a], at[b], at[c], at[d]);
    if (sign != 0) return sign > 0;
    const auto rank = [&](uint32_t v) { return perturbation_rank(mesh.inputs[v]); };
    return std::max(rank(a), rank(b)) > std::max(rank(c), rank(d));
}

/// Steps to the end and looks at everything: marks, references, granted edges, the harmonic index.
RunRecord record_run(const Input& input, const Settings& settings, bool always_a_winner = true) {
    Stage stage(one_device(), input, settings);
    RunRecord record;
    double last_index = 0;
    bool have_index = false;
    uint64_t wrong_winners = 0, wrong_marks = 0, wrong_stale = 0, left_stale = 0, inverted = 0, broken = 0,
             wrong_flips = 0, missed = 0, rises = 0;
    std::vector<uint32_t> expected;  // to be stale
    std::vector<uint32_t> winners;
    HostMesh before;
    while (!stage.lab->done()) {
        if (stage.lab->next_pass() == Flipping::kFlip) before = stage.mesh();
        const StepResult result = stage.lab->step();
        const HostMesh mesh = stage.mesh();
        const TriangleMesh& on_device = *stage.lab->scene().mesh;
        const std::vector<State> locked = on_device.triangle_states.download(on_device.triangle_count);
        for (const double index : result.measures) {
            // Rounding: relative to the size of the terms, which are positive and negative.
            rises += have_index && index > last_index + 1e-9 * std::fabs(last_index);
            last_index = index;
            have_index = true;
        }
        if (result.pass == Flipping::kClaim) {
            record.queued.push_back(result.counters[Flipping::kQueued]);
            winners.clear();
            std::vector<uint32_t> holders(mesh.triangle_count(), kNone);
            int64_t illegal = 0;
            for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
                const State state = mesh.edge_states[e];
                const bool bad = is_illegal_here(mesh, e);
                illegal += bad;
                missed += bad && !(state & kStateIllegal);
                wrong_marks += bad != bool(state & kStateIllegal);
                wrong_marks += bad && bool(state & kStateGranted) == bool(state & kStateDeferred);
                wrong_marks += !bad && (state & (kStateGranted | kStateDeferred));
                if (!(state & kStateGranted)) continue;
                winners.push_back(e);
                for (uint32_t side = 0; side < 2; ++side) {
                    const uint32_t t = triangle_of(mesh.corner_of[2 * size_t(e) + side]);
                    wrong_winners += holders[t] != kNone;
                    holders[t] = e;
                }
            }
            for (uint32_t t = 0; t < mesh.triangle_count(); ++t)
                wrong_marks += (holders[t] != kNone) != bool(locked[t] & kStateLocked);
            CHECK(result.counters[Flipping::kIllegal] == illegal);
            if (illegal && always_a_winner) CHECK(!winners.empty());
        }
        if (result.pass == Flipping::kFlip) {
            record.granted.push_back(result.counters[Flipping::kGranted]);
            record.flips += result.counters[Flipping::kGranted];
            wrong_flips += result.counters[Flipping::kGranted] != int64_t(winners.size());
            expected.clear();
            for (const uint32_t e : winners)
                for (const uint32_t moved : edges_that_move(before, e)) expected.push_back(moved);
            sort_distinct_or_cancel(expected);
            std::vector<uint32_t> marked, stale;
            for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
                if (mesh.edge_states[e] & kStateStale) marked.push_back(e);
                bool sound = true;
                for (uint32_t half_edge = 2 * e; half_edge < 2 * e + 2; ++half_edge)
                    sound = sound && mesh.half_edge_at[mesh.corner_of[half_edge]] == half_edge;
                if (!sound) stale.push_back(e);
                const bool flipped = std::binary_search(winners.begin(), winners.end(), e);
                wrong_flips += flipped != bool(mesh.edge_states[e] & kStateFlipped);
            }
            wrong_stale += marked != expected;
            wrong_stale += stale != expected;
        }
        if (result.pass == Flipping::kRepair) {
            for (uint32_t e = 0; e < mesh.edge_count(); ++e) left_stale += bool(mesh.edge_states[e] & kStateStale);
            broken += broken_references(mesh);
            inverted += facet<Checkable>(*stage.lab).check().inverted_triangles;
        }
    }
    INFO(input->name, " ", settings.empty() ? "" : settings.back());
    CHECK(missed == 0);
    CHECK(wrong_marks == 0);
    CHECK(wrong_winners == 0);
    CHECK(wrong_flips == 0);
    CHECK(wrong_stale == 0);
    CHECK(left_stale == 0);
    CHECK(broken == 0);
    CHECK(inverted == 0);
    CHECK(rises == 0);
    return record;
}

}  // namespace

TEST_CASE("flipping: every generator of points, every start: the Build lab's triangles, on any device") {
    for (const GeneratorInfo& generator : generators()) {
        if (generator.makes != GeneratorOutput::kPoints) continue;
        for (const size_t n : {size_t(0), size_t(1), size_t(2), size_t(3), size_t(4), size_t(5), size_t(12),
                               350 * case_count(100) / 100 + 50})
            for (const char* start : kStarts)
                check_flips_from(generated(generator, n), {std::string("start=") + start}, n <= 12);
        const Input larger = generated(generator, case_count(3000));
        for (const char* start : kStarts) check_flips_from(larger, {std::string("start=") + start}, false);
    }
}

TEST_CASE("flipping: points that have broken triangulators, from every start") {
    const std::vector<Input> inputs = hard_inputs();
    for (size_t i = 0; i < inputs.size(); i += case_stride(3))
        for (const char* start : kStarts) check_flips_from(inputs[i], {std::string("start=") + start}, false);
    const std::vector<Point> some = generated("uniform:200")->points;
    for (const char* start : kStarts) {
        check_flips_from(make_input("as small as can be", scaled(some, 0x1p-140)), {std::string("start=") + start});
        check_flips_from(make_input("very large", scaled(some, 0x1p190)), {std::string("start=") + start});
        check_flips_from(make_input("far off", scaled(some, 1, {1e9, -1e12})), {std::string("start=") + start});
    }
}

TEST_CASE("flipping: a fan over a ring or a parabola") {
    for (const char* text : {"ring:3", "ring:4", "ring:5", "ring:64", "ring:700"})
        check_flips_from(generated(text), {"start=fan"});
    std::vector<Point> parabola;
    for (int i = 0; i < 150; ++i) parabola.push_back({double(i - 40), double(i - 40) * (i - 40)});
    check_flips_from(make_input("a parabola", parabola), {"start=fan"});
    for (const char* conflict : {"conflict=lowest", "conflict=hashed", "conflict=first"})
        check_flips_from(make_input("a parabola", parabola), {"start=fan", conflict});
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_AS(finished(context, generated("uniform:20"), "flip", {"start=fan"}), Error);
}

TEST_CASE("flipping: planar meshes are flipped to the Delaunay triangulation of their points") {
    for (const char* text : {"quad:4", "quad:5", "quad:9", "quad:100", "quad:101@seed=3", "quad:2000@seed=9", "worst:4",
                             "worst:5", "worst:6", "worst:33", "worst:120"})
        for (const char* conflict : {"conflict=lowest", "conflict=hashed", "conflict=first"})
            check_flips_from(generated(text), {conflict}, std::string(text).size() < 8);
}

TEST_CASE("flipping: moved and scrambled a lot or not at all, by any seed") {
    for (const Settings& settings :
         {Settings{"start=moved", "moved_by=0"}, Settings{"start=moved", "moved_by=10", "seed=5"},
          Settings{"start=moved", "moved_by=1", "seed=77"}, Settings{"start=scrambled", "scramble=0"},
          Settings{"start=scrambled", "scramble=10", "seed=3"}, Settings{"start=scrambled", "scramble=0.01"}})
        for (const char* text : {"uniform:500", "grid:144", "duplicates:200", "ring:100", "clusters:300"})
            check_flips_from(generated(text), settings, false);
}

TEST_CASE("flipping: by angles with a small slack points in no special position end Delaunay, too") {
    for (const char* text : {"uniform:1000", "disk:500", "poisson:400", "jittered-grid:400", "spiral:300"})
        for (const char* start : kStarts) {
            Context context(DeviceRequest::kCpu, 2);
            INFO(text, " ", start);
            const auto lab =
                finished(context, generated(text), "flip", {std::string("start=") + start, "criterion=angles"});
            CHECK(lab->done());
            check_passes(*lab);
            CHECK(lab->result().triangulation_hash == built_hash(*lab));
        }
}

TEST_CASE("flipping: angles in float never flip an edge into a flat or inverted triangle") {
    std::mt19937_64 random(5);
    const auto any = [&] { return std::ldexp(double(random() >> 11), -53); };
    size_t blocked[2] = {0, 0};  // at the first new triangle, and at the second alone
    for (int i = 0; i < 20'000; ++i) {
        // One end of the edge lies nearly on the line from left to right, the other one far away.
        const Point left{-1 - any(), any()}, right{1 + any(), any()};
        const Point middle{(left.x + right.x) / 2, (left.y + right.y) / 2};
        const double far = std::ldexp(1.0, int(random() % 60));
        const Point above{middle.x + far * (left.y - right.y), middle.y + far * (right.x - left.x)};
        const std::vector<Point> at{middle, above, left, right};
        MeshView mesh;
        mesh.positions = {at.data(), at.size()};
        for (const Quad& q : {Quad{0, 1, 2, 3}, Quad{1, 0, 3, 2}}) {
            const Verdict verdict = AngleRule<float>{}.judge(mesh, 0, q);
            const bool upright[] = {orient2d(at[q.left], at[q.from], at[q.right]) > 0,
                                    orient2d(at[q.right], at[q.to], at[q.left]) > 0};
            if (verdict == Verdict::kIllegal) CHECK((upright[0] && upright[1]));
            if (verdict == Verdict::kBlocked) ++blocked[upright[0]];
        }
    }
    CHECK(blocked[0] > 0);
    CHECK(blocked[1] > 0);
    MeshView mesh;
    CHECK(AngleRule<float>{}.judge(mesh, 0, {0, 1, 2, 2}) == Verdict::kLegal);  // the new edge would have one end
}

TEST_CASE("flipping: claims, granted edges, flips, stale edges and repairs are what they say, in every iteration") {
    for (const char* conflict : {"conflict=lowest", "conflict=hashed"}) {
        for (const char* start : kStarts)
            for (const char* text : {"uniform:150", "grid:64", "near-ring:40", "duplicates:80", "clusters:90"})
                record_run(generated(text), {std::string("start=") + start, conflict});
        record_run(generated("ring:40"), {"start=fan", conflict});
        record_run(generated("quad:300"), {conflict});
        record_run(generated("worst:24"), {conflict});
    }
    record_run(generated("uniform:150"), {"conflict=first"}, false);
}

TEST_CASE("flipping: Edelsbrunner's worst case takes k m flips in any order") {
    for (const uint64_t n : {uint64_t(4), uint64_t(5), uint64_t(30), uint64_t(31), uint64_t(case_count(200))})
        for (const char* conflict : {"conflict=lowest", "conflict=hashed", "conflict=first"}) {
            if (n < 4) continue;
            INFO(n, " ", conflict);
            Stage stage(one_device(), generated("worst:" + std::to_string(n)), {conflict});
            int64_t flips = 0;
            while (!stage.lab->done()) {
                const StepResult result = stage.lab->step();
                if (result.pass == Flipping::kFlip) flips += result.counters[Flipping::kGranted];
            }
            const int64_t k = int64_t(n - 1) / 2, m = int64_t(n) - 2 - k;
            CHECK(flips == k * m);
        }
}

TEST_CASE("flipping: after the first iteration only what can have changed is tested") {
    for (const char* text : {"uniform:3000", "quad:3000", "worst:100", "grid:900"})
        for (const char* start : {"start=sweep", "start=scrambled", "start=moved"}) {
            Stage stage(one_device(), generated(text), {start, "conflict=hashed"});
            int64_t tested = 0, waited = 0, flips = 0;
            while (!stage.lab->done()) {
                const StepResult result = stage.lab->step();
                if (result.pass == Flipping::kClaim && result.iteration > 1)
                    tested += result.counters[Flipping::kQueued];
                if (result.pass != Flipping::kFlip) continue;
                waited += result.counters[Flipping::kDeferred];
                flips += result.counters[Flipping::kGranted];
            }
            INFO(text, " ", start, ": ", tested, " tests, ", flips, " flips, ", waited, " lost");
            CHECK(tested <= 4 * flips + waited);
            CHECK(tested <= 8 * flips);
        }
}

TEST_CASE("flipping: triangulations with holes and bays are Delaunay within their outline, as by Lawson's flips") {
    for (uint64_t seed = 0; seed < case_count(12); ++seed) {
        std::mt19937_64 random(seed);
        Context context(DeviceRequest::kCpu, 1);
        const std::string text = seed % 3 == 0   ? "uniform:150@seed=" + std::to_string(seed)
                                 : seed % 3 == 1 ? "grid:100"
                                                 : "quad:150@seed=" + std::to_string(seed);
        const auto source =
            started(context, generated(text), "flip", {"start=scrambled", "seed=" + std::to_string(seed)});
        auto mesh = std::make_shared<Geometry>(*with_triangles("holes in " + text, source->soup()));
        // Holes around random triangles, of which some touch the outline, and single ones.
        const size_t share = 3 + seed % 9;
        std::vector<std::array<uint32_t, 3>> kept;
        std::set<uint32_t> holes;
        for (int k = 0; k < 3; ++k) holes.insert(mesh->triangles[random() % mesh->triangles.size()][0]);
        for (const auto& t : mesh->triangles) {
            const bool gone = std::any_of(t.begin(), t.end(), [&](uint32_t v) { return holes.contains(v); });
            if (!gone && random() % share) kept.push_back(t);
        }
        mesh->triangles = kept;
        INFO(mesh->name, " seed ", seed);
        const auto outline = [](const std::vector<std::array<uint32_t, 3>>& triangles) {
            std::map<std::pair<uint32_t, uint32_t>, int> sides;
            for (const auto& t : triangles)
                for (int k = 0; k < 3; ++k) ++sides[std::minmax(t[k], t[(k + 1) % 3])];
            std::set<std::pair<uint32_t, uint32_t>> once;
            for (const auto& [side, count] : sides)
                if (count == 1) once.insert(side);
            return once;
        };
        uint64_t state = 0;
        Triangles triangles;
        for (const DeviceUnderTest& device : devices_under_test())
            for (const bool by_steps : {true, false}) {
                Context there(device.request, device.threads);
                const auto lab = finished(there, mesh, "flip", {}, by_steps);
                check_passes(*lab);
                if (!state) {
                    state = lab->state_hash();
                    triangles = triangles_of(*lab);
                    CHECK(outline(lab->soup().triangles) == outline(kept));
                    CHECK(lab->soup().triangles.size() == kept.size());
                }
                CHECK(lab->state_hash() == state);
            }
        const auto start = started(context, mesh, "flip");
        HostMesh host = download_mesh(*start->scene().mesh);
        flip_sequentially(host, [](const MeshView& view, uint32_t, const Quad& q) {
            return !touches_infinity(view, q) && is_illegal(view, q, PredicateMode::kExact);
        });
        Triangles lawson;
        for (size_t t = 0; t < host.triangle_count(); ++t) {
            const uint32_t* v = &host.triangles[3 * t];
            if (std::max({v[0], v[1], v[2]}) < host.infinite)
                lawson.push_back({host.inputs[v[0]], host.inputs[v[1]], host.inputs[v[2]]});
        }
        CHECK(sorted_triangles(lawson) == triangles);
    }
}

TEST_CASE("flipping: clockwise drawings and any order of triangles are fine") {
    Context context(DeviceRequest::kCpu, 1);
    auto mesh = std::make_shared<Geometry>(*generated("quad:200"));
    const uint64_t expected = finished(context, mesh, "flip")->result().triangulation_hash;
    std::mt19937_64 random(7);
    std::shuffle(mesh->triangles.begin(), mesh->triangles.end(), random);
    for (auto& t : mesh->triangles) std::rotate(t.begin(), t.begin() + random() % 3, t.end());
    CHECK(finished(context, mesh, "flip")->result().triangulation_hash == expected);
    for (auto& t : mesh->triangles) std::swap(t[0], t[1]);
    const auto lab = finished(context, mesh, "flip");
    CHECK(lab->result().triangulation_hash == expected);
    CHECK(facet<Checkable>(*lab).check().passed);
}
