# Runs at installation: copies the program's shared libraries to lib/flipscope, with their licences. Libraries that a graphics
# driver needs too go to fallback/NAME/, where app/commands/launcher.c uses them on systems without them. The C library, OpenGL
# and the driver come from the system.
set(folder "${CMAKE_INSTALL_PREFIX}/lib/flipscope")

# Libraries that GLFW opens at run time, if installed here.
set(opened X11-xcb.so.1 Xcursor.so.1 Xi.so.6 Xinerama.so.1 Xrandr.so.2 Xrender.so.1 Xxf86vm.so.1)
list(TRANSFORM opened REPLACE "(.+)" "/usr/lib/x86_64-linux-gnu/lib\\1;/usr/lib64/lib\\1")
file(GLOB opened ${opened})

file(GET_RUNTIME_DEPENDENCIES
     EXECUTABLES "$ENV{DESTDIR}${folder}/flipscope" LIBRARIES ${opened} RESOLVED_DEPENDENCIES_VAR libraries
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|util|resolv)\\.so" "^lib(GL|EGL|GLX|OpenGL|GLdispatch|cuda)\\.so" "^linux-vdso"
     POST_EXCLUDE_REGEXES "^$ENV{DESTDIR}${folder}/")
# Compiled in: headers and static libraries have licences, too.
set(packages fonts-inter fonts-jetbrains-mono libimgui-dev libglm-dev libcli11-dev nlohmann-json3-dev librandom123-dev
             libfast-float-dev libstb-dev python3-glad)
foreach(library IN LISTS libraries opened)
  cmake_path(GET library FILENAME name)
  set(place "${folder}")
  if(name MATCHES "^lib(stdc\\+\\+|gcc_s|z|expat|bsd|md|X[A-Za-z0-9-]+|xcb[a-z-]*)\\.so")
    set(place "${folder}/fallback/${name}")
  endif()
  file(INSTALL "${library}" DESTINATION "${place}" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
  file(REAL_PATH "${library}" real)
  string(REPLACE "/usr/lib/" "/lib/" elsewhere "${real};${library}")
  execute_process(COMMAND dpkg-query -S ${real} ${library} ${elsewhere} OUTPUT_VARIABLE owners ERROR_QUIET)
  string(REGEX MATCH "^[^:,\n]+" package "${owners}")
  if(NOT EXISTS /usr/share/doc/${package}/copyright)
    message(WARNING "No licence was found for ${real}: add it to share/doc/flipscope/licences before giving the bundle away")
  endif()
  list(APPEND packages ${package})
endforeach()

# Of each Debian package, from its documentation folder.
foreach(package IN LISTS packages)
  file(INSTALL /usr/share/doc/${package}/copyright DESTINATION "${CMAKE_INSTALL_PREFIX}/share/doc/flipscope/licences"
       RENAME ${package} OPTIONAL)
endforeach()
