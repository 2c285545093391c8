// `flipscope torture`: runs a program on all sets and shrinks the failures.
#include "app/commands/torture.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "app/base/endings.h"
#include "app/base/number_text.h"
#include "app/base/signals.h"
#include "app/commands/options.h"
#include "app/commands/progress_line.h"
#include "app/judging/cases.h"
#include "app/judging/saved_failure.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/suggest.h"
#include "geometry/generators.h"
#include "geometry/places.h"
#include "io/output_file.h"
#include "judge/adversarial.h"
#include "judge/shrink.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

/// The source of a case: a generator's text, a saved file, or the number of a small set.
struct TortureJob {
    std::string family, generator;
    uint64_t number = 0, count = 0;
    std::filesystem::path file = {};  // of saved points; or empty
    bool small() const { return generator.empty() && file.empty(); }
    std::string name() const {
        return !file.empty() ? file.filename().string()
               : small()     ? family + ", set " + std::to_string(number)
                             : generator;
    }
    std::vector<Point> points(const TortureOptions& options) const {
        std::vector<Point> made = !file.empty() ? read_saved_points(file)
                                  : small()     ? adversarial_set(number, options.seed).points
                                                : generate(parse_generator(generator)).points;
        return made_of_kind(std::move(made), options.kinds);
    }
};

std::vector<TortureJob> jobs_of(const TortureOptions& options) {
    if (!options.input.empty()) {
        std::vector<TortureJob> saved;
        for (const std::filesystem::path& file : find_saved_points(options.input))
            saved.push_back({"saved", "", 0, 0, file});
        return saved;
    }
    std::vector<std::string> known;
    for (const GeneratorInfo& info : generators())
        if (info.makes == GeneratorOutput::kPoints) known.push_back(info.name);
    for (const AdversarialKind& kind : adversarial_kinds()) known.push_back(kind.name);
    for (const std::string& name : options.only)
        if (std::ranges::find(known, name) == known.end()) {
            const std::string meant = nearest_word(name, known);
            throw Error("--only: unknown generator or kind " + excerpt(name) +
                        (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") +
                        "; known: " + join_words(known, ", "));
        }
    const auto wanted = [&](const std::string& name) {
        return options.only.empty() || std::ranges::find(options.only, name) != options.only.end();
    };
    std::vector<TortureJob> jobs;
    for (const GeneratorInfo& info : generators()) {
        if (info.makes != GeneratorOutput::kPoints || !wanted(info.name)) continue;
        for (const uint64_t size : options.sizes) {
            if (size < info.min_count || size > info.max_count) continue;
            GeneratorSpec spec;
            spec.name = info.name;
            spec.count = size;
            spec.seed = options.seed;
            jobs.push_back({info.name, generator_text(spec), 0, size});
        }
    }
    const size_t kinds = adversarial_kinds().size();
    for (uint64_t i = 0; i < options.small_sets; ++i)
        if (const std::string kind = adversarial_kinds()[i % kinds].name; wanted(kind))
            jobs.push_back({kind, "", i, 0});
    if (jobs.empty()) throw Error("nothing to run: no generator makes sets of these sizes, and --small is 0");
    return jobs;
}

/// Runs all jobs in parallel; each thread has its own context and program.
class Runner {
  public:
    Runner(const TortureOptions& options, std::vector<TortureJob> jobs)
        : options_(options), jobs_(std::move(jobs)), cases_(jobs_.size()), progress_(options.quiet) {}

    std::vector<TortureCase> run() {
        const unsigned machine = std::max(1u, std::thread::hardware_concurrency());
        const size_t count =
            std::min<size_t>(options_.jobs > 0 ? static_cast<size_t>(options_.jobs) : machine, jobs_.size());
        std::vector<std::future<void>> threads;
        for (size_t i = 0; i < count; ++i) threads.push_back(std::async(std::launch::async, [this] { work(); }));
        for (std::future<void>& thread : threads) thread.get();
        return std::move(cases_);
    }

  private:
    void work() {
        try {
            const CancelScope scope(Interrupt::flag());
            Context context(DeviceRequest::kCpu, 1);
            context.set_cancel_flag(Interrupt::flag());
            FailingProgram program(context, options_.program);
            for (size_t i = next_++; i < jobs_.size(); i = next_++) {
                const TortureJob& job = jobs_[i];
                const std::vector<Point> points = job.points(options_);
                PointsOutcome outcome = program.run(points);
                TortureCase& done = cases_[i];
                done.family = job.family;
                done.name = job.name();
                done.small = job.small();
                done.points = points.size();
                done.timed_out = outcome.kind == word_of(ProgramAnswer::Kind::kTimedOut);
                done.fails = outcome.fails && !done.timed_out;
                done.after_others = outcome.after_others;
                done.kind = outcome.kind;
                done.sentence = outcome.sentence;
                const std::set<std::string> codes = outcome.codes();
                done.codes.assign(codes.begin(), codes.end());
                done.elapsed_s = outcome.elapsed_s;
                const std::lock_guard lock(mutex_);
                progress_.write(std::to_string(++done_) + " of " + std::to_string(jobs_.size()) + " sets");
            }
        } catch (...) {
            next_ = jobs_.size();  // ends the other threads
            throw;
        }
    }

    const TortureOptions& options_;
    std::vector<TortureJob> jobs_;
    std::vector<TortureCase> cases_;
    std::atomic<size_t> next_{0};
    std::mutex mutex_;  // guards what follows
    ProgressLine progress_;
    size_t done_ = 0;
};

/// A kind of failure: how the program ends, or the code of a defect.
struct Way {
    std::string name;
    bool is_code;
    size_t smallest;  // index of the failing case with the fewest points
    size_t plainest;  // the same among generators and files; a small set only if no other case fails this way
};

std::vector<Way> ways_of(const TortureReport& report) {
    std::vector<Way> ways;
    const auto plainer = [&](const TortureCase& a, const TortureCase& b) {
        return a.small != b.small ? b.small : a.points < b.points;
    };
    for (size_t i = 0; i < report.cases.size(); ++i) {
        const TortureCase& one = report.cases[i];
        if (!one.fails || one.after_others) continue;
        for (const std::string& name : one.codes.empty() ? std::vector<std::string>{one.kind} : one.codes) {
            const auto known = std::ranges::find(ways, name, &Way::name);
            if (known == ways.end()) {
                ways.push_back({name, !one.codes.empty(), i, i});
                continue;
            }
            if (one.points < report.cases[known->smallest].points) known->smallest = i;
            if (plainer(one, report.cases[known->plainest])) known->plainest = i;
        }
    }
    std::ranges::sort(ways, [&](const Way& a, const Way& b) {
        const uint64_t m = report.cases[a.smallest].points, n = report.cases[b.smallest].points;
        return m != n ? m < n : a.name < b.name;
    });
    return ways;
}

/// Shrinks the smallest case of each kind of failure while there is time. Skips kinds that shrunk points already show.
void shrink_failures(const TortureOptions& options, const std::vector<TortureJob>& jobs, const std::vector<Way>& ways,
                     TortureReport& report) {
    const auto begin = std::chrono::steady_clock::now();
    ProgressLine progress(options.quiet);
    Context context(DeviceRequest::kCpu, 1);
    context.set_cancel_flag(Interrupt::flag());
    for (size_t k = 0; k < ways.size(); ++k) {
        const Way& way = ways[k];
        const auto shows = [&](const ShrunkFailure& one) {
            return one.way == way.name || std::ranges::count(one.codes, way.name) > 0;
        };
        if (std::ranges::any_of(report.shrunk, shows)) continue;
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const double left = options.shrink_seconds - spent;
        if (left <= 0) break;
        progress.write("shrinking " + std::to_string(k + 1) + " of " + std::to_string(ways.size()) + ": " +
                       printable(way.name));
        FailingProgram program(context, options.program);
        const std::vector<Point> points = jobs[way.smallest].points(options);
        const PointsOutcome first = program.run(points);
        ShrinkOptions how;
        how.kinds = options.kinds;
        how.most_seconds = left / static_cast<double>(ways.size() - k);
        how.fails = [&](std::span<const Point> candidate) {
            const PointsOutcome outcome = program.run(candidate);
            if (outcome.after_others) return false;
            return way.is_code ? outcome.fails && outcome.codes().count(way.name) > 0 : outcome.is_failure_of(first);
        };
        ShrunkFailure made;
        made.of = way.smallest;
        made.way = way.name;
        try {
            made.points = shrink(points, how).points;
        } catch (const std::invalid_argument&) {
            continue;  // repeated on the same points, the failure does not recur
        }
        const PointsOutcome outcome = program.run(made.points);
        made.sentence = outcome.sentence;
        const std::set<std::string> codes = outcome.codes();
        made.codes.assign(codes.begin(), codes.end());
        made.picture = svg_of(outcome.answer, outcome.judgement);
        made.triangles = outcome.answer.triangles;
        report.shrunk.push_back(std::move(made));
    }
    std::ranges::stable_sort(report.shrunk, {}, [](const ShrunkFailure& one) { return one.points.size(); });
}

/// Writes the shrunk points and the plainest set of each kind of failure, with the program's triangles.
void write_scenarios(const TortureOptions& options, const std::vector<TortureJob>& jobs, const std::vector<Way>& ways,
                     const TortureReport& report) {
    const std::filesystem::path folder = options.failures;
    std::filesystem::create_directories(folder);
    const auto write = [&](std::string name, std::span<const Point> points,
                           std::span<const std::array<uint32_t, 3>> triangles, const std::string& failure,
                           const std::string& note) {
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
        write_whole_file(
            folder / (name + ".json"),
            scenario_text({.lab = triangles.empty() ? "build" : "judge",
                           .parameters = {},
                           .points = points,
                           .triangles = triangles,
                           .failure = failure,
                           .title = options.program.command + " on " + counted(points.size(), "point"),
                           .note = note + (triangles.empty() ? " The triangulation shown is the exact one." : ""),
                           .colour = {}}));
    };
    for (const ShrunkFailure& one : report.shrunk) {
        const std::string& of = report.cases[one.of].name;
        const bool is_code = std::ranges::count(one.codes, one.way) > 0;
        const std::string failure = is_code ? one.way : one.codes.empty() ? "" : one.codes.front();
        write(one.way + "-" + of, one.points, one.triangles, failure,
              as_sentence(one.sentence) + " Shrunk from " + of + ".");
    }
    constexpr size_t kMostPoints = 100'000;  // a scenario of this size still opens at once
    Context context(DeviceRequest::kCpu, 1);
    FailingProgram program(context, options.program);
    for (const Way& way : ways) {
        const TortureCase& plain = report.cases[way.plainest];
        if (plain.points > kMostPoints) continue;
        const PointsOutcome outcome = program.run(jobs[way.plainest].points(options));
        if (!outcome.fails || outcome.after_others) continue;
        write(way.name + "-plain-" + plain.name, outcome.answer.points, outcome.answer.triangles,
              outcome.code(way.name), as_sentence(outcome.sentence) + " The points are " + plain.name + ".");
    }
}

/// Returns kSuccess, or kCheckFailed if the program failed. Throws Error for what cannot be run.
int run_torture(const TortureOptions& options) {
    const Interrupt interrupt;
    const bool talks = parse_command(options.program.command).talks;
    const std::vector<TortureJob> jobs = jobs_of(options);
    const auto begin = std::chrono::steady_clock::now();
    TortureReport report;
    report.options = options;
    {
        Context context(DeviceRequest::kCpu, 1);
        FailingProgram program(context, options.program);
        const PointsOutcome plain =
            program.run(made_of_kind(generate(parse_generator("uniform:20")).points, options.kinds));
        if (talks && plain.kind != word_of(ProgramAnswer::Kind::kAnswered))
            throw Error(
                "--command: " + excerpt(options.program.command) +
                " did not answer on its standard output: " + plain.sentence +
                ". A command without {points} and {triangles} must read the number of points and a line \"x y\" for "
                "each, write the number of triangles and three indices for each, and wait for the next set");
        if (plain.fails) tell("it fails on 20 plain points already, so look there first: " + plain.sentence);
    }
    report.cases = Runner(options, jobs).run();
    const std::vector<Way> ways = ways_of(report);
    if (options.shrink_seconds > 0) {
        const CancelScope scope(Interrupt::flag());
        try {
            shrink_failures(options, jobs, ways, report);
        } catch (const Cancelled&) {
            Interrupt::mark_reported();
            tell("shrinking was ended by Ctrl-C; what was found is written");
        }
    }
    report.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    if (!options.report.empty()) write_whole_file(options.report, html_of(report));
    if (!options.failures.empty()) write_scenarios(options, jobs, ways, report);
    if (!options.json.empty()) write_or_print(options.json, json_of(report));
    if (!options.junit.empty()) write_or_print(options.junit, junit_of(report));
    if (!options.quiet && options.json != "-" && options.junit != "-") {
        std::printf("%s\n", printable(report.headline()).c_str());
        std::map<std::string, std::array<uint64_t, 2>> families;
        std::map<std::string, uint64_t> ways;
        for (const TortureCase& one : report.cases) {
            ++families[one.family][1];
            if (!one.fails) continue;
            ++families[one.family][0];
            ++ways[one.codes.empty() ? one.kind : join_words(one.codes, ", ")];
        }
        for (const auto& [family, counts] : families)
            if (counts[0] > 0)
                std::printf("  %-16s %llu of %llu failed\n", family.c_str(), static_cast<unsigned long long>(counts[0]),
                            static_cast<unsigned long long>(counts[1]));
        for (const auto& [way, count] : ways)
            std::printf("  %llu × %s\n", static_cast<unsigned long long>(count), printable(way).c_str());
        for (const ShrunkFailure& one : report.shrunk)
            std::printf("  %s, of %s: %s: %s\n", printable(one.way).c_str(),
                        printable(report.cases[one.of].name).c_str(), report.enough(one).c_str(),
                        printable(one.sentence).c_str());
    }
    require_printed();
    return report.failed() + report.timed_out() > 0 ? kCheckFailed : kSuccess;
}

}  // namespace

uint64_t TortureReport::smallest() const {
    uint64_t least = 0;
    const auto take = [&](uint64_t points) {
        if (least == 0 || points < least) least = points;
    };
    for (const TortureCase& one : cases)
        if (one.fails) take(one.points);
    for (const ShrunkFailure& one : shrunk) take(one.points.size());
    return least;
}

std::string TortureReport::enough(const ShrunkFailure& one) const {
    const std::string count = counted(one.points.size(), "point");
    return one.points.size() < cases[one.of].points ? count + (one.points.size() == 1 ? " is enough" : " are enough")
                                                    : count + ", of which none could be left out";
}

std::string TortureReport::headline() const {
    const uint64_t wrong = failed();
    return number_text(wrong) + " of " + number_text(cases.size()) + " failed" +
           (wrong == 0 ? "" : "; smallest: " + counted(smallest(), "point")) +
           (timed_out() == 0 ? ""
                             : "; " + number_text(timed_out()) + " had no answer after " +
                                   format_plainly(options.program.limits.seconds) + " s");
}

Prepare add_torture(CLI::App& app) {
    const auto options = std::make_shared<TortureOptions>();
    TortureOptions& to = *options;
    add_program_options(app, to.program);
    app.get_option("--command")->required();
    app.add_option("--sizes", to.sizes, "Numbers of points in the generators' sets (10,1000)")
        ->type_name("N,…")
        ->delimiter(',');
    app.add_option("--only", to.only, "Generators and kinds of small sets to take (see 'flipscope list generators')")
        ->type_name("NAME,…")
        ->delimiter(',');
    add(app, "--small", "N", to.small_sets, "Small adversarial sets (1000)")->check(not_negative());
    add_kinds(app, "--kinds", to.kinds,
              "Points that the program can read; sets are converted to such points: distinct, floats (rounded to "
              "single precision), integers");
    add(app, "--seed", "N", to.seed, "Seed of generators and small sets (1)")->check(not_negative());
    add(app, "--input", "FOLDER", to.input, "Runs the program only on the saved failures in this folder")
        ->check(CLI::ExistingDirectory);
    add(app, "--report", "FILE.html", to.report, "Writes a page with pictures");
    add(app, "--json", "FILE", to.json, "Writes all results as JSON; '-' for stdout");
    add(app, "--junit", "FILE", to.junit, "Writes all results as JUnit's XML; '-' for stdout");
    add(app, "--failures", "FOLDER", to.failures, "Writes the shrunk failures as scenarios into this folder");
    add(app, "--shrink-seconds", "S", to.shrink_seconds, "Seconds for shrinking all failures (60)")
        ->check(CLI::Range(0.0, 1e6));
    add(app, "--jobs", "N", to.jobs, "Programs at once; 0: as many as the machine has threads")
        ->check(CLI::Range(0, 1024));
    app.add_flag("--quiet", to.quiet, "No summary and no progress");
    return [options, &app] {
        if (!options->input.empty())
            refuse(app, {"--sizes", "--only", "--small", "--seed"},
                   ": says which sets are made, and --input takes saved ones; leave one out");
        if (options->json == "-" && options->junit == "-") throw Error("--junit -: stdout takes one report alone");
        settle_output("--report", options->report, {".html"});
        settle_output("--json", options->json);
        settle_output("--junit", options->junit);
        if (!options->failures.empty()) options->failures = io::user_path(options->failures).string();
        return [options] { return run_torture(*options); };
    };
}

}  // namespace flipscope::app
