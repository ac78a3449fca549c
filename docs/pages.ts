// docs/options.md, docs/codes.md and docs/gltf-extensions.md, from the tables of options, diagnostics and glTF extensions.

import { bothFlags, camelCase } from '../src/config/options/option.ts';
import { COMMAND_OPTIONS, type CommandOption, PRESET_OPTIONS } from '../src/config/options/table.ts';
import { describeKind, writtenValue } from '../src/config/options/values.ts';
import { CODES, type Code, type CodeEntry } from '../src/diagnostics/codes.ts';
import { GUIDES } from '../src/diagnostics/guides.ts';
import { retiredCodes } from '../src/diagnostics/retired.ts';
import type { Extension } from '../src/importers/gltf/extensions/extension.ts';
import { EXTENSIONS } from '../src/importers/gltf/extensions/registry.ts';
import { GLTF_LAYER_NAMES } from '../src/scene/gltfMaterial.ts';
import { cell, code, GENERATED, markdownTable } from './markdown.ts';

const PRESET_NAMES = new Set<string>(PRESET_OPTIONS.map(({ name }) => name));

function optionRow(option: CommandOption): string[] {
  const { kind, placeholder, description, default: value } = option;
  const flag = [bothFlags(option), placeholder ?? ''].join(' ').trim();
  const written = value === undefined ? '' : code(String(writtenValue(kind, value)));
  return [code(flag), kind.type === 'flag' ? 'no value' : cell(describeKind(kind)), written, cell(description)];
}

/** The options of each command, under the headings of its help. */
export function optionsPage(): string {
  const parts = [
    '# Options',
    GENERATED,
    [
      'Every option of every command, as `untold COMMAND --help` lists them. A preset (`--pipeline`) is a JSON object with the',
      `names of the options of \`cook\` as keys, all but ${listOf(COMMAND_OPTIONS.cook.map(({ name }) => name).filter((name) => !PRESET_NAMES.has(name)))};`,
      'its schema is [schemas/preset.schema.json](../schemas/preset.schema.json). The [library](api.md) takes the same options in',
      `camelCase: \`--tile-size\` is \`${camelCase('tile-size')}\`. In \`cook\`, \`--no-OPTION\` turns off a flag that a preset turns on.`,
      'Commands with the flags of the engine are in [engine-cli.md](engine-cli.md).',
    ].join('\n'),
  ];
  for (const [command, options] of Object.entries(COMMAND_OPTIONS) as [string, readonly CommandOption[]][]) {
    parts.push(`## untold ${command}`);
    for (const group of new Set(options.map((option) => option.group))) {
      const rows = options.filter((option) => option.group === group).map(optionRow);
      parts.push(`### ${group.replace(/:$/, '')}`, markdownTable(['option', 'takes', 'default', 'what it does'], rows));
    }
  }
  return `${parts.join('\n\n')}\n`;
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} and ${quoted[quoted.length - 1]}`;
}

/** The exit code of an error; warnings and notes have none. */
function exitOf({ severity, exit = 1 }: CodeEntry): string {
  return severity === 'error' ? `, exit code ${exit}` : '';
}

/** Every diagnostic with its cause and remedy, in the order of their codes. */
export function codesPage(): string {
  const parts = [
    '# Diagnostic codes',
    GENERATED,
    [
      'What each code means and what to do about it, as `untold explain CODE` prints it. A warning that `--strict` or',
      '`--deny CODE` makes an error ends the command with 1.',
    ].join('\n'),
    [
      'Earlier versions had one code for each field; now one code covers a class of fault. Options, project',
      'files and `untold explain` take a retired code for its successor. It is never used for something else:',
    ].join('\n'),
    [...retiredCodes()].map(([code, old]) => `- ${code}: ${old.join(', ')}`).join('\n'),
  ];
  const entries = Object.entries(CODES as Readonly<Record<string, CodeEntry>>);
  for (const [name, entry] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { severity, title, cause, remedy } = entry;
    parts.push(
      `## ${name}`,
      `**${severity}${exitOf(entry)}: ${cell(title)}**`,
      cell(cause),
      `Remedy: ${cell(remedy)}.`,
    );
    const guide = GUIDES[name as Code];
    for (const { tool, text } of guide?.steps ?? []) {
      parts.push(`${tool === 'terminal' ? 'At the terminal' : `In ${tool}`}: ${cell(text)}`);
    }
    if (guide?.example) parts.push(`\`\`\`\n${guide.example}\n\`\`\``);
  }
  return `${parts.join('\n\n')}\n`;
}

const SUPPORT: Readonly<Record<Extension['support'], string>> = {
  full: 'full',
  partial: 'in part',
  ignored: 'ignored',
  unneeded: 'not needed',
};

/** Every known extension of glTF in the order of their names, and what becomes of the others. */
export function extensionsPage(): string {
  const rows = [...EXTENSIONS]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, support, effect, codes = [] }) => [
      code(name),
      SUPPORT[support],
      cell(GLTF_LAYER_NAMES.some((layer) => layer === name) ? `${effect} A GLB keeps the extension.` : effect),
      codes.join(', '),
    ]);
  const parts = [
    '# glTF extensions',
    GENERATED,
    [
      'A file may require any of these. *Full*: nothing of it is lost. *In part*: it is approximated, or cooked in part, and a',
      'code reports that. *Ignored*: it is left out, and a code reports that. *Not needed*: it changes nothing that the cook',
      'draws. An extension that is not in the table is ignored with the warning UC1306 if it is optional; if the file requires',
      'it, the cook ends with UC1305. What a GLB keeps is written as it is, and no code is said:',
      '[materials of a GLB](formats.md#materials-of-a-glb).',
    ].join('\n'),
    markdownTable(['extension', 'support', 'what the cook does', 'codes'], rows),
  ];
  return `${parts.join('\n\n')}\n`;
}
