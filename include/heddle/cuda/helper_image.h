// SPDX-License-Identifier: Apache-2.0
// Numbers in files, images in the formats PGM and PPM, and comparisons, as programs in the style of NVIDIA's samples expect them.
//
// A load into a null pointer allocates with malloc. Images are binary (P5, P6) with one byte a component; floats are 0..1 of it.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "helper_string.h"

inline bool heddle_cannot(const char* what, const std::string& file) {
  fprintf(stderr, "%s: cannot %s\n", file.c_str(), what);
  return false;
}

// ---------------------------------------------------------------- numbers, separated by spaces, behind lines of `#`
template <class T>
inline bool sdkReadFile(const char* file, T** data, unsigned int* count, bool verbose) {
  std::ifstream in(file);
  if (!in) return verbose ? heddle_cannot("be read", file) : false;
  std::vector<T> all;
  T value;
  std::string comment;
  while (in >> std::ws && in.peek() == '#') std::getline(in, comment);
  while (in >> value) all.push_back(value);
  if (!in.eof()) return heddle_cannot("be read: not a number", file);
  if (*data != nullptr && *count != all.size()) return heddle_cannot("be read: another number of values than wanted", file);
  if (*data == nullptr) *data = static_cast<T*>(malloc(all.size() * sizeof(T)));
  *count = static_cast<unsigned int>(all.size());
  for (size_t i = 0; i < all.size(); ++i) (*data)[i] = all[i];
  return true;
}
template <class T, class S>
inline bool sdkWriteFile(const char* file, const T* data, unsigned int count, const S epsilon, bool verbose, bool append = false) {
  std::ofstream out(file, append ? std::ios::app : std::ios::out);
  if (!append) out << "# " << epsilon << "\n";
  for (unsigned int i = 0; i < count; ++i) out << data[i] << ' ';
  out << '\n';
  out.flush();
  return out ? true : verbose ? heddle_cannot("be written", file) : false;
}

// ---------------------------------------------------------------- images
// 1 or 3 components a pixel, from rows of as many or of one more.
inline bool heddle_load_image(const char* file, unsigned char** data, unsigned int* width, unsigned int* height, unsigned int* components) {
  std::ifstream in(file, std::ios::binary);
  std::string kind, word;
  if (!in || !(in >> kind) || (kind != "P5" && kind != "P6")) return heddle_cannot("be read as a PGM or PPM image", file);
  unsigned int header[3];
  for (unsigned int& number : header) {
    while (in >> std::ws && in.peek() == '#') std::getline(in, word);
    in >> number;
  }
  in.get();
  *components = kind == "P5" ? 1 : 3;
  const size_t bytes = size_t{*components} * header[0] * header[1];
  std::vector<char> pixels(in ? bytes : 0);
  in.read(pixels.data(), static_cast<std::streamsize>(pixels.size()));
  if (!in || header[2] == 0 || header[2] > 255) return heddle_cannot("be read: its header or its size is wrong", file);
  if (*data != nullptr && (*width != header[0] || *height != header[1])) return heddle_cannot("be read: another size than wanted", file);
  *width = header[0];
  *height = header[1];
  if (*data == nullptr) *data = static_cast<unsigned char*>(malloc(bytes));
  std::copy(pixels.begin(), pixels.end(), reinterpret_cast<char*>(*data));
  return true;
}
inline bool heddle_save_image(const char* file, const unsigned char* data, unsigned int width, unsigned int height, unsigned int components) {
  std::ofstream out(file, std::ios::binary);
  out << (components == 1 ? "P5\n" : "P6\n") << width << ' ' << height << "\n255\n";
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size_t{components} * width * height));
  out.flush();
  return out ? true : heddle_cannot("be written", file);
}

template <class T>
inline T heddle_from_byte(unsigned char byte) { return std::is_floating_point<T>::value ? static_cast<T>(byte / T(255)) : static_cast<T>(byte); }
template <class T>
inline unsigned char heddle_to_byte(T value) { return static_cast<unsigned char>(std::is_floating_point<T>::value ? value * T(255) : value); }

template <class T>
inline bool sdkLoadPGM(const char* file, T** data, unsigned int* width, unsigned int* height) {
  unsigned char* bytes = nullptr;
  unsigned int w = 0, h = 0, components = 0;
  if (!heddle_load_image(file, &bytes, &w, &h, &components)) return false;
  if (*data == nullptr) {
    *width = w;
    *height = h;
    *data = static_cast<T*>(malloc(size_t{w} * h * components * sizeof(T)));
  }
  const bool fits = *width == w && *height == h;
  for (size_t i = 0; fits && i < size_t{w} * h * components; ++i) (*data)[i] = heddle_from_byte<T>(bytes[i]);
  free(bytes);
  return fits ? true : heddle_cannot("be read: another size than wanted", file);
}
template <class T>
inline bool sdkSavePGM(const char* file, const T* data, unsigned int width, unsigned int height) {
  std::vector<unsigned char> bytes(size_t{width} * height);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = heddle_to_byte<T>(data[i]);
  return heddle_save_image(file, bytes.data(), width, height, 1);
}
// A fourth component, 0 where it is read.
inline bool sdkLoadPPM4ub(const char* file, unsigned char** data, unsigned int* width, unsigned int* height) {
  unsigned char* bytes = nullptr;
  unsigned int components = 0;
  if (!heddle_load_image(file, &bytes, width, height, &components)) return false;
  const size_t pixels = size_t{*width} * *height;
  if (components != 3) {
    free(bytes);
    return heddle_cannot("be read as a PPM image", file);
  }
  *data = static_cast<unsigned char*>(malloc(4 * pixels));
  for (size_t i = 0; i < pixels; ++i) {
    for (size_t c = 0; c < 4; ++c) (*data)[4 * i + c] = c == 3 ? 0 : bytes[3 * i + c];
  }
  free(bytes);
  return true;
}
inline bool sdkSavePPM4ub(const char* file, const unsigned char* data, unsigned int width, unsigned int height) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i < size_t{4} * width * height; ++i) {
    if (i % 4 != 3) bytes.push_back(data[i]);
  }
  return heddle_save_image(file, bytes.data(), width, height, 3);
}

// ---------------------------------------------------------------- comparisons
// Whether of `count` values at most the share `threshold` (0: none) differs by more than epsilon; NaN differs from all.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int count, const S epsilon, const float threshold) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = fabs(static_cast<double>(reference[i]) - static_cast<double>(data[i]));
    wrong += !(difference <= static_cast<double>(epsilon));
  }
  return wrong == 0 || (threshold != 0 && static_cast<float>(wrong) < threshold * static_cast<float>(count));
}
// Of the distance, relative to the reference.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int count, const float epsilon) {
  double error = 0, size = 0;
  for (unsigned int i = 0; i < count; ++i) {
    error += (static_cast<double>(reference[i]) - data[i]) * (static_cast<double>(reference[i]) - data[i]);
    size += static_cast<double>(reference[i]) * reference[i];
  }
  return size > 1e-14 && sqrt(error) / sqrt(size) < epsilon;
}
template <class T>
inline bool heddle_compare_images(const char* reference_file, const char* file, const float epsilon, const float threshold,
                                  bool (*load)(const char*, T**, unsigned int*, unsigned int*), unsigned int components) {
  T *a = nullptr, *b = nullptr;
  unsigned int size[4] = {};
  const bool equal = load(reference_file, &a, &size[0], &size[1]) && load(file, &b, &size[2], &size[3]) && size[0] == size[2] && size[1] == size[3] &&
                     compareData(a, b, size[0] * size[1] * components, epsilon, threshold);
  free(a);
  free(b);
  return equal;
}
inline bool sdkComparePPM(const char* reference_file, const char* file, const float epsilon, const float threshold, bool) {
  return heddle_compare_images<unsigned char>(reference_file, file, epsilon, threshold, sdkLoadPPM4ub, 4);
}
inline bool sdkComparePGM(const char* reference_file, const char* file, const float epsilon, const float threshold, bool) {
  return heddle_compare_images<unsigned char>(reference_file, file, epsilon, threshold, sdkLoadPGM<unsigned char>, 1);
}
