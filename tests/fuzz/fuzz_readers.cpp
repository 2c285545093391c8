// The fuzzed readers, and the conditions on every result. fuzz_driver.cpp brings main().

#include "fuzz_readers.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <typeinfo>
#include <utility>

#include "app/base/child_process.h"
#include "app/images/images.h"
#include "app/run/scenario.h"
#include "compute/printable.h"
#include "flipscope/predicates.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "geometry/recording.h"
#include "io/fields.h"
#include "io/geometry.h"
#include "io/pasted.h"
#include "io/state_file.h"
#include "io/triangles.h"
#include "lab/parameters.h"
#include "lab/registry.h"

#ifdef FLIPSCOPE_FUZZ_COMMAND_LINE
#include "app/commands/commands.h"
#endif

#ifdef __SANITIZE_ADDRESS__
#define FLIPSCOPE_COUNTS_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLIPSCOPE_COUNTS_MEMORY 1
#endif
#endif
#ifdef FLIPSCOPE_COUNTS_MEMORY
#include <sanitizer/common_interface_defs.h>
// As in sanitizer/allocator_interface.h, which g++ has the functions of but not the file.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, size_t),
                                                         void (*)(const volatile void*));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void*);
#endif

namespace flipscope::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMegabyte = size_t{1} << 20;
constexpr size_t kLongestMessage = Error::kMostBytes + 8;  // bytes; long names of the input are told whole

const Reader* current = nullptr;

[[noreturn]] void violation(const std::string& what) {
    std::fprintf(stderr, "fuzz_readers: %s: %s\n", current ? current->name.c_str() : "?", what.c_str());
    std::abort();
}

void require(bool holds, const char* what) {
    if (!holds) violation(std::string("not true of what was read: ") + what);
}

// Memory. AddressSanitizer reports every allocation; without it, fuzz_driver.cpp limits the address space.

#ifdef FLIPSCOPE_COUNTS_MEMORY
std::atomic<size_t> live{0};
std::atomic<bool> counting{false};

void on_allocation(const volatile void*, size_t size) {
    if (live.fetch_add(size) + size <= (current ? current->most_bytes : SIZE_MAX) || !counting.exchange(false)) return;
    violation("takes more than " + std::to_string(current->most_bytes / kMegabyte) + " MB, the last " +
              std::to_string(size) + " bytes of them at once");
}

void on_release(const volatile void* memory) {
    if (memory) live.fetch_sub(__sanitizer_get_allocated_size(memory));
}

/// Counts what is allocated from its making on, and lets `current` take no more than it may.
struct MemoryLimit {
    MemoryLimit() {
        static const int installed = __sanitizer_install_malloc_and_free_hooks(on_allocation, on_release);
        static_cast<void>(installed);
        live = 0;
        counting = true;
    }
    ~MemoryLimit() { counting = false; }
};
#else
struct MemoryLimit {
    ~MemoryLimit() {}
};
#endif

// Messages.

/// Whether the text is UTF-8 without control characters: safe to print on a terminal
/// (tests/compute/test_printable.cpp).
bool is_printable(std::string_view text) { return printable(text) == text; }

void require_sentence(const std::string& message, const std::string& must_name) {
    const auto refuse = [&](const char* why) { violation(std::string("a message that ") + why + ": " + message); };
    if (message.empty()) refuse("is empty");
    if (!is_printable(message)) refuse("is not printable");
    if (message.size() > kLongestMessage) refuse("is too long");
    if (message.find(must_name) == message.npos) refuse("does not name the file");
    if (message.ends_with("not enough memory to read it")) refuse("blames memory for a small file");
}

/// Calls `read`, which may throw Error; the sentence must name `file`.
template <class Read>
void refusable(const std::string& file, const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        require_sentence(error.what(), file);
    } catch (const std::exception& error) {
        violation(std::string("throws ") + typeid(error).name() + ": " + error.what());
    }
}

void require_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) require_sentence(note, "");
    require(notes.size() < 20, "there are few notes");
}

// Values.

void require_valid(const FieldStack& field, bool image) {
    require(field.width > 0 && field.height > 0, "a field has sites");
    require(field.width <= kMostPixels && field.height <= kMostPixels, "a field is no larger than the lattice");
    require(!field.values.empty() && field.values.size() % (size_t{field.width} * field.height) == 0, "whole frames");
    for (const float value : field.values) {
        require(std::isfinite(value), "values are finite");
        require(!image || (value >= 0 && value <= 1), "brightness is between 0 and 1");
    }
}

void require_valid(const Attribute& attribute, size_t count) {
    require(attribute.values.size() == count, "a column has a value for each point");
    require(is_printable(attribute.name), "the name of a column is printable");
    for (const std::string& category : attribute.categories)
        require(is_printable(category), "categories are printable");
    for (const double value : attribute.values) {
        require(!std::isinf(value), "a value is finite or missing");
        require(attribute.categories.empty() || std::isnan(value) ||
                    (value >= 0 && value < static_cast<double>(attribute.categories.size())),
                "a value of a column of text is a category");
    }
}

void require_valid(const Tracks& tracks) {
    require(tracks.starts.size() == tracks.times.size() + 1, "each frame has a start, and the last an end");
    require(tracks.starts.front() == 0 && tracks.starts.back() == tracks.ids.size(), "frames cover all ids");
    require(tracks.ids.size() == tracks.places.size() && !tracks.ids.empty(), "an id for each place");
    for (size_t t = 0; t < tracks.times.size(); ++t) {
        require(std::isfinite(tracks.times[t]) && (t == 0 || tracks.times[t - 1] < tracks.times[t]), "times ascend");
        require(tracks.starts[t] <= tracks.starts[t + 1], "frames are in order");
        for (size_t i = tracks.starts[t] + 1; i < tracks.starts[t + 1]; ++i)
            require(tracks.ids[i - 1] < tracks.ids[i], "ids ascend within a frame");
    }
    for (const Point p : tracks.places) require(coordinate_in_range(p.x) && coordinate_in_range(p.y), "range");
    for (const Attribute& attribute : tracks.attributes) require_valid(attribute, tracks.places.size());
    require(tracks.box.x >= 0 && tracks.box.y >= 0, "a box has a size, or none");
}

void require_valid(const RecordedSteps& recording) {
    require(!recording.steps.empty(), "a recording has steps");
    for (const RecordedSteps::Step& step : recording.steps) {
        require(step.points && step.triangles, "a step has points and triangles");
        const size_t n = step.points->size();
        for (const Point p : *step.points) require(coordinate_in_range(p.x) && coordinate_in_range(p.y), "range");
        for (const auto& t : *step.triangles)
            for (const uint32_t v : t) require(v < n, "triangles of a step name its points");
        for (const uint32_t v : step.marks.vertices) require(v < n, "marks name points");
        for (const auto& edge : step.marks.edges) require(edge[0] < n && edge[1] < n, "marked edges name points");
        for (const uint32_t t : step.marks.triangles) require(t < step.triangles->size(), "marks name triangles");
        require(is_printable(step.caption) && step.caption.size() <= kLongestMessage, "a caption is a line of text");
    }
}

void require_valid(const Geometry& geometry) {
    const size_t n = geometry.points.size();
    require(n > 0 || geometry.field || geometry.tracks || geometry.recording, "there is something in it");
    require(geometry.heights.empty() || geometry.heights.size() == n, "a height for each point, or none");
    for (const Point p : geometry.points) require(coordinate_in_range(p.x) && coordinate_in_range(p.y), "range");
    for (const double z : geometry.heights) require(coordinate_in_range(z), "range of heights");
    for (const auto& t : geometry.triangles)
        for (const uint32_t v : t) require(v < n, "triangles name points");
    for (const auto& segment : geometry.segments)
        for (const uint32_t v : segment) require(v < n, "segments name points");
    for (const Point p : geometry.holes)
        require(coordinate_in_range(p.x) && coordinate_in_range(p.y), "range of holes");
    require(geometry.rows.empty() || geometry.rows.size() == n, "a row for each point, or none");
    require(geometry.names.empty() || geometry.names.size() == n, "a name for each point, or none");
    if (geometry.areas)
        for (const Area& area : *geometry.areas)
            for (const auto& ring : area.rings)
                for (const Point p : ring) require(coordinate_in_range(p.x) && coordinate_in_range(p.y), "range");
    if (geometry.attributes)
        for (const Attribute& attribute : *geometry.attributes) require_valid(attribute, n);
    if (geometry.field) require_valid(*geometry.field, false);
    if (geometry.tracks) require_valid(*geometry.tracks);
    if (geometry.recording) require_valid(*geometry.recording);
}

// Files.

/// A folder of this process's own; removed at the end.
const fs::path& folder() {
    static const app::ScratchFolder own;
    return own.path();
}

fs::path file_of(const std::string& name, std::string_view bytes) {
    const fs::path path = folder() / name;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!stream || std::fwrite(bytes.data(), 1, bytes.size(), stream.get()) != bytes.size())
        violation("a temporary file cannot be written");
    return path;
}

void take_geometry(const fs::path& path, const std::string& must_name) {
    std::vector<std::string> notes;
    refusable(must_name, [&] { require_valid(read_geometry(path, &notes)); });
    require_notes(notes);
}

void take_file(std::string_view bytes, const std::string& extension) {
    const std::string name = "input" + extension;
    take_geometry(file_of(name, bytes), name);
}

/// The .node, a zero byte, the .ele.
void take_ele(std::string_view bytes, const std::string&) {
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    file_of("pair.node", bytes.substr(0, end));
    take_geometry(file_of("pair.ele", bytes.substr(std::min(end + 1, bytes.size()))), "pair.");
}

void take_pasted(std::string_view bytes, const std::string&) {
    std::vector<std::string> notes;
    refusable("", [&] { require_valid(read_pasted(bytes, &notes)); });
    require_notes(notes);
}

/// Its points may be in the .node beside it, which is not there, or of another reader.
void take_poly(std::string_view bytes, const std::string&) { take_geometry(file_of("input.poly", bytes), "input."); }

void take_field(std::string_view bytes, const std::string&) {
    std::vector<std::string> notes;
    const fs::path path = file_of("field.npy", bytes);
    refusable("field.npy", [&] { require_valid(read_field(path, &notes), false); });
    require_notes(notes);
}

void take_tracks(std::string_view bytes, const std::string& extension) {
    std::vector<std::string> notes;
    const std::string name = "tracks" + extension;
    const fs::path path = file_of(name, bytes);
    refusable(name, [&] { require_valid(read_tracks(path, &notes)); });
    require_notes(notes);
}

/// Triangles over nine points of another file.
void take_triangles(std::string_view bytes, const std::string& extension) {
    std::vector<std::string> notes;
    const std::string name = "triangles" + extension;
    const fs::path path = file_of(name, bytes);
    refusable(name, [&] { read_triangles(path, &notes, 9); });
    require_notes(notes);
}

void take_state(std::string_view bytes, const std::string&) {
    const fs::path path = file_of("run.state", bytes);
    refusable("run.state", [&] {
        const StateFile file = read_state_file(path);
        require(file.header.size() + file.snapshot.bytes() < bytes.size(), "no more than was in the file");
    });
}

// Texts.

void take_generator(std::string_view bytes, const std::string&) {
    constexpr uint64_t kMostMade = 300;
    refusable("", [&] {
        const GeneratorSpec spec = parse_generator(std::string(bytes));
        const std::string text = generator_text(spec);
        require(is_printable(text) && generator_text(parse_generator(text)) == text, "its text reads back as it is");
        if (spec.count > kMostMade) return;
        const Geometry geometry = generate(spec);
        require(geometry.points.size() == spec.count, "as many points as were asked for");
        if (spec.count > 0) require_valid(check_points(geometry));
    });
}

/// The place of a lab in the registry as one byte, then name=value.
void take_parameter(std::string_view bytes, const std::string&) {
    if (bytes.empty()) return;
    const auto& labs = registry();
    const auto lab = labs[static_cast<unsigned char>(bytes[0]) % labs.size()].make();
    refusable("", [&] {
        set_parameter(*lab, std::string(bytes.substr(1)));
        for (const auto& parameter : list_parameters(*lab)) set_parameter(*lab, parameter.name, parameter.value);
    });
}

void take_image(std::string_view bytes, const std::string& extension) {
    const std::string name = "picture" + extension;
    refusable(name, [&] {
        const FieldStack field = app::decode_image(name, bytes);
        const bool one = extension != ".tif";
        require(!one || field.frame_count() == 1, "an image is one frame");
        // Indices and TIFF's numbers stay as they are.
        require_valid(field, one && field.whole != 1);
        require(field.whole >= 0 && (field.exact.empty() || field.exact.size() == field.values.size()), "exact values");
    });
}

void take_scenario(std::string_view bytes, const std::string&) {
    const fs::path path = file_of("scenario.json", bytes);
    app::Scenario scenario;
    refusable("scenario.json", [&] {
        scenario = app::read_scenario(path);
        require(scenario.points.empty() || scenario.input.empty(), "one input");
        if (!scenario.points.empty()) parse_generator(scenario.points);
    });
    refusable("", [&] {
        if (!scenario.lab.empty()) app::make_scenario_lab(scenario);
    });
}

#ifdef FLIPSCOPE_FUZZ_COMMAND_LINE

/// Captures stdout and stderr during its lifetime.
class Eavesdropper {
  public:
    Eavesdropper() : file_(memfd_create("said", MFD_CLOEXEC)), out_(dup(STDOUT_FILENO)), err_(dup(STDERR_FILENO)) {
        if (file_ < 0 || out_ < 0 || err_ < 0) violation("there are no file descriptors left");
#ifdef FLIPSCOPE_COUNTS_MEMORY
        __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<intptr_t>(err_)));
#endif
        flush();
        dup2(file_, STDOUT_FILENO);
        dup2(file_, STDERR_FILENO);
    }
    ~Eavesdropper() { end(); }
    Eavesdropper(const Eavesdropper&) = delete;
    Eavesdropper& operator=(const Eavesdropper&) = delete;
    std::string end() {
        if (file_ < 0) return {};
        flush();
        dup2(out_, STDOUT_FILENO);
        dup2(err_, STDERR_FILENO);
#ifdef FLIPSCOPE_COUNTS_MEMORY
        __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<intptr_t>(STDERR_FILENO)));
#endif
        std::string heard(static_cast<size_t>(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
        if (pread(file_, heard.data(), heard.size(), 0) != static_cast<ssize_t>(heard.size())) heard.clear();
        for (int* open : {&file_, &out_, &err_}) close(std::exchange(*open, -1));
        return heard;
    }

  private:
    static void flush() {
        std::fflush(stdout);
        std::cout.flush();
    }
    int file_, out_, err_;
};

/// Words, each ended by a zero byte.
void take_command_line(std::string_view bytes, const std::string&) {
    std::vector<std::string> words{"flipscope"};
    while (!bytes.empty() && words.size() < 40) {
        const size_t end = std::min(bytes.find('\0'), bytes.size());
        words.emplace_back(bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    Eavesdropper eavesdropper;
    std::string said;
    refusable("", [&] {
        const auto leave = [&] { said = eavesdropper.end(); };
        try {
            const app::ParsedCommand command = app::parse_options(static_cast<int>(words.size()), arguments.data());
            leave();
            require(command.run || command.status == app::kSuccess || command.status == app::kWrongUse,
                    "a known status");
            require(said.empty() || !command.run, "only help and errors are said");
        } catch (...) {
            leave();
            throw;
        }
    });
    for (size_t begin = 0; begin < said.size();) {
        const size_t end = std::min(said.find('\n', begin), said.size());
        if (!is_printable(std::string_view(said).substr(begin, end - begin))) violation("says what is not printable");
        begin = end + 1;
    }
}

#endif

}  // namespace

const std::vector<Reader>& readers() {
    constexpr size_t kFew = 128 * kMegabyte;
    static const std::vector<Reader> all = [] {
        std::vector<Reader> made = {
            {"poly", take_poly, "", kFew},
            {"ele", take_ele, "", kFew},
            {"field", take_field, "", kFew},
            {"pasted", take_pasted, "", kFew},
            {"tlbfind", take_file, ".dat", kFew},
            // Deflate makes up to 1032 bytes of one, and a byte of an array may be a whole index.
            {"npz", take_file, ".npz", 1024 * kMegabyte},
            {"triangles_csv", take_triangles, ".csv", kFew},
            {"triangles_npy", take_triangles, ".npy", kFew},
            {"triangles_npz", take_triangles, ".npz", 1024 * kMegabyte},
            {"state", take_state, "", kFew},
            {"generator", take_generator, "", kFew},
            {"parameter", take_parameter, "", kFew},
            {"scenario", take_scenario, "", kFew},
#ifdef FLIPSCOPE_FUZZ_COMMAND_LINE
            {"command_line", take_command_line, "", kFew},
#endif
        };
        for (const std::string name : {"xy", "txt", "csv", "tsv", "node", "npy", "xyz", "ply", "obj", "off", "stl",
                                       "msh", "vtk", "lammpstrj", "jsonl", "json", "wkt"})
            made.push_back({name, take_file, "." + name, kFew});
        for (const std::string name : {"csv", "npy", "xyz", "lammpstrj"})
            made.push_back({"tracks_" + name, take_tracks, "." + name, kFew});
        for (const std::string name : {"pgm", "ppm", "bmp"}) made.push_back({name, take_image, "." + name, kFew});
        // An image may be as large as the lattice, and its file small: what a picture of 16384² takes.
        for (const std::string name : {"png", "jpg", "tif", "tga", "psd"})
            made.push_back({name, take_image, "." + name, 2048 * kMegabyte});
        return made;
    }();
    return all;
}

void run(const Reader& reader, std::string_view bytes) {
    folder();  // not the reader's memory
    current = &reader;
    {
        const MemoryLimit limit;
        reader.take(bytes, reader.extension);
    }
    current = nullptr;
}

}  // namespace flipscope::fuzz
