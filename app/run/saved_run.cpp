#include "app/run/saved_run.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/run/report.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/frames.h"
#include "geometry/recording.h"
#include "io/state_file.h"
#include "mesh/hash.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;
using Path = std::filesystem::path;

uint64_t read_hash(const std::string& text) {
    uint64_t hash = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (error != std::errc() || stop != text.data() + text.size()) throw std::invalid_argument("no hash: " + text);
    return hash;
}

class ContentsHash {
  public:
    void word(uint64_t word) { hash_ = mix64(hash_ ^ word); }
    template <class T>
    void values(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
        bytes(values.data(), values.size() * sizeof(T));
    }
    void values(const std::vector<double>& values) { bytes(values.data(), values.size() * sizeof(double)); }
    void values(const std::vector<float>& values) { bytes(values.data(), values.size() * sizeof(float)); }
    void values(const std::vector<Point>& values) { bytes(values.data(), values.size() * sizeof(Point)); }
    uint64_t value() const { return hash_; }

  private:
    void bytes(const void* data, size_t size) {
        const auto* at = static_cast<const char*>(data);
        word(size);
        CancelPoll poll;
        for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
            uint64_t next = 0;
            std::memcpy(&next, at + i, std::min(sizeof next, size - i));
            word(next);
            poll();
        }
    }
    uint64_t hash_ = 0;
};

/// The files of the input that a saved run names; the options have the same names.
constexpr std::pair<const char*, Path Scenario::*> kSavedFiles[] = {
    {"input", &Scenario::input}, {"field", &Scenario::field}, {"tracks", &Scenario::tracks}};

/// A file of the input as named by the user, its absolute path, and the same relative to the saved run's folder.
Json file_json(const Path& given, const Path& saved) {
    if (given.empty()) return nullptr;
    std::error_code ignored;
    const Path absolute = std::filesystem::absolute(given, ignored).lexically_normal();
    const Path folder = std::filesystem::absolute(saved, ignored).lexically_normal().parent_path();
    return {{"given", given.string()},
            {"absolute", absolute.string()},
            {"beside", absolute.lexically_relative(folder).string()}};
}

/// The present path of a file, which may be missing.
Path read_file_name(const Json& json, const Path& saved) {
    if (json.is_null()) return {};
    std::error_code ignored;
    const Path beside = json.at("beside").get<std::string>(), near = saved.parent_path() / beside;
    if (!beside.empty() && std::filesystem::exists(near, ignored)) return near.lexically_normal();
    return json.at("absolute").get<std::string>();
}

/// A file of the input: the option's, or the saved one.
Path settle_file(const Path& found, const Path& saved, const Path& chosen, const std::string& option) {
    if (chosen.empty()) {
        std::error_code ignored;
        if (found.empty() || std::filesystem::exists(found, ignored)) return found;
        throw Error(saved.string() + ": its input " + found.string() +
                    " no longer exists; restore it, or give its new place with " + option);
    }
    if (!found.empty()) return chosen;  // require_same_input() checks it
    throw Error("--resume " + saved.string() + ": the run has its input, and " + option + " " + chosen.string() +
                " is not part of it; leave it out, or start again without --resume");
}

Json values_json(const std::vector<Parameter>& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = value;
    return json;
}

}  // namespace

uint64_t contents_hash(const Geometry& geometry) {
    ContentsHash hash;
    hash.values(geometry.points);
    hash.values(geometry.heights);
    hash.values(geometry.triangles);
    hash.word(geometry.field ? 1 : 0);
    if (const auto& field = geometry.field) {
        hash.word(field->width);
        hash.word(field->height);
        hash.values(field->values);
        hash.values(field->exact);
    }
    hash.word(geometry.tracks ? 1 : 0);
    if (const auto& tracks = geometry.tracks) {
        hash.values(tracks->times);
        hash.values(tracks->starts);
        hash.values(tracks->ids);
        hash.values(tracks->places);
        hash.values(std::vector<Point>{tracks->box_low, tracks->box});
    }
    if (geometry.recording)  // hashes without recordings stay as in earlier versions
        for (const RecordedSteps::Step& step : geometry.recording->steps) {
            hash.values(*step.points);
            hash.values(*step.triangles);
            hash.values(step.marks.vertices);
            hash.values(step.marks.edges);
            hash.values(step.marks.triangles);
        }
    return hash.value();
}

void write_saved_run(const Path& path, const SavedRun& run) {
    const Scenario& scenario = run.scenario;
    Json read = Json::object();
    for (const auto& [option, value] : scenario.read.texts()) read[option] = value;
    Json adjusted = Json::array();
    for (const Adjustment& one : run.adjusted)
        adjusted.push_back({{"round", one.round}, {"parameters", values_json(one.values)}});
    Json header{{"program", FLIPSCOPE_VERSION},
                {"lab", scenario.lab},
                {"parameters", values_json(scenario.parameters)},
                {"adjusted", adjusted},
                {"points", scenario.points},
                {"seed", scenario.seed && !scenario.points.empty() ? Json(*scenario.seed) : Json()}};
    for (const auto& [key, member] : kSavedFiles) header[key] = file_json(scenario.*member, path);
    header.update({{"read", read},
                   {"input_hash", hash_text(run.input_hash)},
                   {"rounds", run.rounds},
                   {"passes", run.passes ? Json(*run.passes) : Json()},
                   {"state_hash", hash_text(run.state_hash)}});
    // Names that are not UTF-8 are damaged here and reported missing on resuming.
    write_state_file(path, header.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", run.state);
}

SavedRun read_saved_run(const Path& path) {
    StateFile file = read_state_file(path);
    try {
        const Json header = Json::parse(file.header);
        SavedRun run;
        Scenario& scenario = run.scenario;
        run.program = header.at("program").get<std::string>();
        scenario.lab = header.at("lab").get<std::string>();
        for (const auto& [name, value] : header.at("parameters").items())
            scenario.set({name, value.get<std::string>()}, path.string() + ": parameter " + name);
        for (const Json& one : header.value("adjusted", Json::array())) {
            Adjustment& read = run.adjusted.emplace_back();
            read.round = one.at("round").get<uint64_t>();
            for (const auto& [name, value] : one.at("parameters").items())
                read.values.push_back({name, value.get<std::string>()});
        }
        scenario.points = header.at("points").get<std::string>();
        if (!header.at("seed").is_null()) scenario.seed = header.at("seed").get<uint64_t>();
        for (const auto& [key, member] : kSavedFiles) scenario.*member = read_file_name(header.at(key), path);
        const Json read = header.value("read", Json::object());
        for (const auto& [option, value] : read.items()) scenario.read.set(option, value.get<std::string>());
        run.input_hash = read_hash(header.at("input_hash").get<std::string>());
        run.rounds = header.at("rounds").get<uint64_t>();
        if (!header.at("passes").is_null()) run.passes = header.at("passes").get<uint64_t>();
        run.state_hash = read_hash(header.at("state_hash").get<std::string>());
        run.state = std::move(file.snapshot);
        return run;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {  // from the JSON library
        throw Error(path.string() + ": its header is not that of a saved run: " + excerpt(error.what()));
    }
}

Scenario scenario_of(const SavedRun& run, const Path& path, const Scenario& request) {
    const std::string file = path.string();
    const Scenario& saved = run.scenario;
    if (!request.lab.empty() && request.lab != saved.lab)
        throw Error("--resume " + file + ": this is a run of the lab \"" + saved.lab + "\", not of \"" + request.lab +
                    "\": flipscope run " + saved.lab + " --resume " + file);
    Scenario scenario = request;
    scenario.lab = saved.lab;
    scenario.places["lab"] = file;
    scenario.points = saved.points;
    scenario.seed = saved.seed;
    for (const auto& [key, member] : kSavedFiles)
        scenario.*member = settle_file(saved.*member, path, request.*member, std::string("--") + key);
    scenario.read = saved.read;
    scenario.parameters.clear();
    for (const Parameter& parameter : saved.parameters)
        scenario.set(parameter, saved.place("parameter " + parameter.name));
    return scenario;
}

void require_same_input(const SavedRun& run, const Path& path, const Geometry& geometry, const std::string& input) {
    if (contents_hash(geometry) == run.input_hash) return;
    throw Error("--resume " + path.string() + ": " + input +
                " differs from the input with which this run was saved; restore that input, or start again without "
                "--resume");
}

void resume(const SavedRun& run, const Path& path, Lab& lab) {
    const auto fail = [&](const std::string& why) {
        return Error(path.string() + ": was saved by flipscope " + run.program + ", and " + FLIPSCOPE_VERSION +
                     " cannot continue it: " + why + "; resume it with the version that saved it");
    };
    try {
        lab.load(run.state);
    } catch (const std::logic_error& error) {  // sizes or numbers of blocks differ from this version's
        throw fail(error.what());
    }
    if (const uint64_t hash = lab.state_hash(); hash != run.state_hash)
        throw fail("the state has the hash " + hash_text(hash) + ", and had " + hash_text(run.state_hash));
}

}  // namespace flipscope::app
