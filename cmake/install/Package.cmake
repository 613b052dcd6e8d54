# SPDX-License-Identifier: Apache-2.0
# cpack -G DEB (in the build folder): a Debian package of what cmake --install installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Heddle maintainers <maintainers@heddle.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Branch-divergence hardware for GPUs: simulator, compilers, RTL")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Beside the libraries: what heddle-cc and heddle-nvcc call.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-networkx, gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf, picolibc-riscv64-unknown-elf")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, clang-14, clang-tools-14, cmake, gtkwave, python3-matplotlib")
set(CPACK_STRIP_FILES ON)
include(CPack)
