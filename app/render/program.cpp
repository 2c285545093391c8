#include <stdexcept>

#include "app/render/shaders.h"

namespace flipscope::app {

namespace {

const std::string& text_of(const std::string& name) {
    for (const ShaderFile& file : shader_files())
        if (file.name == name) return file.text;
    throw std::logic_error("no shader " + name);
}

GLenum stage_of(const std::string& name) {
    if (name.ends_with(".vert")) return GL_VERTEX_SHADER;
    if (name.ends_with(".frag")) return GL_FRAGMENT_SHADER;
    if (name.ends_with(".comp")) return GL_COMPUTE_SHADER;
    throw std::logic_error("unknown shader stage: " + name);
}

GLuint compile(const std::string& name, const std::string& before) {
    const GLuint shader = glCreateShader(stage_of(name));
    const char* texts[] = {before.c_str(), "\n#line 1\n", text_of(name).c_str()};
    glShaderSource(shader, 3, texts, nullptr);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) return shader;
    char words[4096] = "";
    glGetShaderInfoLog(shader, sizeof words, nullptr, words);
    glDeleteShader(shader);
    throw std::runtime_error("the graphics driver does not compile " + name + ": " + words);
}

}  // namespace

Program::Program(const std::vector<std::string>& names, const std::string& prologue) : id_(glCreateProgram()) {
    std::string before = "#version 450 core\n" + prologue + text_of("common.glsl");
    for (const std::string& name : names)
        if (name.ends_with(".glsl")) before += "\n" + text_of(name);
    for (const std::string& name : names) {
        if (name.ends_with(".glsl")) continue;
        const GLuint shader = compile(name, before);
        glAttachShader(id_, shader);
        glDeleteShader(shader);  // freed with the program
    }
    glLinkProgram(id_);
    GLint linked = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &linked);
    if (linked) return;
    char words[4096] = "";
    glGetProgramInfoLog(id_, sizeof words, nullptr, words);
    throw std::runtime_error("the graphics driver does not link " + names.back() + ": " + words);
}

Program::~Program() { glDeleteProgram(id_); }

}  // namespace flipscope::app
