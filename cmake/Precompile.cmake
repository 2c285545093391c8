# With FLIPSCOPE_PRECOMPILE the standard headers that most sources include are parsed once for a target: a first build takes
# a fifth less. scripts/demo and scripts/test ask for it. It is off otherwise: compiler caches know precompiled headers only
# by special settings, and a build without it notices forgotten includes. No header here brings names that are
# found by a call's arguments (<filesystem> does: std::quoted). What follows the target's name are more headers.
function(flipscope_precompile target)
  if(FLIPSCOPE_PRECOMPILE)
    set(headers "")
    foreach(name IN ITEMS ${ARGN} algorithm array bit charconv cmath cstdint cstdio cstring functional limits map memory
                          numeric optional stdexcept string utility vector)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${name}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()
