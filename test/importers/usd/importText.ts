// Imports a USD scene given as text, with texture files as values, for the tests of composition, geometry and materials.

import { dirname, resolve } from 'node:path';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { Assets } from '../../../src/importers/usd/assets.ts';
import type { StageOptions } from '../../../src/importers/usd/compose/stage/openStage.ts';
import { openStage } from '../../../src/importers/usd/compose/stage/openStage.ts';
import type { Stage } from '../../../src/importers/usd/compose/stage/stage.ts';
import { importUsd } from '../../../src/importers/usd/index.ts';
import type { PolygonMesh, Scene } from '../../../src/scene/types.ts';

export const SOURCE = '/scene/town.usda';

const METRES = '(\n  metersPerUnit = 1\n  upAxis = "Y"\n)\n';

export function usda(body: string, metadata = METRES): Uint8Array {
  return new TextEncoder().encode(`#usda 1.0\n${metadata}${body}\n`);
}

export interface Imported {
  readonly scene: Scene;
  readonly diagnostics: Diagnostics;
  /** Codes in the order in which they were said. */
  codes(): string[];
}

/** `metadata` is the layer's, in parentheses; unauthored: metres, Y up. */
export async function importText(
  body: string,
  metadata?: string,
  files: Readonly<Record<string, Uint8Array>> = {},
  options: ImportOptions = {},
): Promise<Imported> {
  const diagnostics = new Diagnostics();
  const context = { files: memoryFiles(files, '/'), diagnostics, options };
  const scene = await importUsd(SOURCE, memoryContent(usda(body, metadata)), context);
  return { scene, diagnostics, codes: () => diagnostics.list.map((d) => d.code) };
}

/** The codes and paths of the errors that an import ends with. */
export async function errorsOf(body: string): Promise<string[]> {
  try {
    await importText(body);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.code} ${d.path}`);
  }
  return [];
}

export interface Opened {
  readonly stage: Stage;
  readonly diagnostics: Diagnostics;
  /** `code path` of all that was said, in that order. */
  said(): string[];
}

/** Braces that close on a line end their statements as USD wants them ended. */
function statements(body: string): string {
  return body.replaceAll(' }', '\n}');
}

/** A stage of a root layer and of more layers by path; relative paths lie beside the root layer. */
export function stageOf(
  body: string,
  metadata?: string,
  layers: Readonly<Record<string, Uint8Array>> = {},
  options: StageOptions = {},
): Opened {
  const diagnostics = new Diagnostics();
  const files = Object.entries(layers).map(([name, bytes]) => [resolve(dirname(SOURCE), name), bytes]);
  const assets = new Assets(memoryFiles(Object.fromEntries(files), '/'), diagnostics);
  const stage = openStage(
    assets.openRoot(SOURCE, memoryContent(usda(statements(body), metadata))),
    assets,
    options,
    diagnostics,
  );
  return { stage, diagnostics, said: () => diagnostics.list.map((d) => `${d.code} ${d.path}`) };
}

/** The arrays of the drawable at a path. */
export async function meshAt(scene: Scene, path: string): Promise<PolygonMesh> {
  const node = scene.nodes.find((n) => n.path === path && n.mesh >= 0);
  if (!node) throw new Error(`nothing is drawn at ${path}`);
  return scene.meshes[node.mesh].primitives[0].read();
}

/** A unit quad in the XY plane, facing +Z, with more properties. */
export function quad(name: string, properties = '', metadata = ''): string {
  return `def Mesh "${name}" ${metadata} {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    uniform token subdivisionScheme = "none"
    ${properties}
  }`;
}

/** The resolved value of an attribute by its path, undefined where there is none. */
export function valueAt(stage: Stage, path: string): unknown {
  const dot = path.lastIndexOf('.');
  return stage
    .prim(path.slice(0, dot))
    ?.attribute(path.slice(dot + 1))
    ?.get()?.value.value;
}

/** Paths of all active prims, parents first. */
export function primPaths(stage: Stage): string[] {
  const paths: string[] = [];
  const pending = [...stage.children].reverse();
  for (let prim = pending.pop(); prim; prim = pending.pop()) {
    paths.push(prim.path);
    pending.push(...[...prim.children].reverse());
  }
  return paths;
}

/** A layer without metadata, or with it. */
export function layer(body: string, metadata = ''): Uint8Array {
  return usda(statements(body), metadata === '' ? '' : `(\n${metadata}\n)\n`);
}
