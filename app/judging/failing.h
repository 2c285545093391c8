// A failure for `flipscope shrink` and `flipscope torture`: of a lab's run or of another program, on given points. Each
// can be run repeatedly and states the failure in one sentence.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/judging/judged_case.h"
#include "app/judging/outside_program.h"
#include "app/run/scenario.h"
#include "compute/context.h"
#include "judge/judge.h"
#include "lab/lab.h"

namespace flipscope::app {

/// The outcome for one set of points.
struct PointsOutcome {
    bool fails = false;
    std::string kind;      // "answered", "crashed", …; of a lab "ended", "cycles", "stopped"
    std::string sentence;  // the failure, or the result
    /// Identifies the failure: the gravest defect, "cycles", or how a program ended with its last line on stderr,
    /// without numbers and file names. Empty: the user named the failure.
    std::string identity;
    Geometry answer;                      // the points with the resulting triangles
    Judgement judgement;                  // of the answer, if any
    double elapsed_s = 0;                 // of the run only
    bool after_others = false;            // of a program that talks: fails only after its process has read other sets
    std::set<std::string> codes() const;  // of defects that spoil it
    /// The code of a defect that shows this failure: the requested one or the gravest; empty: none.
    std::string code(const std::string& requested) const;
    /// Whether this is the same failure as `first` on other points: the same way to end and the same defect or message.
    bool is_failure_of(const PointsOutcome& first) const;
};

/// A lab or program that can fail on points.
class Failing {
  public:
    virtual ~Failing() = default;
    virtual PointsOutcome run(std::span<const Point> points) = 0;
};

/// `name`: "check" (the lab's check fails), "cycles" (flips repeat forever), "differs" (edges differ from the exact
/// triangulation, apart from ties), "any" (of a program: any failure), or the code of a defect or of a lab's check.
void require_failure_name(const std::string& name);
/// Failures in labs' checks beyond the judge's defects.
const std::vector<DefectCode>& lab_failure_codes();
/// The failure of this code in one sentence without a full stop; empty: unknown code.
std::string sentence_of_failure(const std::string& code);

/// Whether the lab shows a single triangulation of the plane, comparable with the exact one: neither a race nor a
/// torus.
bool is_one_plane(const Scene& scene);

/// A lab with its parameters, run to its end. `requested`: as above. Throws Error if the lab makes no triangles.
class FailingLab : public Failing {
  public:
    FailingLab(Context& context, const Scenario& scenario, std::string requested);
    PointsOutcome run(std::span<const Point> points) override;

  private:
    Context& context_;
    std::string requested_;
    std::unique_ptr<Lab> lab_;
};

struct ProgramRequest {
    std::string command;  // as for parse_command()
    ProgramLimits limits;
    Requirement required = Requirement::kDelaunay;  // of its answers
};

/// A program under test. It fails if it crashes, hangs, refuses points that have a triangulation, or violates
/// `required`; `requested`: "any", a word for its end ("crashed") or the code of a defect.
class FailingProgram : public Failing {
  public:
    /// Throws Error like parse_command().
    FailingProgram(Context& context, const ProgramRequest& request, std::string requested = "any");
    PointsOutcome run(std::span<const Point> points) override;
    /// The name of the points in sentences; default "this".
    void name_points(std::string name) { name_ = std::move(name); }

  private:
    PointsOutcome run_once(std::span<const Point> points);

    Context& context_;
    TestedProgram program_;
    Requirement required_;
    std::string requested_, name_;
};

/// "illegal-edge" in plain words.
std::string words_of(std::string code);
/// "points that fail", "points with illegal-edge", for this many.
std::string points_that(size_t points, const std::string& requested);

}  // namespace flipscope::app
