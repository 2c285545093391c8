#include "app/judging/failing.h"

#include <algorithm>

#include "app/base/number_text.h"
#include "app/run/run.h"
#include "compute/error.h"
#include "flipscope/triangulate.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

const std::vector<std::string> kEnds{"crashed", "timed out", "refused", "no answer", "unreadable"};

bool lists(const FailureList& report, const std::string& code) {
    return std::ranges::any_of(report.failures, [&](const CheckFailure& failure) { return failure.code == code; });
}

bool is_defect(const std::string& code) {
    const std::vector<DefectCode>& known = defect_codes();
    return std::ranges::any_of(known, [&](const DefectCode& defect) { return defect.code == code; });
}

bool differs(const Judgement& judgement) {
    const Differences& found = judgement.differences;
    return found.missed.size() + found.spurious.size() > found.ties.size();
}

/// The first code in the order of defect_codes(); empty: none.
std::string gravest_of(const std::set<std::string>& codes) {
    for (const DefectCode& known : defect_codes())
        if (codes.count(known.code) > 0) return known.code;
    return codes.empty() ? "" : *codes.begin();
}

/// Replaces words with numbers and file names by "#", because they differ on other points.
std::string without_numbers(const std::string& line) {
    std::string words, word;
    for (const char c : line + " ") {
        if (c != ' ') {
            word += c;
            continue;
        }
        const bool varies = word.find('/') != word.npos || word.find_first_of("0123456789") != word.npos;
        words += (words.empty() ? "" : " ") + (varies ? "#" : word);
        word.clear();
    }
    return words;
}

}  // namespace

const std::vector<DefectCode>& lab_failure_codes() {
    static const std::vector<DefectCode> codes{
        {"reflex-hull", "the hull is not convex at a vertex"},
        {"tied-edge", "an edge of cocircular points that the tie rule does not choose"},
        {"broken-reference", "an edge and its triangles do not name each other"},
        {"euler-count", "the numbers of vertices, edges and triangles do not fit together"},
        {"duplicate-edge", "an edge has both ends in common with another"},
        {"non-manifold-edge", "an edge has more than two triangles"},
        {"boundary-changed", "the boundary or the Euler characteristic is not that of the input"},
        {"false-sign", "a recorded sign of a predicate is not the exact one"},
        {"other-triangulation", "constructions side by side come to different triangles"},
    };
    return codes;
}

std::set<std::string> PointsOutcome::codes() const {
    std::set<std::string> codes;
    for (const CheckFailure& failure : judgement.report.failures)
        if (spoils(failure.code)) codes.insert(failure.code);
    if (codes.count("illegal-edge"))
        codes.erase("circle-not-empty");  // implied by the illegal edge, for more triangles
    return codes;
}

std::string PointsOutcome::code(const std::string& requested) const {
    if (!sentence_of_failure(requested).empty()) return requested;
    return gravest_of(codes());
}

bool PointsOutcome::is_failure_of(const PointsOutcome& first) const {
    if (!fails || after_others != first.after_others) return false;
    if (first.identity.empty()) return true;  // the user named this failure
    return kind == first.kind && (identity == first.identity || codes().count(first.identity) > 0);
}

void require_failure_name(const std::string& name) {
    std::vector<std::string> known{"any", "check", "cycles", "differs"};
    known.insert(known.end(), kEnds.begin(), kEnds.end());
    for (const DefectCode& defect : defect_codes()) known.push_back(defect.code);
    for (const DefectCode& failure : lab_failure_codes()) known.push_back(failure.code);
    if (std::ranges::find(known, name) == known.end())
        throw Error("--fails: unknown failure " + excerpt(name) + "; known: " + join_words(known, ", "));
}

std::string sentence_of_failure(const std::string& code) {
    for (const std::vector<DefectCode>* codes : {&defect_codes(), &lab_failure_codes()})
        for (const DefectCode& known : *codes)
            if (known.code == code) return known.sentence;
    return "";
}

bool is_one_plane(const Scene& scene) {
    return scene.view_count() == 1 && !scene.in_space &&
           std::ranges::none_of(scene.layers, [](const Layer& layer) { return layer.periodic.has_value(); });
}

FailingLab::FailingLab(Context& context, const Scenario& scenario, std::string requested)
    : context_(context), requested_(std::move(requested)), lab_(make_scenario_lab(scenario)) {
    const LabInfo& info = lab_->info();
    if (!info.makes_triangles || info.keeps_triangles || !info.inputs.has(InputKind::kPoints))
        throw Error("the lab \"" + scenario.lab +
                    "\" makes no triangles of points, so there is nothing to shrink; name the lab or the program that "
                    "makes them, with --lab or --command");
    lab_->set_records_states(false);
}

PointsOutcome FailingLab::run(std::span<const Point> points) {
    PointsOutcome outcome;
    auto input = std::make_shared<Geometry>();
    input->points.assign(points.begin(), points.end());
    bool cycles = false;
    outcome.kind = "ended";
    try {
        lab_->reset(context_, input);
        lab_->finish([&](const StepResult& result) {
            for (const StepMessage::Sentence& said : result.message.sentences)
                cycles = cycles || said.kind == "cycling";
        });
    } catch (const Error& error) {
        outcome.kind = "stopped";
        outcome.sentence = error.what();
        return outcome;
    }
    if (cycles) outcome.kind = "cycles";
    outcome.answer = *input;
    outcome.answer.triangles = lab_->soup().triangles;
    if (requested_ == "cycles") {
        outcome.fails = cycles;
        outcome.sentence = cycles ? "the flips cycle" : "the flips end";
        return outcome;
    }
    if (requested_ == "check" || requested_ == "any") {
        outcome.judgement.report = check_of(*lab_);
        outcome.fails = cycles || !outcome.judgement.report.passed;
        outcome.sentence = outcome.judgement.report.sentence;
        outcome.identity = cycles ? outcome.kind : gravest_of(outcome.codes());
        return outcome;
    }
    if (requested_ != "differs") {
        // Compare what the window lists; the judge knows more kinds.
        const CheckReport report = check_of(*lab_);
        outcome.sentence = report.sentence;
        outcome.fails = lists(report, requested_);
        if (outcome.fails || !is_defect(requested_) || !is_one_plane(lab_->scene())) {
            if (!outcome.fails) outcome.sentence = "no " + requested_ + "; " + outcome.sentence;
            return outcome;
        }
    }
    outcome.judgement = judge(context_, outcome.answer);
    outcome.sentence = outcome.judgement.report.sentence;
    outcome.fails = requested_ == "differs" ? differs(outcome.judgement) : outcome.codes().count(requested_) > 0;
    if (!outcome.fails)
        outcome.sentence = (requested_ == "differs" ? "no edge differs" : "no " + requested_) + "; " + outcome.sentence;
    return outcome;
}

FailingProgram::FailingProgram(Context& context, const ProgramRequest& request, std::string requested)
    : context_(context),
      program_(parse_command(request.command), request.limits),
      required_(request.required),
      requested_(std::move(requested)) {}

PointsOutcome FailingProgram::run(std::span<const Point> points) {
    PointsOutcome outcome = run_once(points);
    if (!outcome.fails || program_.sets_before() == 0) return outcome;
    // Distinguish these points from the effects of earlier sets.
    const size_t before = program_.sets_before();
    program_.restart();
    PointsOutcome alone = run_once(points);
    if (alone.fails) return alone;
    outcome.after_others = true;
    outcome.sentence += " (only after " + counted(before, "other set") +
                        " in the same process; in a process of their own, these points pass)";
    return outcome;
}

PointsOutcome FailingProgram::run_once(std::span<const Point> points) {
    PointsOutcome outcome;
    ProgramAnswer answer = program_.run(points);
    outcome.kind = word_of(answer.kind);
    outcome.elapsed_s = answer.elapsed_s;
    outcome.answer.name = name_;
    outcome.answer.points.assign(points.begin(), points.end());
    using Kind = ProgramAnswer::Kind;
    if (answer.kind == Kind::kNotStarted) throw Error("--command: the program cannot be run: " + answer.said);
    if (answer.kind == Kind::kAnswered) {
        outcome.answer.triangles = std::move(answer.triangles);
        outcome.judgement = judge(context_, outcome.answer);
        outcome.sentence = outcome.judgement.report.sentence;
        outcome.fails = !satisfies(outcome.judgement, required_);
        if (requested_ == "differs")
            outcome.fails = differs(outcome.judgement);
        else if (requested_ != "any" && requested_ != "check")
            outcome.fails = outcome.codes().count(requested_) > 0;
        else
            outcome.identity = gravest_of(outcome.codes());
        return outcome;
    }
    outcome.identity = outcome.kind + (answer.kind == Kind::kCrashed    ? " by signal " + std::to_string(answer.status)
                                       : answer.kind == Kind::kTimedOut ? ""
                                                                        : ": " + without_numbers(answer.last_line));
    outcome.sentence = outcome.kind +
                       (answer.kind == Kind::kCrashed   ? " by signal " + std::to_string(answer.status)
                        : answer.kind == Kind::kRefused ? " with status " + std::to_string(answer.status)
                                                        : "") +
                       (answer.said.empty() ? "" : ": " + answer.said);
    outcome.fails = requested_ == "any" || requested_ == "check" || requested_ == outcome.kind;
    // If no triangle exists, a refusal is correct.
    if (answer.kind == Kind::kRefused || answer.kind == Kind::kNoAnswer) {
        TriangulateOptions options;
        options.neighbours = options.hull = options.duplicates = options.hash = false;
        if (triangulate(context_, points, options).triangles.empty()) outcome.fails = false;
    }
    return outcome;
}

std::string words_of(std::string code) {
    std::ranges::replace(code, '-', ' ');
    return code;
}

std::string points_that(size_t points, const std::string& requested) {
    const bool one = points == 1;
    return (one ? "point " : "points ") + (requested == "cycles"    ? "whose flips cycle"
                                           : requested == "differs" ? "whose edges differ from the exact ones"
                                           : requested == "check" || requested == "any"
                                               ? (one ? "that fails" : "that fail")
                                               : "with " + requested);
}

}  // namespace flipscope::app
