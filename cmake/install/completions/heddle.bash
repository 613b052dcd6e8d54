# SPDX-License-Identifier: Apache-2.0
# bash completion of heddle: the program itself says what can follow.
_heddle() {
  local -a words
  read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} != *[[:space:]] ]] || words+=("")
  mapfile -t COMPREPLY < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
  local word=${words[-1]}
  local split=${word%"${word##*=}"}  # bash completes what stands behind an equals sign alone
  COMPREPLY=("${COMPREPLY[@]#"$split"}")
  [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
}
complete -o default -F _heddle heddle
