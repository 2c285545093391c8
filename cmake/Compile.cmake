# Exactness: a contracted multiply-add turns every exact zero of orient2d into noise, so contraction is off everywhere.
add_compile_options(
  "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-Wall;-Wextra>"
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>"  # false alarms of g++ 12 on strings
  "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off,-Wall;--expt-relaxed-constexpr>"
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=cross-execution-space-call>)
if(FLIPSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${FLIPSCOPE_SANITIZE} -fno-omit-frame-pointer $<$<NOT:$<CONFIG:RelWithDebInfo>>:-g1>)
  add_link_options(-fsanitize=${FLIPSCOPE_SANITIZE})
  if(FLIPSCOPE_SANITIZE MATCHES "address.*undefined")
    # AddressSanitizer finds null pointers, addresses outside objects and overflowed pointers by itself. Alignment is checked
    # where bytes become values, in core/compute and the readers of images; checking it everywhere doubles the time to compile.
    add_compile_options(-fno-sanitize=vptr,null,object-size,alignment,pointer-overflow)
    set(flipscope_all_checks -fsanitize=vptr,null,object-size,alignment)
  endif()
  set(options_plain -Og)
  set(options_test -Og -g0)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(options_plain -O1)
  # Tests are compiled more often than run. With -O0, the linker might take slow inline functions of the core from them.
  set(options_test -Og)
endif()

# How sources are compiled. A source that launches kernels ends with .cu: nvcc compiles it if FLIPSCOPE_WITH_CUDA, else the C++
# compiler does. `kind` is fast (engines, readers, what draws), plain (labs, panels and commands, which are no faster with more
# than -O1 and take a third less to compile), test or bench. A target's options override those of the build type.
function(flipscope_compile target kind)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${options_${kind}}>")
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_DUPLICATES sources)

  # Units are for builds from scratch, whose time goes into headers: each includes the sources of a folder, or a part of about
  # 16 of them; which part depends on the name alone. A source with options of its own is compiled by itself. So a helper's
  # name is unique within a folder, in tests too.
  foreach(source IN LISTS sources)
    set(ending cpp)
    if(FLIPSCOPE_WITH_CUDA AND source MATCHES "\\.cu$")
      set(ending cu)
    elseif(source MATCHES "\\.cu$")
      set_property(SOURCE ${source} PROPERTY LANGUAGE CXX)
    endif()
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options OR NOT FLIPSCOPE_UNITY)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    file(GLOB siblings ${folder}/*.${ending})
    list(LENGTH siblings count)
    string(LENGTH ${source} length)
    math(EXPR part "${length} % (1 + ${count} / 17)")
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(unit units/${target}/${folder}_${part}.${ending})
    list(APPEND units ${unit})
    string(APPEND text_of_${unit} "#include \"${source}\"\n")
    set_property(SOURCE ${source} PROPERTY HEADER_FILE_ONLY ON)
  endforeach()
  foreach(unit IN LISTS units)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text_of_${unit}}" @ONLY)
  endforeach()
  target_sources(${target} PRIVATE ${units})
  # g++ takes the sources that a unit includes for headers and warns about their unnamed namespaces.
  target_compile_options(${target} PRIVATE $<$<AND:$<BOOL:${FLIPSCOPE_UNITY}>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-subobject-linkage>)

  # The standard headers of most sources are parsed once for each kind. Off by default: compiler caches need special settings
  # for precompiled headers, and a build without them notices missing includes. These headers must not add names that
  # argument-dependent lookup finds (<filesystem> does: std::quoted).
  if(FLIPSCOPE_PRECOMPILE)
    set(shared flipscope_headers_${kind})
    if(NOT TARGET ${shared})
      file(CONFIGURE OUTPUT ${shared}.cpp CONTENT "")
      add_library(${shared} OBJECT ${shared}.cpp)
      target_compile_options(${shared} PRIVATE ${options_${kind}})
      set(headers_test <doctest/doctest.h>)
      target_precompile_headers(${shared} PRIVATE <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstdio> <cstring>
        <functional> <limits> <map> <memory> <numeric> <optional> <stdexcept> <string> <utility> <vector> ${headers_${kind}})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${shared})
  endif()
endfunction()
