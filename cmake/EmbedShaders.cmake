# Run as a script: writes OUTPUT, a C++ source that holds every file of SHADERS as text, so that the program needs no
# folder of shaders beside it.
set(text "#include \"app/render/shaders.h\"\n\nnamespace flipscope::app {\n\nconst std::vector<ShaderFile>& shader_files() {\n")
string(APPEND text "    static const std::vector<ShaderFile> files{\n")
foreach(shader IN LISTS SHADERS)
  get_filename_component(name ${shader} NAME)
  file(READ ${shader} source)
  string(APPEND text "        {\"${name}\", R\"GLSL(${source})GLSL\"},\n")
endforeach()
string(APPEND text "    };\n    return files;\n}\n\n}  // namespace flipscope::app\n")
file(WRITE ${OUTPUT} "${text}")
