// `untold export-tiles`: a scene as a set of tiles, as `untoldengine export-tiles` writes it.

import { basename, dirname } from 'node:path';
import { diagnostic, SourceError } from '../../index.ts';
import { cook } from '../commands/cook.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GivenFlags } from './exporterTable.ts';
import { needed, note, notesOf, refusal } from './given.ts';
import { refuseSplats } from './splats.ts';

type Given = GivenFlags<'export-tiles'>;

/** Shares of triangles where no --lod-level is given, and no --hlod-level. */
const LOD = [0.5, 0.2];
const HLOD = 0.1;

/** The share of triangles at the end of `DIST:RATIO`, which may stand in brackets. Throws UC1003. */
function ratioOf(text: string, flag: string, form: RegExp): number {
  const ratio = Number(form.exec(text.replace(/^\((.*)\)$/, '$1'))?.[1]);
  if (ratio > 0 && ratio < 1) return ratio;
  throw new SourceError(
    diagnostic(
      'UC1003',
      '',
      flag,
      `"${text}" was given, but the option takes a distance and a share of triangles between 0 and 1`,
    ),
  );
}

/** The shares of --lod-level, the finest first. Throws UC1003. */
function lodOf(levels: readonly string[]): readonly number[] {
  const ratios = levels.map((text) => ratioOf(text, '--lod-level', /^[\d.]+:([\d.]+)$/));
  return [...new Set(ratios)].sort((a, b) => b - a);
}

/** The edge of a cell. Throws UC1044 for cells that are not square. */
function tileSizeOf({ tileSizeX = 25, tileSizeZ = 25 }: Given): number {
  if (tileSizeX === tileSizeZ) return tileSizeX;
  const why = `cells are square: ${tileSizeX} by ${tileSizeZ} was given`;
  throw new SourceError(refusal('--tile-size-x', why, 'give both the same size, or --quadtree or --kdtree'));
}

/** The folder of the manifest and the name of the folder of payloads in it. Throws UC1003 for one that cannot be made. */
function foldersOf(outputDir: string): { readonly out: string; readonly payloads: string } {
  const payloads = basename(outputDir);
  if (payloads !== '' && !/^\.|[\\:]/.test(payloads)) return { out: dirname(outputDir), payloads };
  const message = `"${outputDir}" was given, but the folder needs a name that does not begin with a dot`;
  throw new SourceError(diagnostic('UC1003', '', '--output-dir', message));
}

function partitionOf({ quadtree = false, kdtree = false }: Given) {
  if (quadtree && kdtree) throw new SourceError(diagnostic('UC1012', '', '--kdtree', '--quadtree was given too'));
  return quadtree ? 'quadtree' : kdtree ? 'kdtree' : 'grid';
}

/** Exports tiles and returns the exit code. Throws SourceError for what is refused before the cook. */
export async function exportTiles(given: Given, terminal: Terminal): Promise<number> {
  const { EXPORT_TILES_FLAGS } = await import('./exportTilesFlags.ts');
  const notes = notesOf(EXPORT_TILES_FLAGS, given);
  const input = needed(given.input, '--input', 'source');
  refuseSplats(input);
  const { out, payloads } = foldersOf(needed(given.outputDir, '--output-dir', 'folder'));
  const {
    generateLod = false,
    generateHlod = false,
    lodLevel,
    hlodLevel,
    optimize = false,
    parallelWorkers = 0,
  } = given;
  if (lodLevel && !generateLod) notes.push(note('--lod-level', 'no levels are made without --generate-lod'));
  if (hlodLevel && !generateHlod) notes.push(note('--hlod-level', 'no proxies are made without --generate-hlod'));
  if (hlodLevel && hlodLevel.length > 1) notes.push(note('--hlod-level', 'the first alone counts, as in the engine'));
  const options = {
    out,
    tileSize: tileSizeOf(given),
    partition: partitionOf(given),
    autoTileSize: given.autoTileSize,
    minObjectsPerTileTier: given.minObjectsPerTileTier,
    sceneProfile: given.sceneProfile,
    tierRadius: given.tierRadius,
    untaggedSemanticTier: given.untaggedSemanticTier,
    floorCount: given.floorCount,
    floorBandHeight: given.floorBandHeight,
    allMeshes: given.allMeshes,
    lod: generateLod ? (lodLevel ? lodOf(lodLevel) : LOD) : [],
    hlod: generateHlod ? (hlodLevel ? ratioOf(hlodLevel[0], '--hlod-level', /^[^:]*:[\d.]+:([\d.]+)$/) : HLOD) : null,
    compress: optimize || given.compressGeometry ? 'lz4' : 'none',
    textures: optimize ? 'utex' : 'png',
    colorGrade: given.colorGradeLut,
    ...(parallelWorkers > 0 && { jobs: parallelWorkers }),
    dryRun: given.dryRun,
    force: true,
    // The flags alone decide, as they do there.
    config: false,
    json: given.json,
    quiet: given.quiet,
    verbose: given.verbose,
    logFormat: given.logFormat,
  } as const;
  return cook([input], options, terminal, { notes, asExporter: { payloads } });
}
