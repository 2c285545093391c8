// The frame of a .npy file: what its header says and where its numbers are, for the readers of points, of fields and of
// tracks. Only the readers in this folder include it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/parse.h"

namespace flipscope::io {

/// NumPy's dtype, where it is a plain number.
struct NpyType {
    char kind = 'f';  // f, i, u or b as NumPy calls them
    size_t size = 8;  // bytes
    bool big_endian = false;
};

/// A field of a structured array.
struct NpyField {
    std::string name;
    std::optional<NpyType> type;  // nothing: a text, an array, a structure
    size_t offset = 0;            // bytes from the begin of a record
};

class NpyFile {
  public:
    /// Throws Error where `bytes` is no .npy file of version 1 to 3, or its header is broken. `bytes` must stay.
    NpyFile(const std::filesystem::path& path, std::string_view bytes);

    const std::string& name() const { return name_; }
    const std::string& written_type() const { return type_text_; }    // "'<f8'"
    const std::string& written_shape() const { return shape_text_; }  // "(3, 4)"
    /// The sizes, where the shape is a tuple of whole numbers that is no larger than memory.
    const std::optional<std::vector<uint64_t>>& shape() const { return shape_; }
    /// Floating-point numbers of 4 or 8 bytes, whole numbers of 1 to 8, or bool.
    const std::optional<NpyType>& type() const { return type_; }
    /// Of a structured array, one record after another; empty: it is none, or has a field of unknown size.
    const std::vector<NpyField>& fields() const { return fields_; }
    size_t record_size() const { return record_size_; }  // bytes
    bool column_major() const { return column_major_; }
    std::string_view data() const { return data_; }
    Error fail(const std::string& what) const { return Error(name_ + ": " + what); }

    /// How many numbers the shape says. Throws Error, naming `what`, where the file has fewer; says in `notes` where it
    /// has more. Needs shape() and type().
    uint64_t require_whole(const std::string& what, std::vector<std::string>& notes) const;
    /// Number i as it lies in the file.
    double number(uint64_t i) const;
    /// Of record i; `field` has a type.
    double number(uint64_t i, const NpyField& field) const;

  private:
    std::string_view take_header();
    std::string name_, type_text_, shape_text_;
    std::string_view data_;
    std::optional<std::vector<uint64_t>> shape_;
    std::optional<NpyType> type_;
    std::vector<NpyField> fields_;
    size_t record_size_ = 0;
    bool column_major_ = false;
};

}  // namespace flipscope::io
