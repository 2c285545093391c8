# With FLIPSCOPE_UNITY a few sources of a folder are compiled as one, which takes less than half of the time, since most of it
# goes into headers: for what is built once and run once, as in .ci/run. Which ones go together depends on their names alone,
# so a new source changes nothing for those beside it. Sources that have options of their own are compiled alone, as CMake
# has it. So a helper's name is its own within a folder, in tests too.
function(flipscope_unity target parts)
  if(NOT FLIPSCOPE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes the sources that a unit includes for headers, whose unnamed namespaces it warns about.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE place)
    cmake_path(RELATIVE_PATH place BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET place PARENT_PATH folder)
    string(MD5 name_hash "${place}")
    string(SUBSTRING ${name_hash} 0 1 digit)
    math(EXPR part "0x${digit} * ${parts} / 16")
    string(MAKE_C_IDENTIFIER "${folder}_${part}" group)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
  endforeach()
endfunction()

# The same for what nvcc compiles, which CMake does not do before 3.31: a generated file includes the sources of a folder,
# whose headers take longer than their kernels. Without FLIPSCOPE_UNITY every source is compiled by itself.
function(flipscope_cuda_unity target)
  if(NOT FLIPSCOPE_UNITY)
    flipscope_cuda_sources(${ARGN})
    return()
  endif()
  set(groups "")
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE place)
    cmake_path(GET place PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "cuda_${folder}" group)
    list(APPEND groups ${group})
    string(APPEND text_of_${group} "#include \"${source}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES groups)
  set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
  foreach(group IN LISTS groups)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/${group}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text_of_${group}}" @ONLY)
    flipscope_cuda_sources(${unit})
    target_sources(${target} PRIVATE ${unit})
  endforeach()
endfunction()

# With FLIPSCOPE_QUICK what is not kernels is optimised less, the host side of kernels, too, and under sanitizers nothing at
# all: it takes half as long to compile, and tests of it hardly longer. For .ci/run alone: what people build, and what is
# measured, has full optimisation.
function(flipscope_quick target)
  if(NOT FLIPSCOPE_QUICK)
    return()
  elseif(FLIPSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-O1>)
  endif()
endfunction()
