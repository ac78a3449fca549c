// `untold export`: one scene as a single file or a pack, as `untoldengine export` writes it.

import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import {
  type Diagnostic,
  diagnostic,
  importScene,
  type Scene,
  SourceError,
  showPath,
  workingFolder,
} from '../../index.ts';
import { cook } from '../commands/cook.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { exportClip } from './exportClip.ts';
import type { GivenFlags } from './exporterTable.ts';
import { needed, note, notesOf, refusal } from './given.ts';
import { refuseSplats } from './splats.ts';

type ExportGiven = GivenFlags<'export'>;

const SINGLE = '.untold';
const PACK = '.untoldpack';
const CLIP = '.untoldanim';

/** Throws UC1003 for an output of another kind. */
function checkOutput(output: string, isClip: boolean): void {
  const ending = extname(output).toLowerCase();
  const allowed = isClip ? [CLIP] : [SINGLE, PACK];
  if (allowed.includes(ending) && basename(output) !== ending) return;
  const message = `"${output}" was given, but the file has to end in ${allowed.join(' or ')}`;
  throw new SourceError(diagnostic('UC1003', '', '--output', message));
}

/** The nodes of a scene that draw something. */
function drawn({ nodes, meshes }: Scene): number[] {
  const draws = meshes.map(({ primitives }) => primitives.some(({ triangleCount }) => triangleCount > 0));
  return nodes.flatMap(({ mesh }, i) => (mesh >= 0 && draws[mesh] ? [i] : []));
}

/** A node and all above it, the root last. */
function upwards({ nodes }: Scene, node: number): number[] {
  const chain = [node];
  for (let at = nodes[node].parent; at >= 0; at = nodes[at].parent) chain.push(at);
  return chain;
}

/**
 * The paths of the outermost prims of a name, and the roots that they stand below. Throws UC1003 where nothing is called so,
 * and UC1044 for sources whose nodes cannot be chosen.
 */
function named(scene: Scene, name: string): { readonly select: string[]; readonly roots: number } {
  const isNamed = (node: number) => scene.nodes[node].name === name;
  const outermost = scene.nodes.flatMap((_, i) =>
    isNamed(i) && upwards(scene, i).filter(isNamed).length === 1 ? [i] : [],
  );
  if (outermost.length === 0) {
    throw new SourceError(
      diagnostic('UC1003', scene.source, '--mesh-name', `"${name}" was given, but no object is called so`),
    );
  }
  const select = outermost.map((node) => scene.nodes[node].path);
  if (!select.every((path) => path.startsWith('/'))) {
    const instead = 'leave the other nodes out of the source, or export it as USD';
    throw new SourceError(refusal('--mesh-name', 'only prims of USD can be chosen', instead));
  }
  return { select, roots: new Set(outermost.map((node) => upwards(scene, node).at(-1))).size };
}

/** How many root objects a scene has, and what of it is chosen. A source that cannot be read has one: the cook reports it. */
async function rootsOf(input: string, given: ExportGiven, terminal: Terminal) {
  const { includeHidden: allMeshes, meshName } = given;
  const { scene } = await importScene(input, { allMeshes, environment: terminal.host });
  if (scene === null) return { roots: 1 };
  if (meshName !== undefined) return named(scene, meshName);
  return { roots: new Set(drawn(scene).map((node) => upwards(scene, node).at(-1))).size };
}

/** Flags that a pack has no place for. Throws UC1044 for those that would put files elsewhere or change their type. */
function packNotes({ assetsDir, fileType = 'tile', colorGradeLut }: ExportGiven, out: string): Diagnostic[] {
  if (assetsDir !== undefined && assetsDir !== dirname(out)) {
    const instead = 'leave it out, and give --output in that folder';
    throw new SourceError(refusal('--assets-dir', 'a pack keeps models and textures in its own folder', instead));
  }
  if (fileType !== 'tile') {
    const instead = 'leave it out, or export each object by itself';
    throw new SourceError(refusal('--file-type', `the models of a pack are tiles, not ${fileType}`, instead));
  }
  return colorGradeLut === undefined ? [] : [note('--color-grade-lut', 'a pack has no place for a look')];
}

/** UC1045 where a file of the other form lies beside the output. */
function otherForm(out: string, cwd: string): Diagnostic[] {
  const ending = extname(out);
  const other = `${out.slice(0, -ending.length)}${ending === PACK ? SINGLE : PACK}`;
  return existsSync(other)
    ? [diagnostic('UC1045', showPath(other, cwd), '', `${basename(out)} is written beside it`)]
    : [];
}

/** Exports a scene and returns the exit code. Throws SourceError for what is refused before the cook. */
export async function exportScene(given: ExportGiven, terminal: Terminal): Promise<number> {
  const { EXPORT_FLAGS } = await import('./exportFlags.ts');
  const notes = notesOf(EXPORT_FLAGS, given);
  const input = needed(given.input, '--input', 'source');
  const output = needed(given.output, '--output', 'output');
  refuseSplats(input, output);
  const isClip = given.animation === true || given.fileType === 'animation';
  checkOutput(output, isClip);
  if (isClip) return exportClip(input, output, given, notes, terminal);
  const chosen = await rootsOf(input, given, terminal);
  const isPack = extname(output) === PACK || chosen.roots > 1;
  const out = isPack ? `${output.slice(0, -extname(output).length)}${PACK}` : output;
  const {
    json,
    quiet,
    verbose,
    logFormat,
    includeHidden: allMeshes,
    optimize = false,
    assetsDir,
    colorGradeLut,
  } = given;
  const ofForm = isPack ? packNotes(given, out) : [];
  const single = {
    ...(assetsDir !== undefined && assetsDir !== dirname(out) && { texturesDir: join(assetsDir, 'Textures') }),
    ...(colorGradeLut !== undefined && { colorGrade: colorGradeLut }),
    animations: ['none'],
  };
  const options = {
    out,
    allMeshes,
    ...('select' in chosen && { select: chosen.select }),
    ...(isPack ? {} : single),
    compress: optimize || given.compressGeometry ? 'lz4' : 'none',
    textures: optimize ? 'utex' : 'png',
    force: true,
    // The flags alone decide, as they do there.
    config: false,
    json,
    quiet,
    verbose,
    logFormat,
  } as const;
  const fileType = isPack ? undefined : given.fileType;
  const cwd = workingFolder({ environment: terminal.host });
  return cook([input], options, terminal, {
    notes: [...notes, ...ofForm, ...otherForm(out, cwd)],
    asExporter: fileType === undefined ? {} : { fileType },
  });
}
