// The completion script of fish, from 3.1 on.

import {
  type Candidates,
  type CompletedOption,
  completedCommands,
  firstWords,
  groupNames,
  withCodes,
} from './candidates.ts';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** The command that lists candidates when they are asked for. */
function listing({ words, isList, files }: Candidates): string {
  const parts: string[] = [];
  if (words.length > 0) parts.push(isList ? `(__untold_list ${words.join(' ')})` : words.join(' '));
  if (files === 'all') parts.push('(__untold_files .)');
  else if (files === 'folders') parts.push('(__untold_files "/\\$")');
  else if (files !== null) parts.push(`(__untold_files "\\.(${files.join('|')})\\$")`);
  return parts.join(' ');
}

function optionLine(command: string, { flags, description, placeholder, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const candidates = placeholder === null ? '' : listing(value);
  const takes = placeholder === null ? '' : ` -x${candidates === '' ? '' : ` -a ${quoted(candidates)}`}`;
  return `complete -c untold -n '__untold_at ${command}' ${names.join(' ')}${takes} -d ${quoted(description)}`;
}

const HELPERS = `# Completion of untold. Save it as ~/.config/fish/completions/untold.fish

# Whether the command is the given one; without words, whether there is none yet.
function __untold_at
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l words (string match -v -- '-*' $tokens)
    if test (count $argv) -eq 0
        test (count $words) -eq 0
        return
    end
    set -l length (count $argv)
    test (count $words) -ge $length; and test "$words[1..$length]" = "$argv"
end

# Whether nothing but options follows the group of commands.
function __untold_in
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l words (string match -v -- '-*' $tokens)
    test "$words" = "$argv"
end

# Folders, and files whose names match a regular expression.
function __untold_files
    set -l token (string replace -r -- '^--[a-z-]+=' '' (commandline -ct) | string unescape)
    for path in (__fish_complete_path $token)
        set -l name (string split -m 1 \\t -- $path)[1]
        if string match -qr -- "/\\$|$argv[1]" $name
            echo -- $path
        end
    end
end

# Words that are separated by commas: those before the last one stay.
function __untold_list
    set -l token (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
    set -l head (string match -r -- '^.*,' $token)
    for word in $argv
        echo -- "$head$word"
    end
end

complete -c untold -f`;

export function fishScript(): string {
  const lines = [HELPERS];
  const word = (condition: string, [name, description]: readonly [string, string]) =>
    `complete -c untold -n ${quoted(condition)} -a ${name} -d ${quoted(description)}`;
  lines.push(...firstWords(null).map((entry) => word('__untold_at', entry)));
  lines.push(...firstWords(null).map((entry) => word('__untold_in help', entry)));
  lines.push(`complete -c untold -n '__untold_at' -l help -s h -d help`);
  lines.push(`complete -c untold -n '__untold_at' -l version -s V -d 'the version'`);
  for (const group of groupNames())
    lines.push(...firstWords(group).map((entry) => word(`__untold_in ${group}`, entry)));
  for (const { name, options, argument } of completedCommands()) {
    lines.push(...options.map((option) => optionLine(name, option)));
    const candidates = argument === null ? '' : listing(argument);
    if (candidates !== '') lines.push(`complete -c untold -n '__untold_at ${name}' -a ${quoted(candidates)}`);
  }
  return withCodes(`${lines.join('\n')}\n`, '$__untold_codes', (all) => `set -g __untold_codes ${all}`);
}
