// SPDX-License-Identifier: Apache-2.0
#include "isa/helpers.h"

#include <set>

namespace heddle {
namespace {

// By GCC's names of machine modes: sf float, df double, tf 128 bits; si, di integers of 32, 64 bits.
const std::set<std::string> kDivisions{"__divdi3", "__divmoddi4", "__moddi3", "__udivdi3", "__udivmoddi4", "__umoddi3"};
const std::set<std::string> kFloats{
    "__adddf3",      "__subdf3",      "__muldf3",     "__divdf3",     "__negdf2",     "__powidf2",     "__eqdf2",
    "__nedf2",       "__ltdf2",       "__ledf2",      "__gtdf2",      "__gedf2",      "__unorddf2",    "__extendsfdf2",
    "__truncdfsf2",  "__fixdfsi",     "__fixunsdfsi", "__fixdfdi",    "__fixunsdfdi", "__floatsidf",   "__floatunsidf",
    "__floatdidf",   "__floatundidf", "__fixsfdi",    "__fixunssfdi", "__floatdisf",  "__floatundisf", "__addtf3",
    "__subtf3",      "__multf3",      "__divtf3",     "__negtf2",     "__powitf2",    "__eqtf2",       "__netf2",
    "__lttf2",       "__letf2",       "__gttf2",      "__getf2",      "__unordtf2",   "__extendsftf2", "__extenddftf2",
    "__trunctfsf2",  "__trunctfdf2",  "__fixtfsi",    "__fixunstfsi", "__fixtfdi",    "__fixunstfdi",  "__floatsitf",
    "__floatunsitf", "__floatditf",   "__floatunditf"};

}  // namespace

Helper helper_of(const std::string& function) {
  return kDivisions.count(function) != 0 ? Helper::kDivision
         : kFloats.count(function) != 0  ? Helper::kFloat
                                         : Helper::kNone;
}

}  // namespace heddle
