// docs/engine-cli.md, from the table of the exporter's flags.

import type { ExporterFlag, Handling } from '../src/cli/exporter/exporterFlag.ts';
import { EXPORTER_FLAGS } from '../src/cli/exporter/exporterTable.ts';
import { bothFlags } from '../src/config/options/option.ts';
import { writtenValue } from '../src/config/options/values.ts';
import { cell, code, GENERATED, markdownTable } from './markdown.ts';

const HANDLING: Readonly<Record<Handling, string>> = {
  same: 'same',
  info: 'ignored, UC1043',
  refused: 'refused, UC1044',
};

function flagRow(row: ExporterFlag): string[] {
  const flag = [bothFlags(row), row.placeholder ?? ''].join(' ').trim();
  const usual = row.default === undefined ? '' : ` (default: ${writtenValue(row.kind, row.default)})`;
  return [code(flag), HANDLING[row.how], cell(`${row.description}${usual}`), cell(row.instead)];
}

/** What is to be known of each command besides its flags. */
const NOTES: Readonly<Record<keyof typeof EXPORTER_FLAGS, string>> = {
  export: [
    'One root object becomes `FILE.untold` with `Textures/` beside it; several become `FILE.untoldpack` with a folder for each',
    'model and one `Textures/`. `FILE.untoldpack` stays a pack. Without `--optimize` textures are PNG, as there; with it they are',
    '`.utex`, and no PNG is left beside them. Names of textures hold a part of the hash of their content, or nothing else in a pack and in',
    'the folder of `--assets-dir`, so that several exports can share a folder. Models of packs get LOD chains, as there, of levels that pictures judge. Lights and cameras come in single files alone. Clips come with `--animation` alone; the',
    'source may hold one then (UC1047). Nothing is exported of splats (UC1046).',
  ].join('\n'),
  'export-tiles': [
    'The manifest is `<scene>.json` in the folder above `--output-dir`, with its map `<scene>.plan.svg`; payloads and `Textures/`',
    'are in `--output-dir`, whatever its name is. From where levels are shown follows from what was measured, not from the',
    'distances of the flags.',
  ].join('\n'),
  'bake-lods': [
    'The manifest of a pack is written anew with `lodChains`; of a single model only level files appear. Ratios, limits of error and the formula',
    'of `screenSize` are those of the engine; the simplifier is ours, and a level never reaches beyond the bounds of its model. A model that',
    'moves, is linked with splats or has fewer triangles gets none (UC2085), nor one beside which a file of that name lies that is none of',
    'its levels (UC2086). `untold export` and `untold cook` make chains for packs already, whose levels are judged by pictures.',
  ].join('\n'),
  texbake: [
    'Textures keep the size of their image and have all mips, filtered as there. Base colour and emission are ASTC 4x4 in sRGB, normal',
    'maps ASTC 4x4 with two channels; all else is ASTC 6x6, opacity and data too, which are 4x4 there. Height maps and LUTs stay',
    'images (UC2117, UC2118). Python, Pillow and astcenc are not needed. With `--patch-refs` a file is replaced whole: its textures, their',
    'formats and sizes change, everything else stays. A file that is damaged is refused. The manifest of a set states the hashes of its',
    'files: cook sets with `--optimize` instead.',
  ].join('\n'),
};

/** Every flag of the exporter's commands and what becomes of it. */
export function exporterPage(): string {
  const commands = Object.keys(EXPORTER_FLAGS) as (keyof typeof EXPORTER_FLAGS)[];
  const names = commands.map((name) => `\`untold ${name}\``);
  const parts = [
    '# Instead of untoldengine export',
    GENERATED,
    [
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} take the flags of UntoldEngine's own command line and`,
      'write outputs of the same names, so that a script or an editor that starts `untoldengine` can start `untold`. They read',
      'glTF and GLB besides USD and USDZ, and start no Blender:',
    ].join('\n'),
    ['```sh', 'untold export --input chair.glb --output build/chair/chair.untold --optimize', '```'].join('\n'),
    [
      'What differs for all:',
      '',
      '- `Textures/` is never cleared. An output that is there is replaced; nothing that `untold` has not written is removed. Where a',
      '  file of the other form is left over, `chair.untoldpack` beside `chair.untold`, the warning UC1045 names it.',
      '- The exit code is 0 for a complete output alone, and nothing half-written is left. [Codes](codes.md) say what failed.',
      '- The flags alone decide: no project file and no preset is read. `untold cook` has more [options](options.md).',
      '- `--json`, `--quiet`, `--verbose` and `--log-format` are those of `untold`. Notes of ignored flags are shown with `--verbose`.',
    ].join('\n'),
    [
      'The tables have every flag. *Same*: it does what it does there, as far as the words say. *Ignored*: it is accepted and',
      'changes nothing. *Refused*: the command ends with exit code 2 and writes nothing. The last column is what to do in the',
      'other commands of `untold`.',
    ].join('\n'),
  ];
  for (const name of commands) {
    const rows = (EXPORTER_FLAGS[name] as readonly ExporterFlag[]).map(flagRow);
    parts.push(`## untold ${name}`, NOTES[name], markdownTable(['flag', '', 'here', 'otherwise'], rows));
  }
  return `${parts.join('\n\n')}\n`;
}
