#include "lab/unit_names.h"

#include <cmath>
#include <utility>

#include "geometry/frames.h"

namespace flipscope {

namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

void rename(std::string& text, const std::string& unit) { text = in_unit(std::move(text), unit); }

void rename(Table& table, const std::string& unit) {
    for (Table::Column& column : table.columns) {
        rename(column.sentence, unit);
        rename(column.unit, unit);
    }
    if (!table.row) return;
    table.row = [of = std::move(table.row), unit](size_t i) {
        Table::Row row = of(i);
        for (Value& cell : row.cells) rename(cell.unit, unit);
        return row;
    };
}

void rename(Distribution& distribution, const std::string& unit) {
    rename(distribution.unit, unit);
    rename(distribution.sentence, unit);
}

void rename(Curve& curve, const std::string& unit) {
    for (std::string* text : {&curve.sentence, &curve.x_name, &curve.y_name, &curve.remark}) rename(*text, unit);
}

void rename(Diagram&, const std::string&) {}
void rename(Properties& properties, const std::string& unit) { name_units(properties, unit); }

}  // namespace

std::string in_unit(std::string text, const std::string& unit) {
    if (unit.empty() || text.find("world unit") == text.npos) return text;
    replace_all(text, "per world unit²", "1/" + unit + "²");
    replace_all(text, "per world unit", "per " + unit);
    for (const char* squared : {"world units²", "world units squared"}) replace_all(text, squared, unit + "²");
    replace_all(text, "world units", unit);
    return text;
}

double PictureUnits::size() const { return std::fabs(given.unit.x); }

PictureUnits units_of(const SceneView& view, const std::string& unit) {
    PictureUnits units{unit, {}};
    for (const Layer& layer : view.layers) {
        const auto* const lattice = std::get_if<LatticeLayer>(&layer.shape);
        if (lattice && *lattice && !(lattice->units.origin == Point{} && lattice->units.unit == Point{1, 1}))
            units.given = lattice->units;
    }
    return units;
}

std::string length_unit(const Scene& scene, const Geometry* input) {
    if (!input || !scene.in_input_units) return {};
    if (!scene.unit.empty()) return scene.unit;
    return input->unit.empty() && input->tracks ? input->tracks->unit : input->unit;
}

void name_units(Properties& properties, const std::string& unit) {
    if (unit.empty()) return;
    for (Property& property : properties.list) {
        rename(property.value.unit, unit);
        rename(property.why, unit);
    }
}

void name_units(Report& report, const std::string& unit) {
    if (unit.empty()) return;
    for (Section& section : report.sections) {
        rename(section.sentence, unit);
        std::visit([&](auto& content) { rename(content, unit); }, section.content);
    }
}

void name_units(Scene& scene, const std::string& unit) {
    if (unit.empty()) return;
    for (uint32_t k = 0; k < scene.view_count(); ++k)
        for (Layer& layer : scene.view(k).layers) rename(layer.scale.unit, unit);
}

}  // namespace flipscope
