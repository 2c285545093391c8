#include "app/run/scenario.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/images/images.h"
#include "app/run/scenario_json.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/generators.h"
#include "instruments/area_source.h"
#include "io/fields.h"
#include "io/files.h"
#include "io/points.h"
#include "io/state_file.h"
#include "io/structured_text.h"
#include "io/table_roles.h"
#include "io/triangles.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

using PlainJson = nlohmann::json;

constexpr size_t kMostBytes = size_t(1) << 20;
constexpr size_t kBytesOfKeys = size_t(1) << 16;  // at the start of a file, enough to recognise a scenario
constexpr size_t kLongestPlace = 120;  // bytes of a JSON pointer in an error; keys may be as long as the file

std::string short_text(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

struct ScenarioReader : JsonReader {
    bool toggle(const Pointer& at, const PlainJson& value) const {
        if (!value.is_boolean()) fail(at, "true or false", value);
        return value.get<bool>();
    }
    uint64_t whole(const Pointer& at, const PlainJson& value) const {
        if (!value.is_number_unsigned()) fail(at, "a whole number, zero or more", value);
        return value.get<uint64_t>();
    }
    double coordinate(const Pointer& at, const PlainJson& value) const {
        double number = 0;
        if (value.is_number()) {
            number = value.get<double>();
        } else {
            const std::string text = value.is_string() ? value.get<std::string>() : "";
            char* end = nullptr;
            number = std::strtod(text.c_str(), &end);
            if (text.empty() || *end || !std::isfinite(number))
                fail(at, "a number, or a hex float such as \"0x1.8p+1\"", value);
        }
        require_in_range(number, place(at));
        return number;
    }
    std::vector<Point> points(const Pointer& at, const PlainJson& value) const {
        std::vector<Point> found;
        for (size_t i = 0; i < value.size(); ++i) {
            if (!value[i].is_array() || value[i].size() != 2) fail(at / i, "a pair of coordinates", value[i]);
            found.push_back({coordinate(at / i / 0, value[i][0]), coordinate(at / i / 1, value[i][1])});
        }
        if (found.empty()) fail(at, "points, or the name of a generator", value);
        return found;
    }
    std::vector<std::array<uint32_t, 3>> triangles(const Pointer& at, const PlainJson& value) const {
        std::vector<std::array<uint32_t, 3>> found;
        for (size_t i = 0; i < value.size(); ++i) {
            if (!value[i].is_array() || value[i].size() != 3) fail(at / i, "three indices of points", value[i]);
            std::array<uint32_t, 3>& triangle = found.emplace_back();
            for (size_t k = 0; k < 3; ++k) {
                const PlainJson& index = value[i][k];
                if (!index.is_number_integer()) fail(at / i / k, "the index of a point, or -1 for none", index);
                // Invalid indices are allowed: the Judge lab checks them.
                triangle[k] = index.is_number_unsigned() && index.get<uint64_t>() < kNone
                                  ? static_cast<uint32_t>(index.get<uint64_t>())
                                  : kNone;
            }
        }
        return found;
    }
    std::vector<std::string> looks(const Pointer& at, const PlainJson& value,
                                   std::map<std::string, std::string>& places) const {
        std::vector<std::string> found;  // unknown layers are reported once layers exist
        const auto take = [&](const Pointer& here, const PlainJson& name) {
            if (!name.is_string()) fail(here, "names of layers, such as cells or links", name);
            found.push_back(name.get<std::string>());
            places["layer " + found.back()] = place(here);
        };
        if (!value.is_array()) take(at, value);
        for (size_t i = 0; value.is_array() && i < value.size(); ++i) take(at / i, value[i]);
        return found;
    }
    ReadOptions reading(const Pointer& at, const PlainJson& value) const {
        if (!value.is_object()) fail(at, "an object such as {\"columns\": \"x=Lon,y=Lat\"}", value);
        ReadOptions options;
        for (const auto& [name, setting] : value.items()) {
            const std::string written = text(at / name, setting);
            placed(place(at / name), [&] { options.set(name, written); });
        }
        return options;
    }
    void set_spatial(const Pointer& at, const PlainJson& value, Scenario& scenario) const {
        if (!value.is_object()) fail(at, "an object such as {\"spatial\": \"K,L\", \"envelopes\": 99}", value);
        for (const auto& [name, setting] : value.items()) {
            const std::string written = setting.is_number() ? setting.dump() : text(at / name, setting);
            placed(place(at / name), [&] { scenario.set_spatial(name, written); });
        }
    }
    void set_parameters(const Pointer& at, const PlainJson& value, Scenario& scenario) const {
        if (!value.is_object()) fail(at, "an object of names and values", value);
        for (const auto& [name, setting] : value.items()) {
            if (!setting.is_string() && !setting.is_boolean() && !setting.is_number())
                fail(at / name, "a text, a number, true or false", setting);
            const std::string text = setting.is_string()    ? setting.get<std::string>()
                                     : setting.is_boolean() ? setting.get<bool>() ? "on" : "off"
                                                            : setting.dump();
            scenario.set({name, text}, place(at / name));
        }
    }
};

PlainJson parse(const std::string& file, const std::string& text) {
    try {
        return PlainJson::parse(text);
    } catch (const PlainJson::parse_error& error) {
        // Convert the library's byte offset to a line.
        const size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
        size_t begin = end;
        while (begin > 0 && text[begin - 1] != '\n') --begin;
        const std::string rest = text.substr(begin, std::min(text.find('\n', begin), begin + 40) - begin);
        throw Error(file + ":" + std::to_string(line) + ": expected JSON, found " +
                    (rest.empty() ? "the end of the file" : excerpt(rest)));
    } catch (const PlainJson::out_of_range& error) {
        const std::string said = error.what();  // "… number overflow parsing '1e999'"
        const size_t quote = std::min(said.find('\''), said.size());
        throw Error(file + ": expected numbers that a double can hold, found " +
                    excerpt(said.substr(std::min(quote + 1, said.size()), said.rfind('\'') - quote - 1)));
    } catch (const PlainJson::exception& error) {
        throw Error(file + ": expected JSON, found " + excerpt(error.what()));
    }
}

const std::vector<std::string> kKeys{
    "lab",        "points",       "mesh",         "input",        "triangles",       "field",
    "tracks",     "seed",         "parameters",   "play",         "presenter_scale", "show",
    "hide",       "title",        "note",         "at",           "colour_by",       "read",
    "failure",    "beta",         "alpha",        "edits",        "spatial",         "within",
    "colour_map", "colour_range", "colour_scale", "colour_steps", "size_by",         "select",
    "scatter",    "log_axes",     "curve"};

/// The key of DataView::set(): "colour-map"; empty: another field.
std::string data_key(std::string key) {
    static constexpr std::string_view kFirst = "colour_map";
    const auto first = std::find(kKeys.begin(), kKeys.end(), kFirst);
    if (std::find(first, kKeys.end(), key) == kKeys.end()) return {};
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

std::string meant_key(const std::string& key) {
    const std::string meant = nearest_word(key, kKeys);
    return meant.empty() ? "" : "; did you mean \"" + meant + "\"?";
}

/// Whether JSON, judged by its beginning, holds points: an array, GeoJSON, or an object with lists or numbers under
/// names unknown to scenarios. `names`: of that object.
bool is_data(std::string_view text, const std::vector<io::OuterName>& names) {
    const auto has = [&](const auto& question) { return std::any_of(names.begin(), names.end(), question); };
    if (names.empty()) return io::looks_like_structured_text(text) && text.find('{') > text.find('[');
    if (has([](const io::OuterName& name) { return name.name == "lab"; })) return false;
    if (has([](const io::OuterName& name) { return name.name == "type" && name.begins == '"'; })) return true;
    std::vector<io::HeaderName> headers;
    for (const io::OuterName& name : names) headers.push_back(io::header_name(name.name));
    const io::TableRoles roles = io::roles_of(headers, std::vector<bool>(headers.size(), false));
    bool has_data = roles.x.has_value(), has_keys = false, has_places = false, has_others = false;
    for (const io::OuterName& name : names) {
        const bool key = std::find(kKeys.begin(), kKeys.end(), name.name) != kKeys.end();
        const bool fits = key && (name.name == "points" || name.name == "show" || name.name == "hide" ||
                                  name.name == "parameters" || (name.begins != '[' && name.begins != '{'));
        has_places = has_places || (name.name == "points" && name.begins == '[');
        has_others = has_others || !key;
        const bool may_be_data =
            name.name == "title" || name.name == "note" || (name.name == "points" && name.begins == '[');
        has_keys = has_keys || (fits && !may_be_data);
        has_data = has_data || (!fits && (name.begins == '[' || name.begins == '{'));
    }
    return (has_data || (has_places && has_others)) && !has_keys;
}

/// Whether this lab exists and starts without input.
bool makes_its_own(const std::string& lab) {
    return std::any_of(registry().begin(), registry().end(), [&](const RegistryEntry& entry) {
        return entry.id == lab && entry.info().inputs.has(InputKind::kNothing);
    });
}

/// The points, mesh or other main part of the input.
Geometry main_part(const Scenario& scenario, Input& input) {
    if (!scenario.input.empty()) {
        input.text = scenario.input.string();
        return placed(scenario.place("input"),
                      [&] { return read_input(scenario.input, &input.notes, scenario.read, &input.layout.emplace()); });
    }
    if (!scenario.places_given.empty()) {
        input.text = scenario.triangles_given.empty() ? "the scenario's points" : "the scenario's points and triangles";
        Geometry given{input.text, scenario.places_given};
        given.triangles = scenario.triangles_given;
        return given;
    }
    if (scenario.points.empty()) return {};
    return placed(scenario.place("points"), [&] {
        GeneratorSpec spec = parse_generator(scenario.points);
        if (scenario.seed) spec.seed = *scenario.seed;
        input.text = generator_text(spec);
        input.seed = spec.seed;
        Geometry set = check_points(generate(spec));
        set.name = input.text;
        return set;
    });
}

void add_part(Geometry& geometry, Input& input, const std::string& name, const std::filesystem::path& path) {
    input.text += (input.text.empty() ? "" : ", ") + path.string();
    if (geometry.name.empty()) geometry.name = name;
}

}  // namespace

void Scenario::set(const Parameter& parameter, const std::string& place) {
    std::erase_if(parameters, [&](const Parameter& before) { return before.name == parameter.name; });
    parameters.push_back(parameter);
    places.erase("parameter " + parameter.name);
    if (!place.empty()) places["parameter " + parameter.name] = place;
}

bool Scenario::sets(const std::string& name) const {
    return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& one) { return one.name == name; });
}

bool Scenario::names_input() const {
    return !points.empty() || !places_given.empty() || !input.empty() || !field.empty() || !tracks.empty();
}

void Scenario::start_on(const std::string& named) {
    points.clear();
    places_given.clear();
    triangles_given.clear();
    edits.clear();
    for (const auto& [key, file] : kInputFiles) (this->*file).clear();
    if (std::error_code ignored; std::filesystem::exists(named, ignored))
        input = named;
    else
        points = named;
}

FileKind file_kind(const std::filesystem::path& path) {
    const std::filesystem::path file = io::user_path(path.string());
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) return FileKind::kFolder;
    if (file.extension() == kStateExtension) return FileKind::kState;
    if (io::lower_extension(file) != ".json") return FileKind::kInput;
    std::string text;
    try {
        text = io::FileBytes(file).head().substr(0, kBytesOfKeys);
    } catch (const Error&) {  // the reader reports it
    }
    const std::vector<io::OuterName> names = io::outer_names(text);
    if (std::any_of(names.begin(), names.end(), [](const io::OuterName& name) { return name.name == "steps"; }))
        return FileKind::kLesson;
    return is_data(text, names) ? FileKind::kInput : FileKind::kScenario;
}

Scenario read_scenario(const std::filesystem::path& path) {
    const PlainJson json = read_json(path);
    if (!json.is_object())
        throw Error(path.string() + ": expected an object such as {\"lab\": \"build\", \"points\": \"uniform:1000\"}");
    return scenario_of_fields(json, path, "");
}

PlainJson read_json(const std::filesystem::path& path) { return parse(path.string(), io::read_file(path, kMostBytes)); }

std::string JsonReader::place(const Pointer& at) const {
    return file + ": " + printable_within(at.to_string(), kLongestPlace);
}

void JsonReader::fail(const Pointer& at, const std::string& expected, const PlainJson& found) const {
    throw Error(place(at) + ": expected " + expected + ", found " +
                (found.is_structured() ? std::string("an ") + found.type_name()
                 : found.is_string()   ? excerpt(found.get_ref<const std::string&>())
                                       : found.dump()));
}

std::string JsonReader::text(const Pointer& at, const PlainJson& value) const {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) fail(at, "a text", value);
    return value.get<std::string>();
}

uint64_t JsonReader::passes(const Pointer& at, const PlainJson& value) const {
    if (value == "end") return Scenario::kAtEnd;
    if (!value.is_number_unsigned()) fail(at, "\"end\" or a number of passes", value);
    return value.get<uint64_t>();
}

double JsonReader::number(const Pointer& at, const PlainJson& value, double least, double most) const {
    if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most))
        fail(at, "a number from " + short_text(least) + " to " + short_text(most), value);
    return value.get<double>();
}

Scenario scenario_of_fields(const PlainJson& json, const std::filesystem::path& path, const std::string& pointer) {
    const ScenarioReader reader{{path.string()}};
    Scenario scenario;
    std::string twice;
    const std::string before = reader.file + ": " + pointer;  // begins errors about duplicate fields
    for (const auto& [key, value] : json.items()) {
        const PlainJson::json_pointer at = PlainJson::json_pointer(pointer) / key;
        if (key == "lab")
            scenario.lab = reader.text(at, value);
        else if (key == "points" && value.is_array())
            scenario.places_given = reader.points(at, value);
        else if (key == "points" || key == "mesh")
            (scenario.points.empty() ? scenario.points : twice) = reader.text(at, value);
        else if (key == "triangles" && value.is_array())
            scenario.triangles_given = reader.triangles(at, value);
        else if (const auto* const file = std::find_if(std::begin(kInputFiles), std::end(kInputFiles),
                                                       [&](const auto& one) { return key == one.first; });
                 file != std::end(kInputFiles))
            scenario.*file->second = path.parent_path() / io::user_path(reader.text(at, value));
        else if (key == "read")
            scenario.read = reader.reading(at, value);
        else if (key == "spatial")
            reader.set_spatial(at, value, scenario);
        else if (key == "seed")
            scenario.seed = reader.whole(at, value);
        else if (key == "parameters")
            reader.set_parameters(at, value, scenario);
        else if (key == "edits")
            scenario.edits = edits_of_json(reader, at, value, 0);
        else if (key == "play")
            scenario.play = reader.toggle(at, value);
        else if (key == "presenter_scale")
            scenario.presenter_scale = reader.number(at, value, 0.25, 8);
        else if (key == "beta")
            scenario.display.beta = reader.number(at, value, kLeastBeta, kMostBeta);
        else if (key == "alpha")
            scenario.display.alpha = reader.number(at, value, 0, kMaxCoordinate);
        else if (key == "title")
            scenario.title = reader.text(at, value);
        else if (key == "note")
            scenario.note = reader.text(at, value);
        else if (key == "at")
            scenario.at = reader.passes(at, value);
        else if (key == "failure")
            scenario.failure = reader.text(at, value);
        else if (key == "hide" || key == "show")
            set_display(scenario.display, reader.looks(at, value, scenario.places), key == "show");
        else if (key == "within")
            scenario.within = area_text_in(path.parent_path(), reader.text(at, value));
        else if (key == "colour_by")
            scenario.colour_by = Explored(reader.text(at, value));  // resolved once the input is known
        else if (const std::string name = data_key(key); !name.empty())
            placed(reader.place(at),
                   [&] { scenario.data.set(name, value.is_number() ? value.dump() : reader.text(at, value)); });
        else
            throw Error(reader.file + ": " + (pointer.empty() ? "" : pointer + ": ") + "unknown key " + excerpt(key) +
                        meant_key(key) + "; known: " + join_words(kKeys, ", "));
        scenario.places[key == "mesh" ? "points" : key] = reader.place(at);
    }
    if (!scenario.lab.empty()) placed(scenario.place("lab"), [&] { return make_lab(scenario.lab); });
    if (scenario.colour_by)
        scenario.colour_by = colour_named(scenario.colour_by->attribute, scenario, scenario.place("colour_by"));
    if (!scenario.points.empty() && !scenario.places_given.empty()) twice = scenario.points;
    if (scenario.at && scenario.play) throw Error(before + "/at and /play are both given; keep one of them");
    if (!twice.empty()) throw Error(before + "/points and /mesh are both given; keep one of them");
    if ((!scenario.points.empty() || !scenario.places_given.empty()) && !scenario.input.empty())
        throw Error(before + "/points and /input are both given; keep one of them");
    if (!scenario.triangles_given.empty() && scenario.places_given.empty())
        throw Error(before +
                    "/triangles: expected \"points\" beside it, as [[x, y], …], which these triangles are over");
    if (!scenario.names_input() && !makes_its_own(scenario.lab))
        throw Error(reader.file + ": " + (pointer.empty() ? "" : pointer + ": ") +
                    "expected \"points\" (a generator) or \"input\" (a file), found neither");
    if (!scenario.points.empty()) placed(scenario.place("points"), [&] { return parse_generator(scenario.points); });
    return scenario;
}

PlainJson run_fields(const Scenario& scenario,
                     const std::function<std::string(const std::filesystem::path& file)>& name_of) {
    PlainJson fields{{"lab", scenario.lab}};
    if (!scenario.points.empty()) fields["points"] = scenario.points;
    if (!scenario.places_given.empty()) fields["points"] = PlainJson::array();
    for (const Point& place : scenario.places_given) fields["points"].push_back({place.x, place.y});
    for (const auto& [key, file] : kInputFiles)
        if (!(scenario.*file).empty()) fields[key] = name_of(scenario.*file);
    for (const auto& [option, value] : scenario.read.texts()) fields["read"][option] = value;
    if (scenario.seed) fields["seed"] = *scenario.seed;
    for (const auto& [name, value] : scenario.parameters) fields["parameters"][name] = value;
    if (!scenario.within.empty()) fields["within"] = scenario.within;
    if (scenario.spatial) fields["spatial"] = scenario.spatial->texts;
    if (!scenario.edits.empty()) fields["edits"] = json_of_edits(scenario.edits);
    return fields;
}

std::string name_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path near = std::filesystem::proximate(file, folder.empty() ? "." : folder, ignored);
    return (near.empty() ? file : near).string();
}

std::string scenario_file(const Scenario& scenario, const std::filesystem::path& folder) {
    PlainJson fields = run_fields(scenario, [&](const std::filesystem::path& file) { return name_from(folder, file); });
    if (!scenario.title.empty()) fields["title"] = scenario.title;
    if (!scenario.note.empty()) fields["note"] = scenario.note;
    if (scenario.at) fields["at"] = *scenario.at == Scenario::kAtEnd ? PlainJson("end") : PlainJson(*scenario.at);
    for (const auto& [layer, shown] : scenario.display.layers) fields[shown ? "show" : "hide"].push_back(layer);
    const DisplayOptions usual;
    if (scenario.display.beta != usual.beta) fields["beta"] = scenario.display.beta;
    if (scenario.display.alpha != usual.alpha) fields["alpha"] = scenario.display.alpha;
    if (scenario.colour_by) fields["colour_by"] = scenario.colour_by->id();
    for (auto [key, text] : scenario.data.texts()) {
        std::replace(key.begin(), key.end(), '-', '_');
        fields[key] = text;
    }
    return fields.dump(2, ' ', false, PlainJson::error_handler_t::replace) + "\n";
}

Explored colour_named(const std::string& id, const Scenario& scenario, const std::string& where) {
    if (const ElementQuantityInfo* const info = find_quantity(id)) return info->quantity;
    return scenario.input.empty() ? explored_of(id, nullptr, where + ": " + printable(id)) : Explored(id);
}

std::string description(const Scenario& scenario) {
    return scenario.title + (scenario.title.empty() || scenario.note.empty() ? "" : ": ") + scenario.note;
}

std::unique_ptr<Lab> make_scenario_lab(const Scenario& scenario, std::vector<ParameterDescription>* defaults) {
    auto algorithm = placed(scenario.place("lab"), [&] { return make_lab(scenario.lab); });
    if (defaults) *defaults = list_parameters(*algorithm);
    for (const auto& [name, value] : scenario.parameters)
        set_parameter(*algorithm, name, value, scenario.place("parameter " + name));
    for (const PlacedEdit& one : scenario.edits)
        if (!supports_edit(*algorithm, one.edit.kind))
            placed(scenario.place("edits"), [&] { throw Error(refusal_of(algorithm->info(), one.edit.kind)); });
    return algorithm;
}

std::string example_of(const std::string& lab) {
    const char* example = lab_info(lab).example;
    return example ? example : "";
}

Input load_input(const Scenario& scenario) {
    if (!scenario.names_input() && !makes_its_own(scenario.lab))
        throw Error("no input: name a generator with --points or --mesh, or a file with --input");
    Input input;
    Geometry geometry = main_part(scenario, input);
    if (!scenario.triangles.empty()) {
        if (geometry.points.empty() || geometry.in_space())
            throw Error(scenario.triangles.string() +
                        ": expected points of the plane beside it, which these triangles are over");
        set_triangles(geometry, placed(scenario.place("triangles"), [&] {
                          return read_triangles(scenario.triangles, &input.notes, row_count(geometry));
                      }));
        add_part(geometry, input, geometry.name, scenario.triangles);
        geometry.name += ", " + scenario.triangles.filename().string();
    }
    if (!scenario.field.empty()) {
        if (geometry.field)
            throw Error(scenario.field.string() + " and " + scenario.input.string() +
                        " are both fields; leave one out");
        geometry.field = placed(scenario.place("field"), [&] {
            return std::make_shared<FieldStack>(read_any_field(scenario.field, &input.notes, scenario.read));
        });
        if (geometry.points.empty())
            geometry.unit = scenario.read.unit.empty() ? geometry.field->unit : scenario.read.unit;
        add_part(geometry, input, geometry.field->name, scenario.field);
    }
    if (!scenario.tracks.empty()) {
        if (geometry.tracks)
            throw Error(scenario.tracks.string() + " and " + scenario.input.string() +
                        " both have points over time; leave one out");
        geometry.tracks = placed(scenario.place("tracks"), [&] {
            return std::make_shared<Tracks>(read_tracks(scenario.tracks, &input.notes, scenario.read));
        });
        add_part(geometry, input, geometry.tracks->name, scenario.tracks);
    }
    if (input.text.empty()) input.text = "nothing given";
    input.geometry = std::make_shared<Geometry>(std::move(geometry));
    return input;
}

}  // namespace flipscope::app
