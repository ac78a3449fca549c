// The completion script of bash, from 3.2 on, which macOS has. It needs no other package.

import { type Candidates, completedCommands, firstWords, groupNames, withCodes } from './candidates.ts';

/** What gives the candidates for the word `$typed`. */
function call({ words, isList, files }: Candidates): string {
  const calls: string[] = [];
  if (words.length > 0) calls.push(`_untold_words "$typed" ${isList ? 'list' : 'one'} ${words.join(' ')}`);
  if (files === 'folders') calls.push(`_untold_files "$typed" '/$'`);
  else if (files === 'all') calls.push(`_untold_files "$typed" ''`);
  else if (files !== null) calls.push(`_untold_files "$typed" '\\.(${files.join('|')})$'`);
  return calls.join('; ') || ':';
}

const HELPERS = `# Completion of untold. In ~/.bashrc: source <(untold completion bash)

# Words that begin with $1; of a list, its last item.
_untold_words() {
  local typed=$1 head='' word
  if [[ $2 == list && $typed == *,* ]]; then head=\${typed%,*},; typed=\${typed##*,}; fi
  shift 2
  for word in "$@"; do
    if [[ $word == "$typed"* ]]; then COMPREPLY+=("$head$word"); fi
  done
}

# Folders, and files whose names match the regular expression $2.
_untold_files() {
  local typed=$1 pattern=$2 path
  typed=\${typed#[\\"\\']}
  typed=\${typed//\\\\/}
  if type compopt >/dev/null 2>&1; then compopt -o filenames 2>/dev/null; fi
  while IFS= read -r path; do
    if [[ -d \${path/#\\~\\//$HOME/} ]] || { [[ $pattern != '/$' ]] && [[ $path =~ $pattern ]]; }; then COMPREPLY+=("$path"); fi
  done < <(compgen -f -- "$typed")
}`;

export function bashScript(): string {
  const commands = completedCommands();
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ placeholder }) => placeholder !== null)
      .map(({ flags, value }) => `    ${flags.map((flag) => `'${name} ${flag}'`).join('|')}) ${call(value)} ;;`),
  );
  const words = (list: readonly (readonly [string, string])[]) => list.map(([word]) => word).join(' ');
  const groups = groupNames().map(
    (group) => `    ${group}) _untold_words "$typed" one ${words(firstWords(group))} --help -h ;;`,
  );
  const inside = commands.flatMap(({ name, options, argument }) => [
    `    '${name}')`,
    `      if [[ $typed == -* ]]; then _untold_words "$typed" one ${options.flatMap(({ flags }) => flags).join(' ')}`,
    `      else ${argument === null ? ':' : call(argument)}; fi ;;`,
  ]);
  const script = `${HELPERS}

# The value of an option: $1 is the command, $2 the option, $3 what is typed. Fails for an option that takes none.
_untold_value() {
  local typed=$3
  case "$1 $2" in
${values.join('\n')}
    *) return 1 ;;
  esac
}

_untold() {
  local typed=\${COMP_WORDS[COMP_CWORD]} before='' command='' word i
  COMPREPLY=()
  if (( COMP_CWORD > 0 )); then before=\${COMP_WORDS[COMP_CWORD-1]}; fi
  # bash separates words at =, too.
  if [[ $typed == '=' ]]; then typed=''
  elif [[ $before == '=' ]] && (( COMP_CWORD > 1 )); then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]]; then continue; fi
    if [[ -z $command ]]; then
      command=$word
      case "$command" in ${groupNames().join('|')}) continue ;; *) break ;; esac
    fi
    command="$command $word"
    break
  done
  if [[ $before == -* ]] && _untold_value "$command" "$before" "$typed"; then return 0; fi
  case "$command" in
    '') _untold_words "$typed" one ${words(firstWords(null))} --help -h --version -V ;;
    help) _untold_words "$typed" one ${words(firstWords(null))} ;;
${[...groups, ...inside].join('\n')}
  esac
}

complete -F _untold untold
`;
  return withCodes(script, '$_untold_codes', (all) => `_untold_codes='${all}'`);
}
