// Checks the manifest of a tiled scene as the engine's decoder and loader would take it, and its set of files for
// completeness. Nothing is read here: the caller gives a probe that finds files.

import { jsonFaultWords } from '../../bytes/jsonFault.ts';
import { sha256Hex } from '../../bytes/sha256.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import type { Format, TextureProbe } from '../format.ts';
import { FORMATS } from '../registry.ts';
import { isSharedPath, sharedAbove } from '../untold/sharedUris.ts';
import { checkTextures } from '../untold/textureFiles.ts';
import { checkDefaults, checkRadii } from './checkRadii.ts';
import {
  type LevelEntry,
  MANIFEST_SHAPE,
  type ManifestBounds,
  type ManifestFile,
  type Shape,
  type TileEntry,
  type TileManifest,
} from './schema.ts';

export type * from './schema.ts';

/** What the caller knows of files; paths are relative to the manifest's folder, normalised, with `/`. */
export interface PayloadProbe {
  /** Size of the regular file, null when there is none. Paths of shared textures may begin with `../`. */
  size(path: string): number | null;
  /** The whole file; asked only where `size` gave a number. */
  read(path: string): Uint8Array;
}

/** What the check of a manifest asks of the format of its payloads. */
export type PayloadFormat = Pick<Format, 'extension' | 'checkTextures'>;

/** The only payloads that the engine loads. */
const ENGINE_PAYLOADS: PayloadFormat = { extension: FORMATS.untold.extension, checkTextures };

export interface ManifestReport {
  /** Null when the engine would refuse the manifest. */
  readonly manifest: TileManifest | null;
  /** Every payload that exists, once, in the order of the manifest. The caller validates each. */
  readonly payloads: readonly string[];
  /** Every file of the set that exists, once, with its bytes: payloads, what the manifest lists, textures that payloads name. */
  readonly files: ReadonlyMap<string, number>;
  readonly diagnostics: readonly Diagnostic[];
}

const LARGEST = { float: 3.4028234663852886e38, double: Number.MAX_VALUE } as const;
const MAX_INT64 = 2 ** 63;

const typeName = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'an array'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;

/** Checks one value against the decoder's schema; the schema's own depth bounds the recursion. */
function decode(value: unknown, shape: Shape, path: string, findings: Findings): void {
  const wrong = (wanted: string) => findings.report('UC3202', path, `${typeName(value)}, where ${wanted} is decoded`);
  switch (shape.kind) {
    case 'string':
      if (typeof value !== 'string') wrong('a string');
      break;
    case 'bool':
      if (typeof value !== 'boolean') wrong('true or false');
      break;
    case 'stringOrInt':
      if (typeof value !== 'string' && !Number.isInteger(value)) wrong('a string or an integer');
      break;
    case 'int':
    case 'float':
    case 'double':
      decodeNumber(value, shape.kind, path, findings, wrong);
      break;
    case 'array':
      if (!Array.isArray(value)) wrong('an array');
      else for (const [i, item] of value.entries()) decode(item, shape.of, `${path}/${i}`, findings);
      break;
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        wrong('an object');
        break;
      }
      const given = value as Readonly<Record<string, unknown>>;
      const below = (key: string) => (path === '' ? key : `${path}/${key}`);
      for (const [key, inner] of Object.entries(shape.required)) {
        if (!Object.hasOwn(given, key)) findings.report('UC3201', below(key), 'is missing');
        else if (given[key] === null) findings.report('UC3201', below(key), 'is null');
        else decode(given[key], inner, below(key), findings);
      }
      for (const [key, inner] of Object.entries(shape.optional)) {
        // null stands for absent.
        if (Object.hasOwn(given, key) && given[key] !== null) decode(given[key], inner, below(key), findings);
      }
    }
  }
}

function decodeNumber(
  value: unknown,
  kind: 'int' | 'float' | 'double',
  path: string,
  findings: Findings,
  wrong: (wanted: string) => void,
): void {
  if (typeof value !== 'number' || (kind === 'int' && Number.isFinite(value) && !Number.isInteger(value))) {
    wrong(kind === 'int' ? 'an integer' : 'a number');
  } else if (kind === 'int' ? value < -MAX_INT64 || value >= MAX_INT64 : Math.abs(value) > LARGEST[kind]) {
    // 1e400 is read as Infinity.
    findings.report('UC3203', path, `${value} does not fit ${kind === 'int' ? 'an Int64' : kind}`);
  }
}

/** The path without `.` and `..`; null when it climbs out. */
function normalise(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** A scheme or a drive at the start. */
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The normalised path, or null after UC3211 or UC3212. */
function plainPath(path: string, place: string, findings: Findings): string | null {
  if (path === '' || path.startsWith('/') || path.includes('\\') || path.includes('\0') || HAS_SCHEME.test(path)) {
    findings.report('UC3211', place, path === '' ? 'the path is empty' : path);
    return null;
  }
  const plain = normalise(path);
  if (plain === null || plain === '') {
    findings.report('UC3212', place, path);
    return null;
  }
  return plain;
}

class ManifestChecks {
  readonly #manifest: TileManifest;
  readonly #probe: PayloadProbe;
  readonly #findings: Findings;
  readonly #extension: string;
  readonly payloads = new Set<string>();

  constructor(manifest: TileManifest, probe: PayloadProbe, findings: Findings, extension: string) {
    this.#manifest = manifest;
    this.#probe = probe;
    this.#findings = findings;
    this.#extension = extension;
  }

  check(): void {
    const { tiles, shared_bucket: shared, streaming_defaults: defaults, interior_zone: zone } = this.#manifest;
    checkDefaults(defaults, this.#findings);
    const ids = new Map<string, number>();
    tiles.forEach((tile, i) => {
      const place = `tiles/${i}`;
      const first = ids.get(tile.tile_id);
      if (first === undefined) ids.set(tile.tile_id, i);
      else this.#findings.report('UC3230', place, `"${tile.tile_id}" is the id of tile ${first} too`);
      this.#tile(tile, place);
      checkRadii(tile, defaults, place, this.#findings);
    });
    // The loader takes the shared bucket's radii as they are and ignores its levels.
    if (shared) this.#tile(shared, 'shared_bucket');
    if (zone && (zone.min.length < 3 || zone.max.length < 3)) {
      this.#findings.report('UC3237', 'interior_zone', 'fewer than three coordinates');
    }
    this.#luts();
  }

  #tile(tile: TileEntry, place: string): void {
    const { min, max } = tile.bounds;
    if (min.length < 3 || max.length < 3) {
      this.#findings.report('UC3210', `${place}/bounds`, `${min.length} and ${max.length} coordinates`);
    } else if (isInsideOut(tile.bounds)) {
      this.#findings.report('UC3236', `${place}/bounds`, `${min.join(' ')} to ${max.join(' ')}`);
    }
    if (tile.center.length < 3) {
      this.#findings.report('UC3210', `${place}/center`, `${tile.center.length} coordinates`);
    }
    const size = this.#payload(tile.path_relative_to_manifest, `${place}/path_relative_to_manifest`);
    if (size !== null && size !== tile.file_size_bytes) {
      this.#findings.report(
        'UC3215',
        `${place}/file_size_bytes`,
        `${tile.file_size_bytes}, the file has ${size} bytes`,
      );
    }
    this.#levels(tile.lod_levels ?? [], `${place}/lod_levels`);
    this.#levels(tile.hlod_levels ?? [], `${place}/hlod_levels`);
  }

  #levels(levels: readonly LevelEntry[], place: string): void {
    for (const [i, level] of levels.entries()) this.#payload(level.path, `${place}/${i}/path`);
  }

  /** The payload's size; null where there is none. */
  #payload(given: string, place: string): number | null {
    const path = plainPath(given, place, this.#findings);
    if (path === null) return null;
    const isPayload = path.endsWith(this.#extension);
    if (!isPayload) this.#findings.report('UC3213', place, given);
    const size = this.#probe.size(path);
    if (size === null) this.#findings.report('UC3214', place, `no file ${given}`);
    else if (isPayload) this.payloads.add(path);
    return size;
  }

  #luts(): void {
    const { colorLUT: lut, colorGradeLUT: grade } = this.#manifest;
    if (lut) {
      const wrong = (message: string) => this.#findings.report('UC3216', 'colorLUT', message);
      if (lut.lutSize < 2 || lut.lutSize > 64) wrong(`size ${lut.lutSize}`);
      if (lut.gamma <= 0) wrong(`gamma ${lut.gamma}`);
      if (lut.shaperMaxStops <= lut.shaperMinStops) wrong(`stops ${lut.shaperMinStops} to ${lut.shaperMaxStops}`);
      if (lut.displayDevice != null && lut.displayDevice !== 'sRGB') wrong(`display "${lut.displayDevice}"`);
      this.#lutFile(lut.lutUri, 'colorLUT/lutUri');
    }
    if (grade) {
      const { lutSize, domainMin, domainMax } = grade;
      const wrong = (message: string) => this.#findings.report('UC3217', 'colorGradeLUT', message);
      if (lutSize < 2 || lutSize > 129) wrong(`size ${lutSize}`);
      if (domainMin.length < 3 || domainMax.length < 3 || domainMin.some((low, a) => domainMax[a] <= low)) {
        wrong(`domain ${domainMin.join(' ')} to ${domainMax.join(' ')}`);
      }
      this.#lutFile(grade.lutUri, 'colorGradeLUT/lutUri');
    }
  }

  #lutFile(uri: string, place: string): void {
    const path = plainPath(uri, place, this.#findings);
    if (path !== null && this.#probe.size(path) === null) this.#findings.report('UC3218', place, `no file ${uri}`);
  }
}

function isInsideOut({ min, max }: ManifestBounds): boolean {
  return [0, 1, 2].some((a) => min[a] > max[a]);
}

/** The files of a list by normalised path; empty, after a warning, when it is no such list. */
function listedFiles(
  manifest: TileManifest,
  key: 'files' | 'shared_textures',
  findings: Findings,
): Map<string, string> {
  const listed = new Map<string, string>();
  const files: unknown = manifest[key];
  if (files === undefined || files === null) return listed;
  if (!Array.isArray(files)) {
    findings.report('UC3238', key, `${typeName(files)} instead of a list`);
    return listed;
  }
  files.forEach((file: Partial<ManifestFile> | null, i) => {
    const place = `${key}/${i}`;
    const sha256 = file?.sha256;
    if (typeof file?.path !== 'string' || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
      findings.report('UC3238', place, 'not {path, sha256}');
      return;
    }
    const isShared = key === 'shared_textures' && isSharedPath(file.path);
    const path = isShared ? file.path : plainPath(file.path, place, findings);
    if (path !== null) listed.set(path, sha256);
  });
  return listed;
}

/**
 * Checks a manifest. `file` is its name for messages; findings on a payload's textures name the payload, and a file that
 * the probe cannot read is a finding of its own. Throws only what else the probe throws.
 */
export async function validateManifest(
  text: string,
  file: string,
  probe: PayloadProbe,
  format: PayloadFormat = ENGINE_PAYLOADS,
): Promise<ManifestReport> {
  const findings = new Findings(file);
  const refused = (): ManifestReport => ({
    manifest: null,
    payloads: [],
    files: new Map(),
    diagnostics: findings.list(),
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    findings.report('UC3200', '', jsonFaultWords(text));
    return refused();
  }
  decode(value, MANIFEST_SHAPE, '', findings);
  if (findings.list().length > 0) return refused();
  const manifest = value as TileManifest;
  const checks = new ManifestChecks(manifest, probe, findings, format.extension);
  checks.check();

  const shared = listedFiles(manifest, 'shared_textures', findings);
  const listed = new Map([...listedFiles(manifest, 'files', findings), ...shared]);
  /** Where a texture lies: below the manifest, or where the set has those that it shares. */
  const placeOf = (path: string): string | null => {
    const above = sharedAbove(path);
    return above !== null && shared.has(above) ? above : normalise(path);
  };
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const beside: Diagnostic[] = [];
  // Most payloads of a set share textures.
  const heads = new Map<string, Uint8Array | null>();
  const files = new Map<string, number>();
  const isFound = (path: string): boolean => {
    const bytes = files.get(path) ?? probe.size(path);
    if (bytes !== null) files.set(path, bytes);
    return bytes !== null;
  };
  const headOf = (path: string, length: number): Uint8Array | null => {
    const known = heads.get(path);
    if (known !== undefined) return known;
    let head: Uint8Array | null = null;
    try {
      // A copy, so that the rest of the file goes.
      head = probe.read(path).slice(0, length);
    } catch (error) {
      // Where the file is listed, or is checked itself, it is reported.
      if (!(error instanceof SourceError)) throw error;
    }
    heads.set(path, head);
    return head;
  };
  for (const path of new Set([...checks.payloads, ...listed.keys()])) {
    const sha256 = listed.get(path);
    if (!isFound(path)) {
      findings.report('UC3219', shared.has(path) ? 'shared_textures' : 'files', `no file ${path}`);
      continue;
    }
    let bytes: Uint8Array;
    try {
      bytes = probe.read(path);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      beside.push(...error.diagnostics);
      continue;
    }
    if (sha256 !== undefined && sha256Hex(bytes) !== sha256) {
      findings.report('UC3220', shared.has(path) ? 'shared_textures' : 'files', path);
    }
    if (!checks.payloads.has(path)) continue;
    const home = path.slice(0, path.lastIndexOf('/') + 1);
    const textures: TextureProbe = {
      exists: (texture) => {
        const place = placeOf(home + texture);
        return place !== null && isFound(place);
      },
      head: (texture, length) => headOf(placeOf(home + texture) ?? texture, length),
    };
    beside.push(...(await format.checkTextures(bytes, folder + path, textures)).diagnostics);
  }
  return { manifest, payloads: [...checks.payloads], files, diagnostics: [...findings.list(), ...beside] };
}
