// The completion script of zsh, for its functions _arguments and _describe. It may be sourced, or lie in $fpath as _untold.

import {
  type Candidates,
  type CompletedOption,
  completedCommands,
  firstWords,
  groupNames,
  withCodes,
} from './candidates.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** In the parts of a specification a colon ends the part, and a bracket the description. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

/** The action of a specification. */
function action({ words, isList, files }: Candidates): string {
  // Parentheses at the end without a bar would be qualifiers.
  const globs = Array.isArray(files)
    ? `_files -g "${files.length === 1 ? `*.${files[0]}` : `*.(${files.join('|')})`}"`
    : null;
  const paths = files === 'all' ? '_files' : files === 'folders' ? '_files -/' : globs;
  if (words.length === 0) return paths ?? ' ';
  // Values are shown as they are: none of these words holds a blank or a colon.
  if (paths !== null) {
    return ` _alternative "words\\:value\\:(${words.join(' ')})" "files\\:file\\:${paths.replaceAll('"', "'")}"`;
  }
  return isList ? `_values -s , value ${words.join(' ')}` : `{ compadd -- ${words.join(' ')} }`;
}

function specification({ flags, description, isRepeatable, placeholder, value }: CompletedOption): string {
  const shown = `[${escaped(description)}]`;
  const argument = placeholder === null ? '' : `:${escaped(placeholder)}:${action(value)}`;
  const [long, short] = flags;
  const isValue = placeholder !== null;
  const others = isRepeatable ? '*' : `(${flags.join(' ')})`;
  const spec = (flag: string) => quoted(`${others}${flag}${shown}${argument}`);
  const both = [spec(isValue ? `${long}=` : long)];
  if (short !== undefined) both.push(spec(short));
  return both.join(' ');
}

function describe(list: readonly (readonly [string, string])[]): string {
  return list.map(([word, description]) => quoted(`${word}:${escaped(description)}`)).join(' ');
}

export function zshScript(): string {
  const commands = completedCommands();
  const functionName = (name: string) => `_untold_${name.replaceAll(' ', '_')}`;
  const functions = commands.map(({ name, options, argument }) => {
    const specs = options.map(specification);
    if (argument !== null) specs.push(quoted(`*:argument:${action(argument)}`));
    return `${functionName(name)}() {\n  _arguments -s -S \\\n    ${specs.join(' \\\n    ')}\n}`;
  });
  const groups = groupNames().map((group) => {
    const cases = firstWords(group).map(([word]) => `      ${word}) ${functionName(`${group} ${word}`)} ;;`);
    return `_untold_${group}() {
  local curcontext=$curcontext state line
  _arguments -C '(-h --help)'{-h,--help}'[help]' '1: :->word' '*:: :->rest'
  case $state in
    word) local -a words_of_group=(${describe(firstWords(group))}); _describe command words_of_group ;;
    rest) case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`;
  });
  const cases = firstWords(null)
    .filter(([word]) => word !== 'help')
    .map(([word]) => `      ${word}) _untold_${word} ;;`);
  const script = `#compdef untold
# Completion of untold. In ~/.zshrc, after compinit: source <(untold completion zsh)

${[...functions, ...groups].join('\n\n')}

_untold() {
  local curcontext=$curcontext state line
  local -a commands=(${describe(firstWords(null))})
  _arguments -C '(-h --help)'{-h,--help}'[help]' '(-V --version)'{-V,--version}'[the version]' '1: :->word' '*:: :->rest'
  case $state in
    word) _describe command commands ;;
    rest) case $line[1] in
      help) _describe command commands ;;
${cases.join('\n')}
    esac ;;
  esac
}

if [[ $funcstack[1] == _untold ]]; then _untold "$@"; else compdef _untold untold; fi
`;
  return withCodes(script, '$=_untold_codes', (all) => `_untold_codes='${all}'`);
}
