// `flipscope check FILE`: judges the triangles of a file, without a lab or a device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

#include "app/base/endings.h"
#include "app/base/signals.h"
#include "app/commands/options.h"
#include "app/judging/cases.h"
#include "app/judging/failing.h"
#include "app/run/failures.h"
#include "app/run/progress.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/work.h"
#include "io/files.h"
#include "io/output_file.h"
#include "mesh/inspect.h"

namespace flipscope::app {

namespace {

struct CheckOptions {
    std::filesystem::path input;      // points, a mesh, or a folder
    std::filesystem::path triangles;  // over the points; or empty
    ProgramRequest program;           // to run on the points; or without a command
    ReadOptions read;
    std::string sarif, junit;          // files, "-" for stdout, or empty
    int threads = 0;                   // 0: as many as the machine has
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of failures
    bool quiet = false;
};

/// Triangles that do not use point 0 may be numbered from 0 or from 1. A sentence if numbering from 1 has fewer
/// failures; otherwise empty.
std::string other_cause(Context& context, const CaseFiles& files, const Geometry& geometry, const JudgedCase& judged) {
    if (files.triangles.empty() || geometry.triangles.empty() || judged.passed(Requirement::kDelaunay)) return {};
    Geometry shifted = geometry;
    for (auto& corners : shifted.triangles)
        for (uint32_t& corner : corners) {
            if (corner == 0 || corner > geometry.points.size()) return {};
            --corner;
        }
    const uint64_t left = judge(context, shifted).report.failure_count;
    if (left >= judged.judgement.report.failure_count) return {};
    return files.triangles.string() + ": do its indices count from 1? None is 0, and counted from 1 there would be " +
           std::to_string(left) + (left == 1 ? " defect" : " defects") + " instead of " +
           std::to_string(judged.judgement.report.failure_count) + "; if so, take 1 off each";
}

/// Line numbers in a text, from 1.
struct Rows {
    std::vector<uint32_t> points, triangles;
};

/// The lines of the given numbers of points and then triangles in a text: one line each, after at most one heading.
/// Empty if rows and lines do not correspond.
Rows rows_of(const std::filesystem::path& file, size_t points, size_t triangles) {
    const auto lines_that = [&](auto&& is_row, size_t most) {
        std::vector<uint32_t> lines;
        std::ifstream text(file, std::ios::binary);
        uint32_t number = 0;
        for (std::string line; lines.size() <= most && std::getline(text, line);) {
            ++number;
            if (line.find('\0') != line.npos) return std::vector<uint32_t>{};  // not a text
            const size_t begin = line.find_first_not_of(" \t\r[(,{");
            if (begin != line.npos && is_row(std::string_view(line).substr(begin))) lines.push_back(number);
        }
        return lines;
    };
    const auto is_number = [](std::string_view row) {
        const size_t digit = row.find_first_not_of("+-.");
        return digit != row.npos && row[digit] >= '0' && row[digit] <= '9';
    };
    const auto is_no_comment = [](std::string_view row) { return row[0] != '#' && row[0] != '%'; };
    const size_t count = points + triangles;
    const std::string extension = io::lower_extension(file);
    if (extension == ".obj") {
        Rows rows{lines_that([](std::string_view row) { return row.starts_with("v "); }, points),
                  lines_that([](std::string_view row) { return row.starts_with("f "); }, triangles)};
        if (rows.points.size() != points) rows.points.clear();
        if (rows.triangles.size() != triangles) rows.triangles.clear();
        return rows;
    }
    std::vector<uint32_t> lines = lines_that(is_number, count + 1);
    if (lines.size() != count && lines.size() != count + 1) lines = lines_that(is_no_comment, count + 1);
    if (lines.size() == count + 1) lines.erase(lines.begin());
    if (lines.size() != count) return {};
    const auto middle = lines.begin() + static_cast<std::ptrdiff_t>(points);
    return {{lines.begin(), middle}, {middle, lines.end()}};
}

void find_rows(JudgedCase& judged, const CaseFiles& files, const Geometry& geometry) {
    judged.points_file = files.points.string();
    if (files.triangles.empty()) {
        Rows rows = rows_of(files.points, geometry.points.size(), geometry.triangles.size());
        judged.point_lines = std::move(rows.points);
        judged.lines = std::move(rows.triangles);
    } else {
        judged.point_lines = rows_of(files.points, geometry.points.size(), 0).points;
        judged.lines = rows_of(files.triangles, 0, geometry.triangles.size()).triangles;
    }
    std::map<VertexPair, uint32_t> first;
    for (const CheckFailure& failure : judged.judgement.report.failures)
        if (const auto edge = edge_of(failure)) first[*edge] = kNone;
    for (uint32_t t = 0; t < geometry.triangles.size() && !first.empty(); ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const auto [lesser, greater] = std::minmax(geometry.triangles[t][k], geometry.triangles[t][(k + 1) % 3]);
            const auto found = first.find({lesser, greater});
            if (found != first.end() && found->second == kNone) found->second = t;
        }
    judged.triangle_at = std::move(first);
}

/// The triangles that the program under test makes from the points of a file.
JudgedCase judge_program(Context& context, const std::filesystem::path& file, const CheckOptions& options) {
    JudgedCase judged;
    judged.name = judged.file = judged.points_file = file.string();
    const std::vector<Point> points = read_saved_points(file, options.read, &judged.notes);
    FailingProgram program(context, options.program);
    program.name_points(file.filename().string());
    PointsOutcome outcome = program.run(points);
    judged.points = points.size();
    if (!options.sarif.empty()) judged.point_lines = rows_of(file, points.size(), 0).points;
    judged.triangles = outcome.answer.triangles.size();
    judged.judgement = std::move(outcome.judgement);
    if (outcome.kind != word_of(ProgramAnswer::Kind::kAnswered)) {  // report how it ended
        FailureList& report = judged.judgement.report;
        report.sentence = file.filename().string() + ": the program " + outcome.sentence;
        if (outcome.fails) {
            judged.judgement.triangulation = judged.judgement.complete = judged.judgement.delaunay = report.passed =
                false;
            report.failures.push_back({outcome.kind, report.sentence, {}, {}, {}});
            report.failure_count = judged.judgement.counts[outcome.kind] = 1;
        }
    }
    judged.elapsed_s = outcome.elapsed_s;
    return judged;
}

JudgedCase judge_case(Context& context, const CaseFiles& files, const CheckOptions& options) {
    if (!options.program.command.empty()) return judge_program(context, files.points, options);
    const auto begin = std::chrono::steady_clock::now();
    JudgedCase judged;
    judged.name = files.name();
    judged.file = files.judged().string();
    const Geometry geometry = [&] {
        const WorkStage stage("reading the file");
        return read_case(files, judged.notes, options.read);
    }();
    judged.points = geometry.points.size();
    judged.triangles = geometry.triangles.size();
    judged.surface = geometry.in_space();
    judged.of_points = geometry.triangles.empty() && files.triangles.empty();
    const WorkStage stage("check");
    if (judged.of_points) {
        judged.of_input = judge_points(context, geometry.points);
    } else if (judged.surface) {
        MeshInspection found = inspect_mesh(geometry, &context);
        judged.judgement.report = std::move(found.report);
        judged.judgement.counts = std::move(found.counts);
        judged.judgement.edges = std::move(found.edges);
    } else {
        judged.judgement = judge(context, geometry);
    }
    if (!options.sarif.empty()) find_rows(judged, files, geometry);
    if (std::string cause = other_cause(context, files, geometry, judged); !cause.empty())
        judged.notes.insert(judged.notes.begin(), std::move(cause));
    judged.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return judged;
}

/// An unreadable file is a case of its own in a folder; alone it ends the program.
std::vector<JudgedCase> judge_folder(Context& context, const CheckOptions& options) {
    std::vector<std::string> notes;
    std::vector<JudgedCase> cases;
    std::vector<CaseFiles> found;
    if (options.program.command.empty())
        found = find_cases(options.input, notes);
    else
        for (const std::filesystem::path& file : find_saved_points(options.input)) found.push_back({file, {}});
    for (const CaseFiles& files : found) {
        try {
            cases.push_back(judge_case(context, files, options));
        } catch (const Error& error) {
            JudgedCase unread;
            unread.name = files.name();
            unread.file = files.judged().string();
            unread.unreadable = error.what();
            cases.push_back(std::move(unread));
        }
    }
    if (!options.quiet)
        for (const std::string& note : notes) tell(note);
    return cases;
}

std::string summary_of(const std::vector<JudgedCase>& cases, Requirement required) {
    size_t failed = 0, unreadable = 0, of_points = 0;
    for (const JudgedCase& judged : cases) {
        if (!judged.unreadable.empty())
            ++unreadable;
        else if (judged.of_points)
            ++of_points;
        else if (!judged.passed(required))
            ++failed;
    }
    std::string text = std::to_string(failed) + " of " + std::to_string(cases.size() - of_points - unreadable) +
                       " triangulations failed";
    if (of_points > 0) text += "; " + std::to_string(of_points) + " inputs of points alone";
    if (unreadable > 0) text += "; " + std::to_string(unreadable) + " could not be read";
    return text + "\n";
}

/// Returns kSuccess, kCheckFailed if a case lacks what is required, or kWrongUse if a file of a folder is unreadable.
/// Throws Error if the only file is.
int check_file(const CheckOptions& options) {
    const Interrupt interrupt;
    Context context(DeviceRequest::kCpu, options.threads);
    context.set_cancel_flag(Interrupt::flag());
    const CancelScope scope(Interrupt::flag());
    Progress progress(options.quiet);
    const WorkScope work(progress.meter());
    const bool folder = file_kind(options.input) == FileKind::kFolder;
    if (folder && !options.triangles.empty())
        throw Error(options.input.string() + " is a folder, whose cases are found by their names; leave " +
                    options.triangles.string() + " out");
    std::vector<JudgedCase> cases;
    if (folder)
        cases = judge_folder(context, options);
    else
        cases.push_back(judge_case(context, {options.input, options.triangles}, options));
    progress.wipe();
    if (!options.quiet)
        for (const JudgedCase& judged : cases)
            for (const std::string& note : judged.notes) tell(note);

    FailureList all;
    for (const JudgedCase& judged : cases)
        all.failures.insert(all.failures.end(), judged.judgement.report.failures.begin(),
                            judged.judgement.report.failures.end());
    for (const std::string& file : options.exports) write_whole_file(file, failures_csv(all));
    if (!options.json.empty()) {
        using Json = nlohmann::ordered_json;
        Json json = Json::object();
        if (folder) {
            json["input"] = options.input.string();
            json["cases"] = Json::array();
            for (const JudgedCase& judged : cases) json["cases"].push_back(json_of(judged, options.program.required));
        } else {
            json = json_of(cases[0], options.program.required);
        }
        write_or_print(options.json, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (!options.sarif.empty()) write_or_print(options.sarif, sarif_of(cases, FLIPSCOPE_VERSION));
    if (!options.junit.empty()) write_or_print(options.junit, junit_of(cases, options.program.required));
    const bool stdout_taken = options.json == "-" || options.sarif == "-" || options.junit == "-";
    if (!stdout_taken && !options.quiet) {
        for (const JudgedCase& judged : cases)
            write_or_print("-", text_of(judged, options.program.required, folder ? 3 : 20));
        if (folder) write_or_print("-", summary_of(cases, options.program.required));
    }
    const auto fails = [&](const JudgedCase& judged) { return !judged.passed(options.program.required); };
    if (folder && std::ranges::any_of(cases, [](const JudgedCase& c) { return !c.unreadable.empty(); }))
        return kWrongUse;
    return std::ranges::any_of(cases, fails) ? kCheckFailed : kSuccess;
}

}  // namespace

Prepare add_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    CheckOptions& to = *options;
    add_file(app, "file", "FILE", to.input,
             "Points, a mesh (see 'flipscope list formats'), or a folder of them; points alone are judged as an input")
        ->required();
    add_file(app, "triangles,--triangles", "TRIANGLES", to.triangles,
             "Triangles over the points: .tri, .txt, .csv (three indices from 0 a line), .npy, .ele, or a mesh");
    add_read_options(app);
    add_program_options(app, to.program, "What makes it pass");
    add(app, "--json", "FILE", to.json, "Writes the verdict as JSON; '-' for stdout");
    add(app, "--sarif", "FILE", to.sarif, "Writes the defects as SARIF 2.1.0; '-' for stdout");
    add(app, "--junit", "FILE", to.junit, "Writes the verdict as JUnit's XML; '-' for stdout");
    add(app, "--export", "FILE.csv", to.exports, "Writes the list as a table; may be repeated");
    add_threads(app, to.threads);
    app.add_flag("--quiet", to.quiet, "No summary");
    return [options, &app] {
        understand_reading(app, options->read);
        if (!options->program.command.empty() && !options->triangles.empty())
            throw Error("--command: the program makes the triangles; leave " + options->triangles.string() + " out");
        int on_stdout = 0;
        for (const auto& [option, file] :
             {std::pair{"--json", &options->json}, {"--sarif", &options->sarif}, {"--junit", &options->junit}}) {
            if (*file == "-" && ++on_stdout > 1) throw Error(std::string(option) + " -: stdout takes one report alone");
            settle_output(option, *file);
        }
        settle_outputs("--export", options->exports, {".csv"});
        std::vector<std::string> outputs{options->json, options->sarif, options->junit};
        outputs.insert(outputs.end(), options->exports.begin(), options->exports.end());
        keep_inputs({options->input, options->triangles}, outputs);
        return [options] { return check_file(*options); };
    };
}

}  // namespace flipscope::app
