#include "app/run/scenario_json.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "app/run/element_query.h"
#include "app/run/failures.h"
#include "compute/error.h"
#include "flipscope/predicates.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

using EditJson = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using Pointer = JsonReader::Pointer;

enum class Operand { kPlace, kId, kValues };

struct EditKey {
    Edit::Kind kind;
    const char* key;
    Operand operand;
};
constexpr EditKey kEditKeys[] = {
    {Edit::Kind::kMoveVertex, "move", Operand::kId},  {Edit::Kind::kFlipEdge, "flip", Operand::kId},
    {Edit::Kind::kAddVertex, "add", Operand::kPlace}, {Edit::Kind::kRemoveVertex, "remove", Operand::kId},
    {Edit::Kind::kPaint, "paint", Operand::kPlace},   {Edit::Kind::kWipe, "wipe", Operand::kPlace},
    {Edit::Kind::kFreeze, "freeze", Operand::kId},    {Edit::Kind::kRelease, "release", Operand::kId},
    {Edit::Kind::kAdjust, "adjust", Operand::kValues}};

/// An element by its query: "point:3", "at:0.5,0.25".
void set_element(const JsonReader& reader, const Pointer& at, const std::string& text, PlacedEdit& edit) {
    const ElementQuery query = placed(reader.place(at), [&] { return parse_element(text, ""); });
    if (query.by == ElementQuery::By::kName) reader.fail(at, "point:INDEX, at:X,Y, or an id", text);
    const ElementKind wanted = edit.edit.kind == Edit::Kind::kFlipEdge ? ElementKind::kEdge : ElementKind::kVertex;
    edit.element = text;
    edit.find = [query, wanted](const Lab& lab) {
        const Element found = find_element(query, lab, lab.scene(), nullptr, "");
        if (found.kind != wanted)
            throw Error(query.text + ": expected " + std::string(word_of(wanted)) + ", found " + word_of(found.kind));
        return found.id;
    };
}

uint32_t id_of(const JsonReader& reader, const Pointer& at, const EditJson& value) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() >= kNone) reader.fail(at, "a number from 0", value);
    return value.get<uint32_t>();
}

Point3 place_of(const JsonReader& reader, const Pointer& at, const EditJson& value) {
    if (!value.is_array() || value.size() < 2 || value.size() > 3) reader.fail(at, "two or three coordinates", value);
    double place[3] = {};
    for (size_t i = 0; i < value.size(); ++i)
        place[i] = reader.number(at / i, value[i], -kMaxCoordinate, kMaxCoordinate);
    return {place[0], place[1], place[2]};
}

OrderedJson json_of_place(const Point3& place) {
    OrderedJson json{place.x, place.y};
    if (place.z != 0) json.push_back(place.z);
    return json;
}

PlacedEdit edit_of_json(const JsonReader& reader, const Pointer& at, const EditJson& json) {
    if (!json.is_object()) reader.fail(at, "an object such as {\"add\": [0.5, 0.25]}", json);
    PlacedEdit placed_edit;
    Edit& edit = placed_edit.edit;
    const EditKey* found = nullptr;
    for (const auto& [key, value] : json.items()) {
        const Pointer here = at / key;
        const auto* const known =
            std::ranges::find_if(kEditKeys, [name = key](const EditKey& one) { return name == one.key; });
        if (known != std::end(kEditKeys) && !found) {
            found = known;
            edit.kind = known->kind;
            if (known->operand == Operand::kPlace) edit.place = place_of(reader, here, value);
            if (known->operand == Operand::kId && value.is_string())
                set_element(reader, here, reader.text(here, value), placed_edit);
            else if (known->operand == Operand::kId)
                edit.id = id_of(reader, here, value);
            if (known->operand != Operand::kValues) continue;
            if (!value.is_object()) reader.fail(here, "an object of parameters and values", value);
            for (const auto& [name, setting] : value.items())
                edit.values.push_back({name, reader.text(here / name, setting)});
        } else if (key == "to") {
            edit.place = place_of(reader, here, value);
        } else if (key == "path" && value.is_array()) {
            for (size_t i = 0; i < value.size(); ++i) edit.path.push_back(place_of(reader, here / i, value[i]));
        } else if (key == "radius") {
            edit.radius = reader.number(here, value, 0, kMaxCoordinate);
        } else if (key == "part") {
            edit.part = id_of(reader, here, value);
        } else if (key != "at") {
            throw Error(reader.place(here) + ": expected one of " + [] {
                std::vector<std::string> keys;
                for (const EditKey& one : kEditKeys) keys.emplace_back(one.key);
                return join_words(keys, ", ");
            }() + " and, with it, at, to, path, radius, part");
        }
    }
    if (!found) reader.fail(at, "an edit such as {\"add\": [0.5, 0.25]}", json);
    if (edit.kind == Edit::Kind::kMoveVertex && !json.contains("to"))
        reader.fail(at, "\"to\" beside \"move\": the new place of the point", json);
    return placed_edit;
}

}  // namespace

std::vector<PlacedEdit> edits_of_json(const JsonReader& reader, const Pointer& at, const EditJson& value,
                                      uint64_t next) {
    if (!value.is_array()) reader.fail(at, "a list of edits, such as [{\"add\": [0.5, 0.25]}]", value);
    std::vector<PlacedEdit> edits;
    for (size_t i = 0; i < value.size(); ++i) {
        const Pointer here = at / i;
        PlacedEdit edit = edit_of_json(reader, here, value[i]);
        const uint64_t place = value[i].contains("at") ? reader.passes(here / "at", value[i]["at"]) : next;
        if (place < next)
            reader.fail(here / "at",
                        next == PlacedEdit::kAtEnd ? "\"end\", as before" : "at least pass " + std::to_string(next),
                        place);
        edit.at = place;
        edits.push_back(std::move(edit));
        next = place == PlacedEdit::kAtEnd ? place : place + 1;
    }
    return edits;
}

OrderedJson json_of_edits(const std::vector<PlacedEdit>& edits) {
    OrderedJson list = OrderedJson::array();
    for (const PlacedEdit& one : edits) {
        const auto& [at, edit, element, find] = one;
        OrderedJson json{{"at", at == PlacedEdit::kAtEnd ? OrderedJson("end") : OrderedJson(at)}};
        const EditKey& known = kEditKeys[static_cast<size_t>(edit.kind)];
        if (known.operand == Operand::kPlace) json[known.key] = json_of_place(edit.place);
        if (known.operand == Operand::kId) json[known.key] = find ? OrderedJson(element) : OrderedJson(edit.id);
        if (known.operand == Operand::kValues) json[known.key] = OrderedJson::object();
        for (const auto& [name, setting] : edit.values) json[known.key][name] = setting;
        if (edit.kind == Edit::Kind::kMoveVertex) json["to"] = json_of_place(edit.place);
        if (edit.part != 0) json["part"] = edit.part;
        if (edit.radius != 0) json["radius"] = edit.radius;
        if (!edit.path.empty()) json["path"] = OrderedJson::array();
        for (const Point3& place : edit.path) json["path"].push_back(json_of_place(place));
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace flipscope::app
