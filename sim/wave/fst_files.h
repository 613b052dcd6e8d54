/* SPDX-License-Identifier: Apache-2.0 */
/* The files of fstapi.c, which is compiled with this header in front of it.

   As it comes, it ignores the results of its writes, and maps temporary files into memory, so that a full disk gives
   unreadable waves or a SIGBUS. Here its output goes to an OutputFile, which remembers what failed, and its temporary
   files (names and sizes of the signals, their current values, the times of a section) are kept in memory: they hold
   some bytes for each signal and each cycle of a section. */
#pragma once

#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

FILE* heddle_fst_open(const char* name, const char* mode);
FILE* heddle_fst_temporary(void);
int heddle_fst_number(FILE* stream);
void* heddle_fst_map(size_t bytes, int number);
int heddle_fst_truncate(int number, off_t bytes);

#ifdef __cplusplus
}
#endif

#ifdef HEDDLE_FST_FILES
#define fopen heddle_fst_open
#define tmpfile heddle_fst_temporary
#define fileno heddle_fst_number
#define mmap(address, bytes, protection, flags, number, offset) heddle_fst_map((bytes), (number))
#define munmap(address, bytes) ((void)(address))
#define ftruncate heddle_fst_truncate
#define unlink(name) ((void)(name))
#endif
