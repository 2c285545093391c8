# Installation and packages. Components: `program` (bin/flipscope, which needs the system's packages), `data` (lessons,
# examples, documents), and `bundle`, which replaces `program` in the archive: the program with its libraries, licences and
# fonts. `cpack -G TGZ` packs bundle and data, `cpack -G DEB` program and data: CPack reads BundleComponents.cmake once for
# each kind of package.
set_target_properties(flipscope PROPERTIES INSTALL_RPATH "$ORIGIN")
# DT_RPATH: unlike DT_RUNPATH it also applies to the libraries' own dependencies.
target_link_options(flipscope PRIVATE -Wl,--disable-new-dtags)

install(TARGETS flipscope RUNTIME DESTINATION bin COMPONENT program)
# An installed system program uses only the system's library folders.
install(CODE [[file(RPATH_REMOVE FILE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/flipscope")]] COMPONENT program)

install(DIRECTORY ../assets/ DESTINATION share/flipscope COMPONENT data PATTERN desktop EXCLUDE PATTERN logo.png EXCLUDE)
install(DIRECTORY ../assets/desktop/ DESTINATION share COMPONENT data)
install(FILES ../README.md ../CHANGELOG.md DESTINATION share/doc/flipscope COMPONENT data)
install(FILES ../LICENSE DESTINATION share/doc/flipscope RENAME copyright COMPONENT data)
install(DIRECTORY ../docs DESTINATION share/doc/flipscope COMPONENT data
        FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.png")

# Chooses libraries before the program starts, so that the driver finds its own.
add_executable(flipscope_launcher commands/launcher.c)
set_target_properties(flipscope_launcher PROPERTIES OUTPUT_NAME flipscope RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/launcher)
target_compile_options(flipscope_launcher PRIVATE -Wall -Wextra -Wno-format-truncation)
target_link_libraries(flipscope_launcher PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(flipscope flipscope_launcher)
install(TARGETS flipscope_launcher RUNTIME DESTINATION bin COMPONENT bundle EXCLUDE_FROM_ALL)
install(TARGETS flipscope RUNTIME DESTINATION lib/flipscope COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/BundleLibraries.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
# The fonts of the window (app/figures/theme.cpp), under the SIL Open Font License.
install(FILES /usr/share/fonts/opentype/inter/Inter-Regular.otf /usr/share/fonts/opentype/inter/Inter-SemiBold.otf
              /usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf
        DESTINATION share/flipscope/fonts COMPONENT bundle EXCLUDE_FROM_ALL OPTIONAL)

set(CPACK_PACKAGE_CONTACT "The Flipscope authors <flipscope@localhost>" CACHE STRING "Who stands for the packages, as in: Name <address>")
set(CPACK_PACKAGE_DESCRIPTION
    "Delaunay triangulations and Voronoi diagrams, built, flipped and compared pass by pass, on an NVIDIA GPU or on the threads of the CPU, in a window or on the command line, with lessons and figures.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME ${CMAKE_PROJECT_NAME}-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/BundleComponents.cmake)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl1, libgl1, libgl1-mesa-dri, fonts-inter, fonts-jetbrains-mono")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, gdal-bin")
include(CPack)
