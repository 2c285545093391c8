// What `flipscope check` and `flipscope torture` write of triangulations that were judged: text, JSON, SARIF and JUnit.
// Each makes its text of the same values; nothing here judges anything or touches a file.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "judge/points.h"

namespace flipscope::app {

/// What a triangulation is asked to be; each asks for all before it, too.
enum class Requirement { kTriangulation, kComplete, kDelaunay };
const char* word_of(Requirement required);  // "triangulation", "complete", "delaunay"

/// One input of `flipscope check`: a triangulation, points alone, or what could not be read.
struct JudgedCase {
    std::string name;                   // "points.xy, out.tri"
    std::string file;                   // where its triangles are, or else its points: for places in reports
    std::string points_file;            // where its points are
    std::vector<uint32_t> lines;        // of `file`, from 1, of each triangle; empty: not known
    std::vector<uint32_t> point_lines;  // of `points_file`, from 1, of each point; empty: not known
    /// The first triangle at each edge that a failure without a triangle names, by its two points, the lesser first.
    std::map<VertexPair, uint32_t> triangle_at;
    std::vector<std::string> notes;
    uint64_t points = 0, triangles = 0;
    bool surface = false;    // in space: then `judgement` has the report of inspect_mesh() and nothing else
    bool of_points = false;  // no triangles: then `of_input` is what there is to tell
    Judgement judgement;
    PointsJudgement of_input;
    std::string unreadable;  // why it could not be read; or empty
    double elapsed_s = 0;    // reading and judging

    bool passed(Requirement required) const;
};

/// The two points of the edge that a failure speaks of first, the lesser before; nothing: it speaks of no edge.
std::optional<VertexPair> edge_of(const CheckFailure& failure);

nlohmann::ordered_json json_of(const JudgedCase& judged, Requirement required);
/// A report for people, with up to `most` defects; ends with a line end.
std::string text_of(const JudgedCase& judged, Requirement required, size_t most = 20);

/// A log in the Static Analysis Results Interchange Format, version 2.1.0: a result for each defect.
std::string sarif_of(const std::vector<JudgedCase>& cases, const std::string& version);
/// JUnit's XML, as build servers read it: a suite for each case, a test for each thing that is required of it.
std::string junit_of(const std::vector<JudgedCase>& cases, Requirement required);

}  // namespace flipscope::app
