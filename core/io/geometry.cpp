#include "io/geometry.h"

#include <new>
#include <stdexcept>

#include "io/files.h"
#include "io/formats.h"

namespace flipscope {
namespace {

std::string known_endings() {
    std::string known;
    for (const io::Format& format : io::formats())
        for (const std::string& ending : format.info.extensions) known += (known.empty() ? "" : ", ") + ending;
    return known;
}

}  // namespace

std::vector<FormatInfo> geometry_formats() {
    std::vector<FormatInfo> list;
    for (const io::Format& format : io::formats()) list.push_back(format.info);
    return list;
}

Geometry read_geometry(const std::filesystem::path& path, std::vector<std::string>* notes,
                       const ReadOptions& options) try {
    std::vector<std::string> unread_notes;
    const std::string bytes = io::read_file(path);
    const io::Format* const format = io::format_of(path, bytes);
    if (!format) {
        const std::string ending = io::lower_extension(path);
        throw Error(path.string() + ": " +
                    (ending.empty() ? "no extension to tell the format by" : "unknown format " + ending) +
                    " (known: " + known_endings() + ")");
    }
    Geometry geometry = format->read({path, bytes, options, notes ? *notes : unread_notes});
    geometry.name = path.filename().string();
    return geometry;
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
} catch (const std::length_error&) {
    throw Error(path.string() + ": not enough memory to read it");
}

}  // namespace flipscope
