# Files that go into the program: one string literal each, written at build time.

# cutline_embed(NAME ROOM HEADER FUNCTION TYPE file...): a source of the room ROOM that defines
# `std::vector<TYPE> FUNCTION()`, which HEADER declares; a TYPE is { file's name, its text }.
function(cutline_embed name room header function type)
  set(out ${CMAKE_BINARY_DIR}/generated/embedded_${name}.cc)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DROOM=${room} -DHEADER=${header} -DFUNCTION=${function}
            -DTYPE=${type} "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    COMMENT "Embedding the ${name}"
    VERBATIM)
  target_sources(cutline_${room} PRIVATE ${out})
endfunction()

file(GLOB profile_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/profiles/*.toml)
cutline_embed(profiles delivery delivery/profile.h builtin_profiles BuiltinProfile ${profile_files})

file(GLOB driver_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/run/clients/drivers/*.mjs)
cutline_embed(drivers run run/clients/drivers.h drivers Driver ${driver_files})
