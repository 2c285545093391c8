// `flipscope predicate incircle|orient FILE A B C [D]`: evaluates a predicate for points of a file.
#include "app/judging/predicate_query.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/options.h"
#include "app/run/inputs.h"
#include "app/run/report_json.h"

namespace flipscope::app {

namespace {

struct PredicateOptions {
    std::string predicate;  // "incircle" or "orient"
    std::filesystem::path file;
    std::vector<uint32_t> points;  // indices in the file, from 0: four, or three
    ReadOptions read;
    std::string json;  // a file, "-" for stdout, or empty
    bool quiet = false;
};

/// Prints the determinant in each arithmetic with its sign, and the tie-break for four cocircular points. Throws Error
/// for an unreadable file and for points that it lacks.
int evaluate_predicate(const PredicateOptions& options) {
    std::vector<std::string> notes;
    const Geometry input = read_input(options.file, &notes, options.read);
    const Section section = predicate_of(options.predicate, options.points, input, options.file.string() + ": ");
    if (!options.json.empty()) {
        using Json = nlohmann::ordered_json;
        Json json{{"input", options.file.string()},
                  {"predicate", options.predicate},
                  {"points", options.points},
                  {"places", Json::array()}};
        for (const uint32_t index : options.points)
            json["places"].push_back({input.points[index].x, input.points[index].y});
        json["values"] = json_of(own_numbers(section));
        json["notes"] = notes;
        write_or_print(options.json, json.dump(2) + "\n");
    }
    if (options.quiet || options.json == "-") return kSuccess;
    std::string text;
    for (const std::string& note : notes) text += note + "\n";
    text += predicate_text(section, options.points, input);
    write_or_print("-", text);
    return kSuccess;
}

}  // namespace

Prepare add_predicate(CLI::App& app) {
    const auto options = std::make_shared<PredicateOptions>();
    PredicateOptions& to = *options;
    app.add_option("predicate", to.predicate, "orient of three points, or incircle of four")
        ->check(CLI::IsMember({"orient", "incircle"}))
        ->required();
    add_file(app, "file", "FILE", to.file, "Any file of points")->required();
    app.add_option("points", to.points, "Their indices in the file, from 0")->type_name("ID")->required();
    add_read_options(app);
    add(app, "--json", "FILE", to.json, "Writes it as JSON into a file, or to stdout (-)");
    app.add_flag("--quiet", to.quiet, "Prints nothing");
    return [options, &app] {
        understand_reading(app, options->read);
        settle_output("--json", options->json);
        return [options] { return evaluate_predicate(*options); };
    };
}

}  // namespace flipscope::app
