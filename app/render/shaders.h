// The GLSL files of shaders/, embedded at build time, and programs made from them. Private to the renderer.
#pragma once

#include <glad/gl.h>

#include <string>
#include <vector>

namespace flipscope::app {

struct ShaderFile {
    std::string name;  // "edges.vert"
    std::string text;
};

/// Made from shader_files.cpp.in.
const std::vector<ShaderFile>& shader_files();

/// A linked program of the named files; the extension gives the stage. Each is preceded by `prologue` (such as a line
/// "#define SPACE"), common.glsl and the named files that end in .glsl. Throws std::runtime_error with the compiler's
/// message.
class Program {
  public:
    explicit Program(const std::vector<std::string>& names, const std::string& prologue = "");
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    GLuint id() const { return id_; }
    GLint place(const char* uniform) const { return glGetUniformLocation(id_, uniform); }

  private:
    GLuint id_ = 0;
};

}  // namespace flipscope::app
