# The profiles go into the program: one string literal a file, written at build time.
file(GLOB profile_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/profiles/*.toml)
set(embedded ${CMAKE_BINARY_DIR}/generated/embedded_profiles.cc)
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DOUT=${embedded} "-DFILES=${profile_files}"
          -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
  DEPENDS ${profile_files} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
  COMMENT "Embedding the profiles"
  VERBATIM)
target_sources(cutline_delivery PRIVATE ${embedded})
