// Reports of `flipscope check` and `flipscope torture`: text, JSON, SARIF and JUnit, from the same values. Judges
// nothing and touches no file.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "judge/points.h"

namespace flipscope::app {

/// Required properties of a triangulation; each includes those before it.
enum class Requirement { kTriangulation, kComplete, kDelaunay };
const char* word_of(Requirement required);  // "triangulation", "complete", "delaunay"
bool satisfies(const Judgement& judgement, Requirement required);

/// One input of `flipscope check`: a triangulation, points alone, or an unreadable file.
struct JudgedCase {
    std::string name;                   // "points.xy, out.tri"
    std::string file;                   // the file of its triangles, or else of its points, for locations in reports
    std::string points_file;            // the file of its points
    std::vector<uint32_t> lines;        // in `file`, from 1, of each triangle; empty: unknown
    std::vector<uint32_t> point_lines;  // in `points_file`, from 1, of each point; empty: unknown
    /// The first triangle at each edge named by a failure without a triangle; by its two points, the lesser first.
    std::map<VertexPair, uint32_t> triangle_at;
    std::vector<std::string> notes;
    uint64_t points = 0, triangles = 0;
    bool surface = false;    // in space: `judgement` then contains only the report of inspect_mesh()
    bool of_points = false;  // no triangles: use `of_input`
    Judgement judgement;
    PointsJudgement of_input;
    std::string unreadable;  // why it could not be read, or empty
    double elapsed_s = 0;    // reading and judging

    bool passed(Requirement required) const;
};

/// The points of the first edge that a failure names, the lesser first; empty: no edge.
std::optional<VertexPair> edge_of(const CheckFailure& failure);

nlohmann::ordered_json json_of(const JudgedCase& judged, Requirement required);
/// A readable report with up to `most` defects; ends with a newline.
std::string text_of(const JudgedCase& judged, Requirement required, size_t most = 20);

/// A log in the Static Analysis Results Interchange Format, version 2.1.0: one result per defect.
std::string sarif_of(const std::vector<JudgedCase>& cases, const std::string& version);
/// JUnit's XML for build servers: a suite for each case, a test for each requirement.
std::string junit_of(const std::vector<JudgedCase>& cases, Requirement required);

}  // namespace flipscope::app
