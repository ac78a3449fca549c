// `untold export`: one scene as a single file or a pack, as `untoldengine export` writes it.

import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import {
  type Diagnostic,
  diagnostic,
  exportRoots,
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

/** Paths of what --select takes. */
const CHOSEN = /^(?:\/|nodes\/\d)/;
/** An instance of a mesh has the path of its node before its own. */
const OF_NODE = /^(nodes\/\d+)\/.*$/;

/**
 * The paths of the outermost nodes of a name, else of those with a mesh of it. Throws UC1003 where nothing is called so, and UC1044
 * for sources whose nodes cannot be chosen.
 */
function named({ nodes, meshes, source }: Scene, name: string): string[] {
  /** Parents stand before their children. */
  const outermost = (isNamed: (node: Scene['nodes'][number]) => boolean): string[] => {
    const covered: boolean[] = [];
    return nodes.flatMap((node, i) => {
      const isBelow = node.parent >= 0 && covered[node.parent];
      covered[i] = isBelow || isNamed(node);
      return covered[i] && !isBelow ? [node.path] : [];
    });
  };
  const objects = outermost((node) => node.name === name);
  const paths = objects.length > 0 ? objects : outermost(({ mesh }) => mesh >= 0 && meshes[mesh].name === name);
  if (paths.length === 0) {
    const message = `"${name}" was given, but no object and no mesh is called so`;
    throw new SourceError(diagnostic('UC1003', source, '--mesh-name', message));
  }
  if (!paths.every((path) => CHOSEN.test(path))) {
    const instead = 'leave the other nodes out of the source, or export it as USD';
    throw new SourceError(refusal('--mesh-name', 'only prims of USD and nodes of glTF can be chosen', instead));
  }
  return [...new Set(paths.map((path) => path.replace(OF_NODE, '$1')))];
}

/** How many root objects a scene has, and what of it is chosen. A source that cannot be read has one: the cook reports it. */
async function rootsOf(
  input: string,
  { includeHidden: allMeshes, meshName }: ExportGiven,
  { host: environment }: Terminal,
): Promise<{ readonly roots: number; readonly select?: readonly string[] }> {
  const all = await exportRoots(input, { allMeshes, environment });
  if (all === null || meshName === undefined) return { roots: all?.roots ?? 1 };
  const select = named(all.scene, meshName);
  return { roots: (await exportRoots(input, { allMeshes, select, environment }))?.roots ?? 1, select };
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
    ...(chosen.select && { select: chosen.select }),
    ...(isPack ? {} : single),
    compress: optimize || given.compressGeometry ? 'lz4' : 'none',
    textures: optimize ? 'utex' : 'png',
    force: true,
    // It writes all vertices in the space of the file.
    flatten: true,
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
