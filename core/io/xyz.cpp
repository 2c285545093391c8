#include "io/xyz.h"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "compute/cancel.h"
#include "io/output_file.h"

namespace flipscope {

namespace {

constexpr std::array<std::string_view, 36> kSymbols{
    "H", "He", "Li", "Be", "B", "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl", "Ar",
    "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr"};

void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("a trajectory: ") + what);
}

void require_word(const std::string& name) {
    require(!name.empty() && name.find_first_of(" \t\r\n\"=:{}[],") == name.npos, "a name is a single word");
}

void require_sound(const Trajectory& trajectory, const Trajectory::Frame& frame) {
    const size_t n = frame.positions.size();
    require(frame.species.empty() || frame.species.size() == n, "there is a species for each point");
    require(frame.ids.empty() || frame.ids.size() == n, "there is an id for each point");
    require(frame.numbers.size() == trajectory.columns.size(), "there are numbers for each column");
    for (const auto& column : frame.numbers) require(column.size() == n, "there is a number for each point");
    for (const uint32_t kind : frame.species) require(kind < kSymbols.size(), "there are at most 36 species");
}

void write_head(OutputFile& file, const Trajectory& trajectory, const Trajectory::Frame& frame) {
    file << uint64_t(frame.positions.size()) << '\n';
    if (const Point box = trajectory.box; box.x > 0)
        file << "Lattice=\"" << box.x << " 0 0 0 " << box.y << " 0 0 0 1\" Origin=\"" << trajectory.low.x << ' '
             << trajectory.low.y << " 0\" pbc=\"" << (trajectory.periodic_x ? "T " : "F ")
             << (trajectory.periodic_y ? "T" : "F") << " F\" ";
    else
        file << "pbc=\"F F F\" ";
    file << "Properties=species:S:1:pos:R:3";
    if (!frame.ids.empty()) file << ":id:I:1";
    for (const std::string& column : trajectory.columns) file << ":" << column << ":R:1";
    file << " Time=" << frame.time << " Step=" << frame.step;
    if (!trajectory.species.empty()) {
        file << " species_names=\"";
        for (size_t i = 0; i < trajectory.species.size(); ++i) file << (i > 0 ? " " : "") << trajectory.species[i];
        file << '"';
    }
    file << '\n';
}

}  // namespace

void write_xyz(const std::filesystem::path& path, const Trajectory& trajectory) {
    if (trajectory.frames.empty()) throw Error(path.string() + ": no frames were recorded");
    for (const std::string& name : trajectory.species) require_word(name);
    for (const std::string& name : trajectory.columns) require_word(name);
    OutputFile file(path);
    CancelPoll poll;
    for (const Trajectory::Frame& frame : trajectory.frames) {
        require_sound(trajectory, frame);
        write_head(file, trajectory, frame);
        for (size_t i = 0; i < frame.positions.size(); ++i) {
            poll();
            file << (frame.species.empty() ? std::string_view("X") : kSymbols[frame.species[i]]);
            file << ' ' << frame.positions[i].x << ' ' << frame.positions[i].y << " 0";
            if (!frame.ids.empty()) file << ' ' << std::string_view(std::to_string(frame.ids[i]));
            for (const auto& column : frame.numbers) file << ' ' << column[i];
            file << '\n';
        }
    }
    file.finish();
    file.commit();
}

}  // namespace flipscope
