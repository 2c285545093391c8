// What `flipscope shrink` and `flipscope torture` call a failure: of a lab's run on some points, or of another program.
// Each answers for a set of points, again and again, and says what went wrong in one sentence.
#pragma once

#include <memory>
#include <optional>
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

/// What came of one set of points.
struct PointsOutcome {
    bool fails = false;
    std::string kind;      // "answered", "crashed", …; of a lab "ended", "cycles", "stopped"
    std::string sentence;  // what is wrong, or what came of it
    /// Which failure it is: the gravest defect, "cycles", or how a program ended, with the last line that it wrote to
    /// stderr, without numbers and names of files. Empty: it was asked for by the code of a defect or the like.
    std::string identity;
    Geometry answer;            // the points with the triangles that were made of them
    Judgement judgement;        // of the answer, where there is one
    double elapsed_s = 0;       // of the run alone
    bool after_others = false;  // of a program that talks: it fails only where its process has read other sets before
    std::set<std::string> codes() const;  // of defects that spoil it
    /// The code of a defect that shows this failure: what was asked for, or the gravest; empty: none shows it.
    std::string code(const std::string& asked) const;
    /// Whether this is the failure that `first` is, on other points: ends in the same way and shows the same defect, or
    /// says the same.
    bool is_failure_of(const PointsOutcome& first) const;
};

/// Something to be run on points.
class Failing {
  public:
    virtual ~Failing() = default;
    virtual PointsOutcome run(std::span<const Point> points) = 0;
};

/// What is asked: "check" (the lab's check fails), "cycles" (flips repeat themselves without end), "differs" (edges
/// other than the exact triangulation has, ties apart), "any" (of a program: whatever is wrong), or the code of a
/// defect or of a failure of a lab's check.
void require_failure_name(const std::string& name);
/// What checks of labs list beside the defects that the judge knows.
const std::vector<DefectCode>& lab_failure_codes();
/// What a failure of this code is, in one sentence without a stop; empty: no check of triangles has such a code.
std::string sentence_of_failure(const std::string& code);

/// Whether a lab that shows this has one triangulation of the plane, which can be compared with the exact one: neither
/// a race nor a torus.
bool is_one_plane(const Scene& scene);

/// A lab with its parameters, run to its end. `asked`: as above. Throws Error for a lab that makes no triangles.
class FailingLab : public Failing {
  public:
    FailingLab(Context& context, const Scenario& scenario, std::string asked);
    PointsOutcome run(std::span<const Point> points) override;

  private:
    Context& context_;
    std::string asked_;
    std::unique_ptr<Lab> lab_;
};

/// A program under test. It fails where it crashes, hangs, refuses what has a triangulation, or gives what is not as
/// required; `asked`: "any", a word for its end ("crashed") or the code of a defect.
class FailingProgram : public Failing {
  public:
    FailingProgram(Context& context, ProgramCommand command, ProgramLimits limits, Requirement required,
                   std::string asked);
    PointsOutcome run(std::span<const Point> points) override;
    /// What sentences call the points; else "this".
    void name_points(std::string name) { name_ = std::move(name); }

  private:
    PointsOutcome run_once(std::span<const Point> points);

    Context& context_;
    TestedProgram program_;
    Requirement required_;
    std::string asked_, name_;
};

/// "illegal-edge" in plain words.
std::string words_of(std::string code);
/// "points that fail", "points with illegal-edge": of so many.
std::string points_that(size_t points, const std::string& asked);

}  // namespace flipscope::app
