#include <algorithm>
#include <cstdio>

#include "bench/experiments.h"
#include "compute/text.h"
#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "judge/adversarial.h"
#include "lab/registry.h"
#include "mesh/hash.h"

namespace flipscope::bench {

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;

/// Of one kind of points.
struct Agreement {
    uint64_t sets = 0, triangles = 0, tied_edges = 0, different = 0;
};

/// The edges that every Delaunay triangulation of the points has, and how many the triangles have beside those: edges
/// between two cocircular triangles, where CGAL has another rule than ours.
struct UntiedEdges {
    uint64_t hash = 0, tied = 0;

    UntiedEdges(const std::vector<Point>& at, const Triangles& triangles) {
        std::vector<std::array<uint32_t, 3>> sides;  // lower end, higher end, apex
        for (const auto& t : triangles)
            for (int k = 0; k < 3; ++k) {
                const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
                sides.push_back({low, high, t[(k + 2) % 3]});
            }
        std::sort(sides.begin(), sides.end());
        for (size_t i = 0; i < sides.size(); ++i) {
            const auto [a, b, apex] = sides[i];
            const bool paired = i + 1 < sides.size() && sides[i + 1][0] == a && sides[i + 1][1] == b;
            if (paired && incircle(at[a], at[b], at[apex], at[sides[++i][2]]) == 0)
                ++tied;
            else
                hash += mix64((uint64_t(a) << 32 | b) + paired);  // the hull's edges differ from others
        }
    }
};

/// All constructions on the same points, one set after the other.
class Constructions {
  public:
    explicit Constructions(const Task& task)
        : device_(task.device, task.threads), host_(DeviceRequest::kCpu, task.threads) {
        for (const char* id : {"build", "subdivide", "serial"}) labs_.push_back({id, make_lab_with(id, {})});
    }

    void compare(Geometry geometry, Agreement& agreement) {
        const auto points = std::make_shared<const Geometry>(std::move(geometry));
        const Triangulation strips = triangulate(device_, points->points);
        bool differs = false;
        const auto require = [&](bool same, const std::string& name) {
            if (!same) std::printf("  DIFFERENT TRIANGLES from %s: %s\n", name.c_str(), points->name.c_str());
            differs |= !same;
        };
        for (const auto& [id, lab] : labs_) {
            lab->reset(lab_info(id).on_cpu_only ? host_ : device_, points);
            lab->finish({});
            const Result result = lab->result();
            require(result.triangulation_hash == strips.hash && result.triangles == strips.triangles.size(), id);
        }
#ifdef FLIPSCOPE_WITH_CGAL
        Triangles of_cgal = triangles_by_cgal(points->points);
        if (!strips.duplicate_of.empty())
            for (auto& triangle : of_cgal)
                for (uint32_t& corner : triangle) corner = strips.duplicate_of[corner];
        const UntiedEdges ours(points->points, strips.triangles), theirs(points->points, of_cgal);
        require(of_cgal.size() == strips.triangles.size() && theirs.hash == ours.hash && theirs.tied == ours.tied,
                "cgal");
        agreement.tied_edges += ours.tied;
#endif
        ++agreement.sets;
        agreement.triangles += strips.triangles.size();
        agreement.different += differs;
    }

  private:
    Context device_, host_;
    std::vector<std::pair<std::string, std::unique_ptr<Lab>>> labs_;
};

}  // namespace

bool run_agreement(const Task& task, Json& json) {
    const auto most = static_cast<uint64_t>(task.most);
    const uint64_t size = std::clamp<uint64_t>(most / 100, 100, 100'000);  // points of a set
    constexpr uint64_t kSmallSets = 1000;
    Constructions constructions(task);
    std::vector<std::pair<std::string, Agreement>> kinds;
    for (const GeneratorInfo& info : generators())
        if (info.makes == GeneratorOutput::kPoints) kinds.push_back({info.name, {}});
    kinds.push_back({"torture", {}});  // its small sets
    Agreement all;
    const auto start = Clock::now();
    for (uint64_t seed = task.seed; all.triangles < most; ++seed)
        for (auto& [kind, agreement] : kinds) {
            if (all.triangles >= most) break;
            const Agreement before = agreement;
            if (kind == "torture") {
                for (uint64_t i = 0; i < kSmallSets; ++i) {
                    AdversarialSet set = adversarial_set(i, seed);
                    constructions.compare({set.kind, std::move(set.points)}, agreement);
                }
            } else {
                const GeneratorInfo& info = find_generator(kind);
                uint64_t count = std::min(size, info.max_count);
                if (info.second_count > 0) count = std::min(count, info.second_count / 10);
                constructions.compare(made_points(kind, count, seed), agreement);
            }
            all.sets += agreement.sets - before.sets;
            all.triangles += agreement.triangles - before.triangles;
            all.different += agreement.different - before.different;
        }
    Table table(json["agreement"], "Triangles of the same points by all constructions and CGAL", 22);
    for (const auto& [kind, agreement] : kinds)
        if (agreement.sets > 0)
            table.add({{"points of", kind},
                       {"sets", agreement.sets},
                       {"triangles", agreement.triangles},
                       {"tied edges", agreement.tied_edges},
                       {"different", agreement.different}});
    json["triangles"] = all.triangles;
    json["different"] = all.different;
    std::printf("%s triangles of %s sets, each made by strips, build, subdivide, serial%s; %s sets differ; %.0f s\n",
                with_commas(all.triangles).c_str(), with_commas(all.sets).c_str(),
#ifdef FLIPSCOPE_WITH_CGAL
                (" and CGAL " + cgal_version()).c_str(),
#else
                "",
#endif
                with_commas(all.different).c_str(), ms_since(start) / 1e3);
    return all.different == 0;
}

}  // namespace flipscope::bench
