// What differs between two outputs that were read. Names of files do not count, because they hold hashes and the name of the scene:
// tiles are compared by their ids, levels by their numbers, textures by their names without hashes, all by their content.

import { isDeepStrictEqual } from 'node:util';
import type { Bounds } from '../../scene/types.ts';
import type { PicturedDifference } from './pictures.ts';
import type { ReadLevel, ReadOutput, ReadTexture } from './readOutput.ts';
import type { DiffFact, DiffLevel, DiffLevelFacts, DiffTile, Pair } from './tiles.ts';

export interface DiffTotals {
  /** Tiles and the shared bucket. */
  readonly tiles: number;
  readonly clusters: number;
  /** Files of LODs and HLODs. */
  readonly levels: number;
  /** Of full detail, as stored: instances count once. */
  readonly triangles: number;
  readonly vertices: number;
  /** Of the LODs and HLODs. */
  readonly levelTriangles: number;
  /** Of full detail. */
  readonly morphTargets: number;
  readonly textures: number;
  /** Of geometry, each level once. */
  readonly geometryBytes: number;
  readonly textureBytes: number;
}

export interface DiffTexture extends Pair<number> {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

export interface DiffDocument {
  readonly a: { readonly path: string; readonly kind: 'set' | 'file' };
  readonly b: { readonly path: string; readonly kind: 'set' | 'file' };
  /** Whether nothing differs. */
  readonly equal: boolean;
  readonly totals: { readonly a: DiffTotals; readonly b: DiffTotals };
  readonly bounds: Pair<Bounds> | null;
  /** What differs in the manifests as a whole: settings, versions, partition, streaming defaults, lights … */
  readonly settings: readonly DiffFact[];
  /** In the order of their ids. */
  readonly tiles: readonly DiffTile[];
  /** In the order of their names; `a` and `b` are bytes. */
  readonly textures: readonly DiffTexture[];
  /**
   * How the outputs look, where pictures were asked for: all of both first, then the tiles that differ, the worst first.
   * Empty where neither has a triangle, and no picture was written.
   */
  readonly pictures?: readonly PicturedDifference[];
}

const sum = <T>(list: readonly T[], value: (item: T) => number): number =>
  list.reduce((total, item) => total + value(item), 0);

export function totalsOf({ tiles, textures }: ReadOutput): DiffTotals {
  const all = tiles.flatMap(({ levels }) => levels);
  const full = all.filter(({ level }) => level === 'full');
  // Members of a cluster name its HLOD, too.
  const others = [...new Map(all.filter(({ level }) => level !== 'full').map((item) => [item.sha256, item])).values()];
  const files = [...new Map(all.map((item) => [item.sha256, item])).values()];
  return {
    tiles: tiles.filter(({ kind }) => kind !== 'cluster').length,
    clusters: tiles.filter(({ kind }) => kind === 'cluster').length,
    levels: others.length,
    triangles: sum(full, ({ triangles }) => triangles),
    vertices: sum(full, ({ vertices }) => vertices),
    levelTriangles: sum(others, ({ triangles }) => triangles),
    morphTargets: sum(full, ({ morphTargets }) => morphTargets),
    textures: textures.length,
    geometryBytes: sum(files, ({ bytes }) => bytes),
    textureBytes: sum(textures, ({ bytes }) => bytes),
  };
}

/** Items of both lists by key, in the order of the keys. */
function paired<T>(a: readonly T[], b: readonly T[], key: (item: T) => string): [string, Pair<T>][] {
  const ofA = new Map(a.map((item) => [key(item), item]));
  const ofB = new Map(b.map((item) => [key(item), item]));
  const keys = [...new Set([...ofA.keys(), ...ofB.keys()])].sort();
  return keys.map((name) => [name, { a: ofA.get(name) ?? null, b: ofB.get(name) ?? null }]);
}

function differentFacts(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): DiffFact[] {
  return paired([...a], [...b], ([name]) => name).flatMap(([name, pair]) => {
    const [was, is] = [pair.a?.[1] ?? null, pair.b?.[1] ?? null];
    return was === is ? [] : [{ name, a: was, b: is }];
  });
}

const differentBounds = (a: Bounds | null, b: Bounds | null): Pair<Bounds> | null =>
  isDeepStrictEqual(a, b) ? null : { a, b };

const levelFacts = (level: ReadLevel | null): DiffLevelFacts | null =>
  level && { triangles: level.triangles, vertices: level.vertices, bytes: level.bytes, distance: level.distance };

/** Sorts levels by their numbers: `lod2` stands before `lod10`. */
const levelKey = ({ level }: ReadLevel): string => level.replace(/\d+$/, (number) => number.padStart(9, '0'));

function differentLevels(a: readonly ReadLevel[], b: readonly ReadLevel[]): DiffLevel[] {
  return paired(a, b, levelKey).flatMap(([, pair]) => {
    const { level } = (pair.a ?? pair.b) as ReadLevel;
    const content = pair.a?.sha256 !== pair.b?.sha256;
    if (!content && pair.a?.distance === pair.b?.distance) return [];
    return [{ level, content, a: levelFacts(pair.a), b: levelFacts(pair.b) }];
  });
}

const changeOf = ({ a, b }: Pair<unknown>) => (a === null ? 'added' : b === null ? 'removed' : 'changed');

function differentTiles(a: ReadOutput, b: ReadOutput): DiffTile[] {
  return paired(a.tiles, b.tiles, ({ id }) => id).flatMap(([id, pair]): DiffTile[] => {
    const change = changeOf(pair);
    const levels = differentLevels(pair.a?.levels ?? [], pair.b?.levels ?? []);
    const bounds = differentBounds(pair.a?.bounds ?? null, pair.b?.bounds ?? null);
    const facts = change === 'changed' ? differentFacts(pair.a?.facts ?? new Map(), pair.b?.facts ?? new Map()) : [];
    const isChanged = levels.length > 0 || bounds !== null || facts.length > 0;
    const kind = (pair.b ?? pair.a)?.kind ?? 'tile';
    return isChanged || change !== 'changed' ? [{ id, kind, change, levels, bounds, facts }] : [];
  });
}

function differentTextures(a: readonly ReadTexture[], b: readonly ReadTexture[]): DiffTexture[] {
  // Files of the same content are the same; of the others, those of one name have changed, in the order of their sizes.
  const inA = new Set(a.map(({ sha256 }) => sha256));
  const inB = new Set(b.map(({ sha256 }) => sha256));
  const numbered = (list: readonly ReadTexture[]) => {
    const counts = new Map<string, number>();
    return [...list]
      .sort((x, y) => y.bytes - x.bytes || (x.sha256 < y.sha256 ? -1 : 1))
      .map((texture) => {
        const number = (counts.get(texture.name) ?? 0) + 1;
        counts.set(texture.name, number);
        return { ...texture, key: `${texture.name}\0${String(number).padStart(9, '0')}` };
      });
  };
  const onlyA = numbered(a.filter(({ sha256 }) => !inB.has(sha256)));
  const onlyB = numbered(b.filter(({ sha256 }) => !inA.has(sha256)));
  return paired(onlyA, onlyB, ({ key }) => key).map(([key, pair]) => ({
    name: key.slice(0, key.indexOf('\0')),
    change: changeOf(pair),
    a: pair.a?.bytes ?? null,
    b: pair.b?.bytes ?? null,
  }));
}

/** Compares two outputs that were read. */
export function compareOutputs(a: ReadOutput, b: ReadOutput): DiffDocument {
  const settings = differentFacts(a.settings, b.settings);
  const tiles = differentTiles(a, b);
  const textures = differentTextures(a.textures, b.textures);
  const bounds = differentBounds(a.bounds, b.bounds);
  return {
    a: { path: a.path, kind: a.kind },
    b: { path: b.path, kind: b.kind },
    equal: settings.length + tiles.length + textures.length === 0 && bounds === null,
    totals: { a: totalsOf(a), b: totalsOf(b) },
    bounds,
    settings,
    tiles,
    textures,
  };
}
