#include "bench/flip_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/tables.h"

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownIterations = 12;

std::string ids_of(FlipTable table, const FlipCase& one) {
    return table == FlipTable::kMeshes ? one.paper->mesh + std::string(" ") + one.start : one.start;
}

/// The largest case of every start, and of table 1 the largest flat mesh and every surface.
std::vector<const FlipCase*> largest(const std::vector<FlipCase>& cases) {
    std::vector<const FlipCase*> found;
    for (const auto& one : cases) {
        const auto same = [&](const FlipCase* other) { return other->start == one.start; };
        const auto known = std::find_if(found.begin(), found.end(), same);
        if (known == found.end())
            found.push_back(&one);
        else if (one.triangles > (*known)->triangles)
            *known = &one;
    }
    return found;
}

Json case_json(FlipTable table, const FlipCase& one) {
    const auto iterations = static_cast<double>(std::max<size_t>(one.course.flips.size(), 1));
    Json json{{"start", one.start},
              {"input", one.input},
              {"vertices", one.vertices},
              {"triangles", one.triangles},
              {"edges", one.edges},
              {"illegal_share", one.illegal_share()},
              {"iterations", one.course.flips.size()},
              {"flips", one.course.all_flips},
              {"flips_per_iteration", one.course.flips},
              {"mean_flips_per_iteration", static_cast<double>(one.course.all_flips) / iterations},
              {"edges_tested", one.course.tests},
              {"edges_found_illegal", one.course.illegal_tests},
              {"ns_per_flip", nullptr},
              {"peak_bytes_per_edge", static_cast<double>(one.peak_bytes) / static_cast<double>(one.edges)},
              {"times", times_json(one.measurements)},
              {"ratios", ratios_json(one.measurements)},
              {"lawson_flips", nullptr},
              {"lawson_edges_tested", nullptr},
              {"complaints", one.complaints},
              {"kernels", shares_json(one.profile)}};
    if (one.course.all_flips) json["ns_per_flip"] = one.ns_per_flip();
    if (find(one.measurements, "lawson")) {
        json["lawson_flips"] = one.lawson.flips;
        json["lawson_edges_tested"] = one.lawson.tests;
    }
    if (table == FlipTable::kMeshes)
        json["paper"] = {{"mesh", one.paper->mesh},
                         {"edges", one.paper->edges},
                         {"cpu_s", one.paper->cpu_s},
                         {"gpu_s", one.paper->gpu_s}};
    return json;
}

}  // namespace

void print_flip_heading(const Setting& setting, FlipTable table) {
    std::printf("ours: edge flips by finish() on %s, memory kept between runs\n", setting.device_name.c_str());
    std::printf("lawson: the same triangulation in memory, the same rule, one edge after the other, one thread\n");
    if (!setting.peer.empty())
        std::printf("cgal: %s, from the points alone%s, one thread\n", setting.peer.c_str(),
                    table == FlipTable::kMeshes ? " (flat meshes)" : "");
    std::printf(
        "Medians; contestants take turns. 'ms' is from a triangulation in the device's memory to a Delaunay one; "
        "making it is not counted.\n");
    if (table == FlipTable::kMeshes)
        std::printf(
            "paper: Navarro, Hitschfeld and Scheihing on a GTX 580 and on one core of a Phenom of 2.7 GHz, with meshes "
            "of as many edges that are not ours.\n");
    else
        for (const auto& start : flip_starts()) std::printf("  %-12s %s\n", start.name, start.sentence);
}

void print_flip_columns(FlipTable table) {
    const bool meshes = table == FlipTable::kMeshes;
    std::printf("\n%s\n%-19s %11s %7s %5s %11s %11s %5s %10s %6s %8s", meshes ? "Meshes (table 1)" : "Time (figure 6)",
                meshes ? "mesh" : "start", meshes ? "edges" : "triangles", "illegal", "iter.", "flips", "tests", "runs",
                "ours ms", "cores", "ns/flip");
    std::printf(" %11s %11s %9s %9s", "lawson ms", "cgal ms", "lawson/", "cgal/");
    if (meshes) std::printf(" %12s %12s", "paper GPU ms", "paper CPU ms");
    std::printf("\n");
}

void print_flip_case(FlipTable table, const FlipCase& one) {
    const bool meshes = table == FlipTable::kMeshes;
    const Measurement &ours = one.ours(), *lawson = find(one.measurements, "lawson"),
                      *cgal = find(one.measurements, "cgal");
    std::printf("%-19s %11s %6.2f%% %5zu %11s %11s %5zu %10.3f %6.2f", ids_of(table, one).c_str(),
                with_commas(meshes ? one.edges : one.triangles).c_str(), 100 * one.illegal_share(),
                one.course.flips.size(), with_commas(one.course.all_flips).c_str(),
                with_commas(one.course.tests).c_str(), ours.samples_ms.size(), ours.median(), ours.cores);
    if (one.course.all_flips)
        std::printf(" %8.1f", one.ns_per_flip());
    else
        std::printf(" %8s", "-");
    print_ms(lawson);
    print_ms(cgal);
    print_ratio(lawson, &ours);
    print_ratio(cgal, &ours);
    if (meshes) std::printf(" %12.0f %12.0f", 1e3 * one.paper->gpu_s, 1e3 * one.paper->cpu_s);
    std::printf("\n");
    std::fflush(stdout);
}

void print_courses(const std::vector<FlipCase>& cases) {
    std::printf("\nFlips in each iteration\n");
    for (const FlipCase* one : largest(cases)) {
        std::printf("  %-12s %11s triangles:", one->start.c_str(), with_commas(one->triangles).c_str());
        const auto& flips = one->course.flips;
        for (size_t i = 0; i < std::min(flips.size(), kShownIterations); ++i)
            std::printf(" %s", with_commas(flips[i]).c_str());
        if (flips.size() > kShownIterations) std::printf(" … (%zu iterations)", flips.size());
        std::printf("\n");
    }
}

void print_flip_shares(const std::vector<FlipCase>& cases) {
    std::vector<ShareColumn> columns;
    for (const FlipCase* one : largest(cases)) columns.push_back({one->start, one->triangles, &one->profile});
    print_shares("Share of each kernel in ours, percent", "triangles", columns);
}

void print_flip_disturbance(const std::vector<FlipCase>& cases) {
    std::vector<const Measurement*> peers;
    for (const auto& one : cases)
        for (const auto& measurement : one.measurements)
            if (measurement.name != "ours") peers.push_back(&measurement);
    print_disturbance(peers);
}

bool print_complaints(const std::vector<FlipCase>& cases) {
    bool agree = true;
    for (const auto& one : cases) {
        for (const auto& complaint : one.complaints) {
            if (agree) std::printf("\nResults differ, so the times above do not compare:\n");
            agree = false;
            std::printf("  %s, %s triangles: %s\n", one.input.c_str(), with_commas(one.triangles).c_str(),
                        complaint.c_str());
        }
    }
    if (agree) std::printf("\nAll came to the same end.\n");
    return agree;
}

std::string flips_to_json(const Setting& setting, FlipTable table, const FlipPlan& plan,
                          const std::vector<FlipCase>& cases) {
    Json json{{"version", FLIPSCOPE_VERSION},
              {"experiment", table == FlipTable::kMeshes ? "flips, table 1" : "flips, figure 6"},
              {"device", setting.device},
              {"device_name", setting.device_name},
              {"threads", setting.threads},
              {"peer", setting.peer},
              {"fresh_memory", false},
              {"seed", plan.seed}};
    json["settings"] = Json::object();
    for (const auto& [name, value] : plan.settings) json["settings"][name] = value;
    json["cases"] = Json::array();
    for (const auto& one : cases) json["cases"].push_back(case_json(table, one));
    return json.dump(2) + "\n";
}

Figure figure_of_flips(FlipTable table, const std::vector<FlipCase>& cases) {
    const bool meshes = table == FlipTable::kMeshes;
    Figure figure;
    figure.title = meshes ? "Edge flips: time on the meshes of table 1"
                          : "Edge flips: time against the number of triangles (figure 6)";
    figure.x_label = meshes ? "edges" : "triangles";
    figure.y_label = "ms, median";
    figure.levels = {{"30 frames a second", 1000.0 / 30}, {"60 frames a second", 1000.0 / 60}};
    std::vector<std::string> starts, names;
    const auto add = [&](const std::string& start, const std::string& name, double x, double ms) {
        const int colour = index_of(start, starts), dash = index_of(name, names);
        Curve& curve = figure.curve(start.empty() ? name : start + ", " + name, colour, dash);
        if (!curve.x.empty() && curve.x.back() == x) return;  // the paper's value, for a flat mesh and a surface
        curve.x.push_back(x);
        curve.y.push_back(ms);
    };
    for (const auto& one : cases) {
        const std::string start = !meshes || one.start == "flat" ? one.start : "surface";
        for (const auto& measurement : one.measurements)
            if (measurement.name != "cgal" || one.start == "quad" || meshes)  // independent of the start of flips
                add(start, measurement.name, static_cast<double>(meshes ? one.edges : one.triangles),
                    measurement.median());
    }
    for (const auto& one : cases) {
        if (!meshes) break;
        const auto edges = static_cast<double>(one.paper->edges);
        add("paper", "GTX 580", edges, 1e3 * one.paper->gpu_s);
        add("paper", "CPU", edges, 1e3 * one.paper->cpu_s);
    }
    return figure;
}

}  // namespace flipscope::bench
