#include "app/exports.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/findings.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "io/mesh.h"
#include "io/npy_writer.h"
#include "io/output_file.h"
#include "steps/parameters.h"

namespace flipscope::app {

namespace {

constexpr const char* kArrays = ".npy";
constexpr const char* kFindings = ".csv";

std::string extension_of(const std::string& file) {
    std::string extension = std::filesystem::path(file).extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

/// NumPy's format is one of meshes, too: it means an array where a lab has some.
bool means_array(const std::string& file, const Algorithm& algorithm) {
    return extension_of(file) == kArrays && !algorithm.arrays().empty();
}

std::vector<std::string> names_of(const std::vector<ArrayInfo>& arrays) {
    std::vector<std::string> names;
    for (const ArrayInfo& array : arrays) names.push_back(array.name);
    return names;
}

/// "colours.npy, labels.npy or events.csv"
std::string what_there_is(const Algorithm& algorithm) {
    std::vector<std::string> files;
    for (const ArrayInfo& array : algorithm.arrays()) files.push_back(array.name + kArrays);
    if (!algorithm.info().finds.empty()) files.push_back(algorithm.info().finds + "s" + kFindings);
    return join_words(files);
}

}  // namespace

std::vector<std::string> export_extensions() {
    std::vector<std::string> extensions;
    for (const auto& format : mesh_formats())
        extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
    for (const char* more : {kArrays, kFindings})
        if (std::find(extensions.begin(), extensions.end(), more) == extensions.end()) extensions.emplace_back(more);
    return extensions;
}

std::string array_meant(const std::string& file, const Algorithm& algorithm) {
    const std::vector<std::string> names = names_of(algorithm.arrays());
    std::string rest = std::filesystem::path(file).stem().string();
    for (;;) {
        if (std::find(names.begin(), names.end(), rest) != names.end()) return rest;
        const size_t hyphen = rest.find('-');
        if (hyphen == rest.npos) return {};
        rest.erase(0, hyphen + 1);
    }
}

void check_export(const std::string& file, const Algorithm& algorithm) {
    const AlgorithmInfo& info = algorithm.info();
    if (means_array(file, algorithm)) {
        if (!array_meant(file, algorithm).empty()) return;
        const std::string stem = std::filesystem::path(file).stem().string();
        const std::vector<std::string> names = names_of(algorithm.arrays());
        const std::string meant = nearest_word(stem, names);
        throw Error("--export " + file +
                    ": the name of the file, or what follows a hyphen in it, says which array; \"" + info.id +
                    "\" has " + join_words(names, " and ") +
                    (meant.empty() ? "" : "; did you mean " + meant + kArrays + "?"));
    }
    if (extension_of(file) == kFindings) {
        if (!info.finds.empty()) return;
        throw Error("--export " + file + ": the " + info.title + " finds no events that could be listed" +
                    (info.makes_triangles ? "; for its points and triangles see 'flipscope list formats'" : ""));
    }
    if (info.makes_triangles) return;
    const std::string there_is = what_there_is(algorithm);
    throw Error("--export " + file + ": the " + info.title + " makes no triangles, so there is no mesh to write; " +
                (there_is.empty() ? "--json has its results" : "it has " + there_is));
}

void write_export(const std::string& file, const Algorithm& algorithm) {
    check_export(file, algorithm);
    if (means_array(file, algorithm))
        write_whole_file(file, npy_bytes(algorithm.array(array_meant(file, algorithm))));
    else if (extension_of(file) == kFindings)
        write_whole_file(file, findings_csv(algorithm.findings(0), algorithm.info()));
    else
        write_mesh(file, algorithm.soup());
}

}  // namespace flipscope::app
