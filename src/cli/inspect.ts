// `untold inspect`: what is in a file, as JSON or in words: a source as it would be cooked or as a stage, a manifest, a
// .untold file.

import { dirname, resolve } from 'node:path';
import { importOptions, type OptionValue } from '../config/settings.ts';
import { showPath } from '../config/sources.ts';
import { type Diagnostic, Diagnostics, fail, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { defaultRoot, diskFiles } from '../importers/files.ts';
import { describeStage, importSource, recognise } from '../importers/index.ts';
import { noteUnusedOptions } from '../importers/unusedOptions.ts';
import { isFolder } from '../importers/wholeFile.ts';
import type { Bounds } from '../scene/types.ts';
import { print, shownDiagnostic } from './documents.ts';
import { exitCodeOf } from './exitCode.ts';
import { textLog } from './log.ts';
import { diskProbe, isManifestText } from './manifestFiles.ts';
import { sceneDocument } from './sceneDocument.ts';
import { primLines } from './stageTree.ts';
import { printable, type Terminal } from './terminal.ts';
import { count, plural, size, table } from './words.ts';
import { workingFolder } from './workingFolder.ts';

type Values = ReadonlyMap<string, OptionValue>;

/** A document as the text of its JSON, its words, and all that was found. */
interface Inspected {
  readonly json: () => Iterable<string>;
  readonly lines: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

interface Document {
  readonly source: string;
  readonly kind: string;
  readonly warnings: readonly Diagnostic[];
}

function inspected(document: Document, lines: readonly string[]): Inspected {
  return { json: () => [print(document)], lines, warnings: document.warnings };
}

function boundsText(bounds: Bounds | null): string {
  if (!bounds) return 'empty';
  const corner = (values: readonly number[]) => values.map((v) => Number(v.toPrecision(6))).join(' ');
  return `(${corner(bounds.min)}) to (${corner(bounds.max)})`;
}

function section(title: string, rows: readonly (readonly string[])[], right: ReadonlySet<number>): string[] {
  return rows.length < 2 ? [] : ['', title, ...table(rows, right).map((line) => `  ${line}`)];
}

async function inspectSource(path: string, name: string, values: Values, cwd: string): Promise<Inspected> {
  const root = (values.get('root') as string | undefined) ?? defaultRoot(path);
  const files = diskFiles(root);
  const diagnostics = new Diagnostics();
  // What composed and what could be read is shown in any case, with the errors.
  const options = { ...importOptions(values), tolerant: true };
  const scene = await importSource(path, name, { files, diagnostics, options });
  const found = await sceneDocument(scene, name, diagnostics);
  const document = { ...found, warnings: found.warnings.map((d) => shownDiagnostic(d, cwd)) };
  const { totals } = document;
  const meshes = document.meshes.map((row) => [
    row.path,
    row.type,
    count(row.triangles),
    count(row.vertices),
    count(row.instances),
    row.material ?? row.subsets.map((subset) => subset.material ?? '-').join(' '),
  ]);
  const materials = document.materials.map((row) => [
    row.path,
    row.alphaMode,
    Object.entries(row.textures)
      .map(([slot, uri]) => `${slot} ${uri}`)
      .join(', '),
  ]);
  const lines = [
    `${name}: ${document.kind}, ${document.upAxis} up, ${document.metersPerUnit} m a unit`,
    `bounds ${boundsText(document.bounds)}`,
    `${plural(totals.instances, 'instance')} of ${count(totals.meshes)} meshes, ${plural(totals.triangles, 'triangle')}, ${count(totals.vertices)} vertices, ${plural(totals.nodes, 'node')}, ${plural(totals.materials, 'material')}, ${plural(totals.textures, 'texture')}`,
    ...section(
      'meshes',
      [['path', 'type', 'triangles', 'vertices', 'instances', 'material'], ...meshes],
      new Set([2, 3, 4]),
    ),
    ...section('materials', [['path', 'alpha', 'textures'], ...materials], new Set()),
  ];
  return inspected(document, lines);
}

/** Options that say what of a stage is drawn. */
const DRAWING = ['purpose', 'all-meshes', 'meters-per-unit', 'up-axis'] as const;

async function inspectStage(path: string, name: string, values: Values, cwd: string): Promise<Inspected> {
  const drawing = DRAWING.find((option) => values.has(option));
  if (drawing !== undefined) {
    fail(
      'UC1012',
      '',
      `--${drawing}`,
      'given together with --stage, which shows all that is composed, as it is authored',
    );
  }
  const root = (values.get('root') as string | undefined) ?? defaultRoot(path);
  const diagnostics = new Diagnostics();
  const context = { files: diskFiles(root), diagnostics, options: importOptions(values) };
  const { kind, rows } = await describeStage(path, name, context);
  const isJson = values.get('json') === true;
  // JSON as text: rows hold far more memory.
  const prims: string[] = [];
  const lines: string[] = [];
  let count = 0;
  for (const row of rows) {
    count++;
    const arcs = row.arcs.map((arc) => ({ ...arc, layer: showPath(arc.layer, cwd) }));
    if (isJson) prims.push(indented({ ...row, arcs }, '    '));
    else lines.push(...primLines({ ...row, arcs }));
  }
  const warnings = sortDiagnostics(diagnostics.list).map((d) => shownDiagnostic(d, cwd));
  // Text by text: a whole stage may be longer than one string can be.
  function* json() {
    yield `{\n  "source": ${JSON.stringify(name)},\n  "kind": "${kind}",\n  "prims": [`;
    for (const [i, prim] of prims.entries()) yield `${i === 0 ? '' : ','}\n    ${prim}`;
    yield `${prims.length === 0 ? '' : '\n  '}],\n  "warnings": ${indented(warnings, '  ')}\n}\n`;
  }
  return { json, lines: [`${name}: ${kind}, ${plural(count, 'prim')}`, ...lines], warnings };
}

/** A part of a document as it is printed inside of others. */
function indented(part: unknown, indent: string): string {
  return print(part).trimEnd().replaceAll('\n', `\n${indent}`);
}

/** What was found in a cooked file, and options that mean nothing for it. */
function cookedWarnings(found: readonly Diagnostic[], name: string, values: Values, cwd: string): Diagnostic[] {
  const diagnostics = new Diagnostics();
  noteUnusedOptions(name, 'cooked', importOptions(values), diagnostics);
  return [...diagnostics.list, ...found].map((d) => shownDiagnostic(d, cwd));
}

async function inspectUntold(bytes: Uint8Array, name: string, values: Values, cwd: string): Promise<Inspected> {
  const { describeUntold } = await import('../formats/untold/read.ts');
  const { description, diagnostics } = await describeUntold(bytes, name);
  const warnings = cookedWarnings(diagnostics, name, values, cwd);
  const { totals } = description;
  const chunks = description.chunks.map((chunk) => [
    chunk.name,
    chunk.compression,
    size(chunk.compressedSize),
    size(chunk.uncompressedSize),
    count(chunk.elementCount),
  ]);
  const meshes = description.meshes.map((mesh) => [
    mesh.name,
    count(mesh.triangles),
    count(mesh.vertices),
    mesh.indexType,
    mesh.material === null ? '-' : (description.materials[mesh.material]?.name ?? String(mesh.material)),
  ]);
  const textures = description.textures.map((texture) => [
    texture.uri,
    texture.format,
    `${texture.width}x${texture.height}`,
  ]);
  const lines = [
    `${name}: .untold version ${description.formatVersion}, ${description.fileType ?? 'unknown type'}, ${size(description.bytes)}`,
    `bounds ${boundsText(description.bounds)}`,
    Object.entries(totals)
      .filter(([, value]) => value > 0)
      .map(([what, value]) => `${count(value)} ${what}`)
      .join(', '),
    ...section('chunks', [['name', 'compression', 'stored', 'unpacked', 'elements'], ...chunks], new Set([2, 3, 4])),
    ...section('meshes', [['name', 'triangles', 'vertices', 'indices', 'material'], ...meshes], new Set([1, 2])),
    ...section('textures', [['uri', 'format', 'size'], ...textures], new Set()),
  ];
  const document = { source: name, kind: 'untold', ...description, warnings };
  return inspected(document, lines);
}

async function inspectManifest(
  path: string,
  name: string,
  text: string,
  values: Values,
  cwd: string,
): Promise<Inspected> {
  const { validateManifest } = await import('../formats/manifest/validate.ts');
  const report = await validateManifest(text, name, diskProbe(dirname(path)));
  const warnings = cookedWarnings(report.diagnostics, name, values, cwd);
  const { manifest } = report;
  const document = { source: name, kind: 'manifest', manifest, payloads: report.payloads, warnings } as const;
  if (!manifest) return inspected(document, [`${name}: a manifest that the engine refuses`]);
  const entries = manifest.shared_bucket ? [...manifest.tiles, manifest.shared_bucket] : manifest.tiles;
  const rows = entries.map((tile) => [
    tile.tile_id,
    tile.path_relative_to_manifest,
    size(tile.file_size_bytes),
    String(tile.streaming_radius ?? manifest.streaming_defaults.streaming_radius),
    String(tile.unload_radius ?? manifest.streaming_defaults.unload_radius),
    boundsText(tile.bounds as Bounds),
  ]);
  const bytes = entries.reduce((sum, tile) => sum + tile.file_size_bytes, 0);
  const lines = [
    `${name}: manifest version ${manifest.version}, ${manifest.partitioning_mode ?? 'no partitioning mode'}`,
    `${plural(manifest.tiles.length, 'tile')}${manifest.shared_bucket ? ' and a shared bucket' : ''}, ${size(bytes)}`,
    ...section('tiles', [['id', 'path', 'bytes', 'loads m', 'unloads m', 'bounds'], ...rows], new Set([2, 3, 4])),
  ];
  return inspected(document, lines);
}

/** Describes one file on stdout and returns the exit code. Throws SourceError when it cannot be read. */
export async function inspect(word: string, values: Values, terminal: Terminal): Promise<number> {
  const cwd = workingFolder();
  const root = values.get('root') as string | undefined;
  if (root !== undefined && !isFolder(root)) {
    fail('UC1003', '', '--root', `${showPath(root, cwd)} is not a folder`, 'give a folder that exists');
  }
  if (word === '') fail('UC1003', '', '', 'the name of the file is empty', 'give a file');
  const path = resolve(cwd, word);
  const name = showPath(path, cwd);
  const bytes = diskFiles(null).read(path, '', '');
  const kind = recognise(bytes);
  const text = kind === 'json' ? new TextDecoder().decode(bytes) : '';
  const { json, lines, warnings } =
    values.get('stage') === true
      ? await inspectStage(path, name, values, cwd)
      : kind === 'untold'
        ? await inspectUntold(bytes, name, values, cwd)
        : kind === 'json' && isManifestText(text)
          ? await inspectManifest(path, name, text, values, cwd)
          : await inspectSource(path, name, values, cwd);
  if (values.get('json') === true) for (const part of json()) terminal.answer(part);
  else {
    for (const line of lines) terminal.answer(`${printable(line)}\n`);
    const log = textLog(terminal, { quiet: false, verbose: true });
    for (const item of warnings) log.diagnostic(item);
  }
  return exitCodeOf(warnings);
}
