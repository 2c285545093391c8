# Generates glad (OpenGL 4.5 core, with loader) in the build folder by Debian's python3-glad. Defines the target
# flipscope_glad. --reproducible: uses glad's own XML instead of the network.
find_program(FLIPSCOPE_GLAD glad HINTS /usr/bin REQUIRED)
set(glad_folder ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h
  COMMAND ${FLIPSCOPE_GLAD} --reproducible --quiet --api gl:core=4.5 --extensions GL_KHR_debug --out-path ${glad_folder} c
  COMMENT "Generating the OpenGL 4.5 loader"
  VERBATIM)
add_library(flipscope_glad STATIC ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h)
target_include_directories(flipscope_glad SYSTEM PUBLIC ${glad_folder}/include)
target_link_libraries(flipscope_glad PUBLIC ${CMAKE_DL_LIBS})
