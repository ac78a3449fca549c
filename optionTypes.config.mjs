// The options of the library as interfaces, each with what it means, its unit and its default: in src/ their types are computed from
// the table of options, and an editor shows nothing of a computed property.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** What a placeholder of the command line says of a number. */
const UNITS = { METRES: 'In metres.', SECONDS: 'In seconds.', BYTES: 'In bytes.', SIZE: 'In bytes.' };
const WIDTH = 120;
/** Where tables of calls are. */
const TABLES = ['table', 'bakeOptions'];

const camelCase = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

/** A type as ValueOf in src/config/options/option.ts computes it. */
function typeOf({ type, choices, searched }) {
  const words = choices?.map((choice) => `'${choice}'`).join(' | ');
  const types = {
    flag: 'boolean',
    number: 'number',
    bytes: 'number',
    numbers: 'readonly number[]',
    ratio: "number | null | 'auto'",
    ratios: "readonly number[] | 'auto'",
    path: searched ? 'string | boolean' : 'string',
    list: words ? `readonly (${words})[]` : 'readonly string[]',
  };
  return types[type] ?? words ?? 'string';
}

/** Words in lines of a comment. */
function wrapped(text, indent) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== '' && `${indent} * ${line} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `${indent} * ${line}`).join('\n');
}

function declared({ name, kind, placeholder, description, default: value }) {
  const named = description.replace(
    /--(no-)?([a-z][a-z-]*)/g,
    (_, no, flag) => camelCase(flag) + (no ? ': false' : ''),
  );
  const sentences = [
    `${named[0].toUpperCase()}${named.slice(1).replace(/\.$/, '').replaceAll('*/', '* /')}.`,
    UNITS[placeholder] ?? '',
    value === undefined ? '' : `Default: ${JSON.stringify(value)}.`,
  ];
  const comment = wrapped(sentences.join(' ').trim(), '  ');
  return `  /**\n${comment}\n   */\n  readonly ${camelCase(name)}?: ${typeOf(kind)} | undefined;`;
}

/** `COOK_CALL_OPTIONS` as `CookCallOptions`. */
export const interfaceOf = (table) =>
  table.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());

/** Declarations of an interface for each table of a call. `folder`: where a file may be for a moment. */
export async function optionTypes(folder) {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    stdin: {
      contents: TABLES.map((name) => `export * from './src/config/options/${name}.ts';`).join('\n'),
      resolveDir: '.',
    },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['sharp', 'lz4-napi', 'draco3dgltf', 'hash-wasm', 'ktx2-encoder', 'pino'],
  });
  const bundle = join(folder, 'table.mjs');
  writeFileSync(bundle, outputFiles[0].contents);
  const tables = await import(pathToFileURL(bundle).href);
  rmSync(bundle);
  const names = Object.keys(tables).filter((name) => name.endsWith('_CALL_OPTIONS'));
  return names
    .map((name) => `export interface ${interfaceOf(name)} {\n${tables[name].map(declared).join('\n')}\n}\n`)
    .join('\n');
}
