# SPDX-License-Identifier: Apache-2.0
# Writes plugin_interface.h: Heddle's version and a digest of the headers that a plug-in is compiled with.
set(digests "")
foreach(header IN LISTS HEADERS)
  file(SHA256 ${header} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 12 digest)
file(WRITE ${OUTPUT} "#define HEDDLE_PLUGIN_INTERFACE \"${HEDDLE_VERSION}-${digest}\"\n")
