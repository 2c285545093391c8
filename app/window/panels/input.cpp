#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/run/inputs.h"
#include "app/session/preferences.h"
#include "app/window/actions.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "geometry/generators.h"
#include "io/geometry.h"
#include "io/recording.h"
#include "lab/parameters.h"
#include "lab/registry.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

constexpr const char* kAllDigits = "%.15g";  // enough for typed numbers: coordinates are never rounded

/// The draft's text with the options as typed, valid or not.
std::string typed_text_of(const UiState& state) {
    const std::string text = generator_text(state.draft);
    const size_t at = std::min(text.find('@'), text.size());
    std::string options = state.generator_options;
    options.erase(std::remove(options.begin(), options.end(), ' '), options.end());
    if (options.empty()) return text;
    return text.substr(0, at) + "@" + options + (at < text.size() ? "," + text.substr(at + 1) : "");
}

/// "mean=20,sigma=0.15 √(mean / count)"
std::string usual_options(const GeneratorInfo& generator) {
    std::string text;
    for (const GeneratorOption& option : generator.options)
        text += (text.empty() ? "" : ",") + option.name + "=" + option.usual_value_text();
    return text;
}

std::string help_on(const GeneratorInfo& generator) {
    return generator.sentence + (generator.source.empty() ? "" : "\n" + generator.source);
}

std::string help_on_options(const GeneratorInfo& generator) {
    std::string text = "Written name=value, separated by commas; options left out keep their defaults.";
    for (const GeneratorOption& option : generator.options)
        text += "\n" + option.name + ": " + option.sentence + " (" + option.range_text() + "; " +
                option.usual_value_text() + ")";
    return text;
}

void label(const Ui& ui, const char* text) { begin_line(ui, text, ui.em(84)); }

bool accepts(const LabInfo& lab, GeneratorOutput what) {
    return what == GeneratorOutput::kPoints || lab.inputs.has(InputKind::kSurfaces) ||
           (what == GeneratorOutput::kPlanarMesh && lab.inputs.has(InputKind::kMeshes));
}

/// The generators that the lab accepts, under headings if there are several kinds.
void choose_generator(Ui& ui) {
    std::string& chosen = ui.state.draft.name;
    const std::string before = chosen;
    if (!accepts(ui.model.info, find_generator(chosen).makes)) chosen = generators().front().name;
    if (ImGui::BeginCombo("##generator", chosen.c_str(), ImGuiComboFlags_HeightLargest)) {
        for (const GeneratorGroup& group : generator_groups()) {
            bool first = true;
            for (const GeneratorInfo& each : generators()) {
                if (!group.has(each) || !accepts(ui.model.info, group.makes)) continue;
                if (first) quiet_text(ui, capitalised(group.name));
                first = false;
                if (list_option(ui, each.name, each.name == before)) chosen = each.name;
                if (each.name == before && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
                help_for_last(ui, help_on(each));
            }
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, help_on(find_generator(chosen)));
    if (chosen != before) ui.state.generator_options.clear();
}

void draw_count(Ui& ui, const GeneratorInfo& generator) {
    uint64_t& count = ui.state.draft.count;
    const bool mesh = generator.makes != GeneratorOutput::kPoints;
    const double least = std::max(3.0, static_cast<double>(generator.min_count));
    const double most = std::min(1e7, static_cast<double>(generator.max_count));
    label(ui, mesh ? "Vertices" : "Points");
    auto typed = static_cast<ImS64>(count);
    if (ImGui::InputScalar("##count", ImGuiDataType_S64, &typed)) {
        const auto largest = static_cast<ImS64>(std::min<uint64_t>(generator.max_count, INT32_MAX));
        count = static_cast<uint64_t>(std::clamp<ImS64>(typed, 0, largest));
        if (typed != static_cast<ImS64>(count))
            ui.session.reply(Message::Kind::kWarning, "Points: " + generator.name + " makes at most " +
                                                          number_text(largest) + "; it is set to " +
                                                          number_text(count) + ".");
    }
    help_for_last(ui, std::string(mesh ? "How many vertices" : "How many points") + ". The slider below goes from " +
                          number_text(least) + " to " + number_text(most) + ".");
    label(ui, "");
    auto power = static_cast<float>(std::log10(std::max<uint64_t>(count, 1)));
    const auto low = static_cast<float>(std::log10(least)), high = static_cast<float>(std::log10(most));
    if (ImGui::SliderFloat("##count-slider", &power, low, high, "", ImGuiSliderFlags_NoInput)) {
        const double exact = std::pow(10, power), step = std::pow(10, std::max(std::floor(power) - 1, 0.f));
        count =
            static_cast<uint64_t>(std::clamp(std::round(exact / step) * step, least, most));  // two digits are enough
    }
}

void draw_generator(Ui& ui) {
    UiState& state = ui.state;
    label(ui, "Shape");
    choose_generator(ui);
    const GeneratorInfo& generator = find_generator(state.draft.name);
    const bool mesh = generator.makes != GeneratorOutput::kPoints;
    draw_count(ui, generator);
    label(ui, "Seed");
    auto seed = static_cast<ImS64>(std::min<uint64_t>(state.draft.seed, INT64_MAX));
    if (ImGui::InputScalar("##seed", ImGuiDataType_S64, &seed)) {
        state.draft.seed = static_cast<uint64_t>(std::max<ImS64>(seed, 0));
        if (seed < 0) ui.session.reply(Message::Kind::kWarning, "Seed: it is 0 or greater; it is set to 0.");
    }
    help_for_last(ui, "The same seed gives the same random numbers, on every device.");
    label(ui, "Scale");
    ImGui::InputDouble("##scale", &state.draft.scale, 0, 0, kAllDigits);
    help_for_last(ui, "Every coordinate is multiplied by this.");
    label(ui, "Offset");
    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ui.em(4));
    ImGui::SetNextItemWidth(half);
    ImGui::InputDouble("##x", &state.draft.offset.x, 0, 0, kAllDigits);
    help_for_last(ui, "Then moved right by this. Try 1e6 or 1e12: far from the origin, doubles are coarse.");
    ImGui::SameLine(0, ui.em(4));
    ImGui::SetNextItemWidth(half);
    ImGui::InputDouble("##y", &state.draft.offset.y, 0, 0, kAllDigits);
    help_for_last(ui, "Then moved up by this.");
    bool entered = false;
    if (!generator.options.empty()) {
        label(ui, "Options");
        entered = ImGui::InputTextWithHint("##generator-options", usual_options(generator).c_str(),
                                           &state.generator_options, ImGuiInputTextFlags_EnterReturnsTrue);
        ui.boxes.add("options_field", box_of_last());
        help_for_last(ui, help_on_options(generator));
    }
    if (ImGui::Button(mesh ? "Make mesh" : "Make points", {-1, 0}) || entered)
        ui.session.opener().load(typed_text_of(state), false);
    help_for_last(ui, mesh ? "Takes this mesh and starts over." : "Takes these points and starts over.");
}

// The registered labs; this file has no other knowledge of them.
void draw_lab(Ui& ui) {
    if (registry().size() < 2) return;
    const bool in_space = ui.session.input() && ui.session.input()->in_space();
    ImGui::SetNextItemWidth(-1);
    const bool opened = ImGui::BeginCombo("##lab", ui.model.info.title.c_str());
    if (!opened) ui.boxes.add("lab_list", box_of_last());
    if (opened) {
        for (size_t i = 0; i < registry().size(); ++i) {
            const RegistryEntry& entry = registry()[i];
            if (i == 0 || std::string(entry.group) != registry()[i - 1].group) quiet_text(ui, entry.group);
            const LabInfo info = entry.info();
            const bool whole = info.inputs.has(InputKind::kSurfaces) || !in_space;
            const bool is_open = info.id == ui.model.info.id;
            if (list_option(ui, info.title, is_open) && !is_open) ui.session.opener().open_lab(info.id);
            help_for_last(ui, info.sentence + "\n" + info.paper +
                                  (whole ? "" : "\nIt works in the plane: x and y of the loaded surface count."));
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, ui.model.info.sentence + "\n" + ui.model.info.paper);
}

/// "Points, an image or points over time take their place."
std::string what_may_be_given(const LabInfo& info) {
    std::vector<std::string> kinds{"points"};
    if (info.inputs.has(InputKind::kFields))
        kinds.push_back(info.inputs.has(InputKind::kTracks) ? "images or another field over time" : "an image");
    if (info.inputs.has(InputKind::kTracks)) kinds.push_back("points over time");
    return capitalised(join_words(kinds)) + " can be given instead.";
}

std::string what_files_hold() {
    std::string text;
    const auto add = [&](const char* heading, const std::vector<FormatInfo>& formats) {
        text += (text.empty() ? "" : "\n") + std::string(heading);
        for (const FormatInfo& format : formats)
            text += "\n" + join_words(format.extensions, ", ") + " \u2013 " + format.sentence;
    };
    add("Points, points over time, a mesh or an image from a file:", geometry_formats());
    add("What another program recorded, also a folder of its steps:", recording_formats());
    text +=
        "\nA scenario (.json) opens its lab. Points and their triangles in two files can be dropped together, or named "
        "together, with a blank between them.";
    return text;
}

void draw_file(Ui& ui) {
    UiState& state = ui.state;
    const float button = ImGui::CalcTextSize("Load").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float arrow = ImGui::GetFrameHeight();
    ImGui::SetNextItemWidth(-button - arrow - ui.em(8));
    if (state.takes_focus(UiState::Field::kFile)) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputTextWithHint("##file", "a file, or drop one here", &state.file,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui.boxes.add("file_field", box_of_last());
    if (ImGui::IsItemHovered()) help_for_last(ui, what_files_hold());
    ImGui::SameLine(0, ui.em(4));
    if (ImGui::ArrowButton("##recent", ImGuiDir_Down)) run_or_refuse(ui, action("open-recent"));
    help_for_last(ui, tip_of(action("open-recent")));
    ImGui::SameLine(0, ui.em(4));
    if ((ImGui::Button("Load") || entered) && !state.file.empty())
        ui.session.opener().load_files(files_named(state.file));
}

std::string points_text(const Ui& ui) {
    const auto& input = ui.session.input();
    const Geometry* const shown = ui.model.edited_input ? ui.model.edited_input.get() : input.get();
    const std::string count = number_text(shown ? static_cast<double>(shown->points.size()) : 0);
    if (!input || input->triangles.empty()) return count + (count == "1" ? " point" : " points");
    const std::string triangles = number_text(input->triangles.size()) + " triangles";
    return ui.model.info.inputs.has(InputKind::kMeshes) ? count + " vertices, " + triangles
                                                        : count + " points, without their mesh";
}

/// A line, cut if it does not fit; the tooltip then has all of it.
void input_line(const Ui& ui, const std::string& text, const std::string& help, bool quiet) {
    const std::string shown = elided(text);
    if (quiet)
        quiet_text(ui, shown);
    else
        ImGui::TextUnformatted(shown.c_str());
    help_for_last(ui, shown == text ? help : text + (help.empty() ? "" : "\n" + help));
}

/// The title and note of the scenario that the present input comes from, wrapped.
void draw_title(const Ui& ui) {
    const Scenario& run = ui.session.loader().present().run;
    if (run.title.empty() && run.note.empty()) return;
    ImGui::Spacing();
    if (!run.title.empty()) ImGui::TextWrapped("%s", run.title.c_str());
    if (!run.note.empty()) quiet_text(ui, run.note, true);
    ImGui::Spacing();
}

void draw_present(Ui& ui) {
    const LabModel& model = ui.model;
    const auto& input = ui.session.input();
    const std::string frames = input ? frames_text(*input) : "";
    const bool points = input && !input->points.empty();
    if (points || !model.info.inputs.has(InputKind::kNothing)) {
        input_line(ui, !input || input->name.empty() ? "no points yet" : input->name,
                   ui.session.loader().present().source, false);
        input_line(ui, points_text(ui), "", true);
        draw_title(ui);
    } else if (frames.empty()) {
        ImGui::TextUnformatted("Nothing given");
        quiet_text(ui, "The lab starts on what its parameters describe. " + what_may_be_given(model.info), true);
    }
    if (!frames.empty()) input_line(ui, frames, ui.session.loader().present().source, points);
    const Scoped font(ui.fonts.small);
    if (ui.session.loader().present().layout) action_button(ui, "columns", "Columns\u2026");
    if (!frames.empty() && ImGui::Button(input->recording ? "Leave the recording out"
                                         : input->tracks  ? "Leave the points over time out"
                                                          : "Leave the field out"))
        ui.session.opener().leave_out(InputLoader::Part::kFrames);
    if (points && model.info.inputs.has(InputKind::kNothing) && ImGui::Button("Leave these points out"))
        ui.session.opener().leave_out(InputLoader::Part::kPoints);
}

/// The present input, the lab, and what else can be opened.
void draw_input(Ui& ui) {
    draw_present(ui);
    ImGui::Spacing();
    draw_lab(ui);
    // The form is folded while a file is open, since it does not describe the file.
    const bool from_file = !ui.session.loader().present().files.empty();
    const bool folds = from_file || ui.model.info.inputs.has(InputKind::kNothing);
    if (!folds ||
        section(ui, "Generated points", !from_file && ui.session.input() && !ui.session.input()->points.empty()))
        draw_generator(ui);
    ImGui::Spacing();
    draw_file(ui);
    if (from_file) {
        ImGui::Checkbox("read again when it changes", &ui.session.opener().watches);
        help_for_last(ui, "Watches the file that is open. A run at its end goes to its end again; others start over.");
    }
    ImGui::SetNextItemWidth(-1);
    draw_lesson_list(ui);
    ImGui::Spacing();
}

}  // namespace

const PanelSection input_section{"Input", draw_input};

void draw_input_panel(Ui& ui) {
    begin_panel(ui, "input", ui.layout.left, false);
    // The buttons that apply changes stay visible while a long list of parameters scrolls.
    const int buttons = 1 + ui.session.parameters().has_drafts() + ui.session.parameters().can_change_now();
    const float footer =
        ui.model.parameters.empty() ? 0 : static_cast<float>(buttons) * ImGui::GetFrameHeightWithSpacing();
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0));
    ImGui::BeginChild("input and parameters", {0, std::max(1.f, ImGui::GetContentRegionAvail().y - footer)}, false,
                      ImGuiWindowFlags_NoNavInputs);
    if (ui.state.focus == UiState::Field::kFile) open_section("Input");
    draw_sections(ui, {FLIPSCOPE_LEFT_SECTIONS(FLIPSCOPE_ADDRESS_OF_SECTION)});
    ImGui::EndChild();
    ImGui::PopStyleColor();
    if (!ui.model.parameters.empty()) draw_restart(ui);
    ImGui::End();
}

}  // namespace flipscope::app
