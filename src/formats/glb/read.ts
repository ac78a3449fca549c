// Reads GLB files: chunks, JSON, and the values of accessors, each checked against what the file holds. It is for the check of
// what was written; sources are read by importers/gltf.

import { MeshoptDecoder } from 'meshoptimizer';
import { type Code, type Diagnostic, diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import {
  type Accessor,
  BIN_CHUNK,
  CHUNK_HEADER_BYTES,
  COMPONENTS,
  type ComponentArray,
  type GlbJson,
  HEADER_BYTES,
  JSON_CHUNK,
  MAGIC,
  MESHOPT,
  SIZES,
  VERSION,
  type View,
} from './layout.ts';

/** Findings of one file; the first few of each code are kept. */
export class GlbFindings {
  readonly file: string;
  readonly list: Diagnostic[] = [];
  readonly #counts = new Map<Code, number>();

  constructor(file: string) {
    this.file = file;
  }

  report(code: Code, path: string, message: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= 8) this.list.push(diagnostic(code, this.file, path, message));
  }

  throwIfErrors(): void {
    const errors = this.list.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new SourceError(errors);
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A decompressed view may have so many bytes for each byte of the file, and this many in any case. */
const MOST_SWELLING = 1024;
const ALWAYS_ROOM = 1 << 20;

export class GlbFile {
  readonly json: GlbJson;
  readonly #bin: Uint8Array;
  readonly #findings: GlbFindings;
  readonly #views = new Map<number, Uint8Array | null>();

  constructor(json: GlbJson, bin: Uint8Array, findings: GlbFindings) {
    this.json = json;
    this.#bin = bin;
    this.#findings = findings;
  }

  /** The bytes of a view; null, with UC3705 or UC3714, where it is not in the file. */
  view(index: number): Uint8Array | null {
    const known = this.#views.get(index);
    if (known !== undefined) return known;
    const view = this.json.bufferViews?.[index];
    const bytes = isObject(view) ? this.#bytesOf(view as unknown as View, `bufferViews/${index}`) : null;
    this.#views.set(index, bytes);
    return bytes;
  }

  #slice(buffer: unknown, offset: unknown, length: unknown, path: string): Uint8Array | null {
    const at = offset ?? 0;
    const isRange = Number.isSafeInteger(at) && Number.isSafeInteger(length) && (at as number) >= 0;
    const stated = this.json.buffers?.[0]?.byteLength ?? 0;
    const room = Math.min(this.#bin.length, stated);
    if (buffer === 0 && isRange && (length as number) > 0 && (at as number) + (length as number) <= room) {
      return this.#bin.subarray(at as number, (at as number) + (length as number));
    }
    this.#findings.report('UC3705', path, `${length} bytes from ${at} of buffer ${buffer} are not in the file`);
    return null;
  }

  #bytesOf({ extensions, ...view }: View, path: string): Uint8Array | null {
    const packed = extensions?.[MESHOPT];
    if (!packed) return this.#slice(view.buffer, view.byteOffset, view.byteLength, path);
    const source = this.#slice(packed.buffer, packed.byteOffset, packed.byteLength, path);
    if (source === null) return null;
    const { count, byteStride, mode } = packed;
    const size = count * byteStride;
    const fault = (why: string) => {
      this.#findings.report('UC3714', path, why);
      return null;
    };
    const isSound = [count, byteStride].every((value) => Number.isSafeInteger(value) && value > 0) && byteStride <= 256;
    if (!isSound || size !== view.byteLength)
      return fault(`${count} elements of ${byteStride} bytes do not fill the view`);
    if (size > ALWAYS_ROOM + source.length * MOST_SWELLING)
      return fault(`${size} bytes cannot come of ${source.length}`);
    try {
      const target = new Uint8Array(size);
      MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, source, mode);
      return target;
    } catch {
      return fault(`the ${source.length} bytes do not decode in mode ${mode}`);
    }
  }

  /** The values of an accessor, one after the other; null, with a finding, where they are not in the file. */
  values(index: number): ComponentArray | null {
    const path = `accessors/${index}`;
    const accessor = this.json.accessors?.[index] as Accessor | undefined;
    const kind = accessor && COMPONENTS[accessor.componentType];
    const size = accessor && SIZES[accessor.type];
    if (!isObject(accessor) || !kind || !size || !Number.isSafeInteger(accessor.count) || accessor.count < 1) {
      this.#findings.report('UC3706', path, 'its type or count is none that glTF has');
      return null;
    }
    const view = this.view(accessor.bufferView);
    if (view === null) return null;
    const own = size * kind.bytes;
    const { byteStride: stride = own } = this.json.bufferViews?.[accessor.bufferView] ?? {};
    const { byteOffset = 0, count } = accessor;
    const isAligned = byteOffset % kind.bytes === 0 && stride % kind.bytes === 0 && stride >= own;
    if (!isAligned || byteOffset < 0 || byteOffset + (count - 1) * stride + own > view.length) {
      this.#findings.report(
        'UC3706',
        path,
        `${count} elements from ${byteOffset} are not within the ${view.length} bytes of its view`,
      );
      return null;
    }
    const bytes = new Uint8Array(count * own);
    if (stride === own) bytes.set(view.subarray(byteOffset, byteOffset + bytes.length));
    else
      for (let i = 0; i < count; i++)
        bytes.set(view.subarray(byteOffset + i * stride, byteOffset + i * stride + own), i * own);
    return new kind.array(bytes.buffer);
  }
}

/** Opens a file; null, with findings, where chunks or JSON cannot be read. */
export async function openGlb(bytes: Uint8Array, findings: GlbFindings): Promise<GlbFile | null> {
  await MeshoptDecoder.ready;
  const fault = (code: Code, path: string, message: string): null => {
    findings.report(code, path, message);
    return null;
  };
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + CHUNK_HEADER_BYTES || data.getUint32(0, true) !== MAGIC) {
    return fault('UC3700', '', 'it does not begin as a GLB does');
  }
  const version = data.getUint32(4, true);
  if (version !== VERSION) return fault('UC3701', 'header', `version ${version}`);
  const length = data.getUint32(8, true);
  if (length !== bytes.length) return fault('UC3702', 'header', `${length} bytes stated, ${bytes.length} there`);
  const jsonBytes = data.getUint32(12, true);
  let at = HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes;
  if (data.getUint32(16, true) !== JSON_CHUNK || at > bytes.length || jsonBytes % 4 !== 0) {
    return fault('UC3702', 'chunk 0', `${jsonBytes} bytes do not fit, or are no JSON`);
  }
  const text = bytes.subarray(HEADER_BYTES + CHUNK_HEADER_BYTES, at);
  let bin = new Uint8Array(0);
  if (at < bytes.length) {
    const binBytes = at + CHUNK_HEADER_BYTES <= bytes.length ? data.getUint32(at, true) : -1;
    const isBin = binBytes >= 0 && data.getUint32(at + 4, true) === BIN_CHUNK;
    at += CHUNK_HEADER_BYTES;
    if (!isBin || at + binBytes !== bytes.length) return fault('UC3702', 'chunk 1', `${binBytes} bytes do not fit`);
    bin = new Uint8Array(bytes.subarray(at));
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return fault('UC3703', 'chunk 0', 'the JSON cannot be parsed');
  }
  const asset = isObject(json) ? json.asset : null;
  if (!isObject(asset) || asset.version !== '2.0') return fault('UC3703', 'asset', 'no asset of version 2.0');
  return new GlbFile(json as unknown as GlbJson, bin, findings);
}

/** Opens a file. Throws SourceError with what is wrong with it. */
export async function readGlb(
  bytes: Uint8Array,
  name: string,
): Promise<{ readonly glb: GlbFile; readonly findings: GlbFindings }> {
  const findings = new GlbFindings(name);
  const glb = await openGlb(bytes, findings);
  findings.throwIfErrors();
  return { glb: glb as GlbFile, findings };
}
