// Reads GLB files: chunks, JSON, and the values of accessors, each checked against what the file holds. It is for the check of
// what was written; sources are read by importers/gltf. The reader of gltf-transform believes counts and offsets.

import type { GLTF } from '@gltf-transform/core';
import { MeshoptDecoder } from 'meshoptimizer';
import { type Code, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { type DracoAttribute, decodeDraco } from '../draco/decode.ts';
import { dracoSize } from '../draco/header.ts';
import { Findings, ScanBudget } from '../findings.ts';
import {
  BIN_CHUNK,
  CHUNK_HEADER_BYTES,
  COMPONENTS,
  type ComponentArray,
  DRACO,
  type ElementType,
  HEADER_BYTES,
  JSON_CHUNK,
  MAGIC,
  MESHOPT,
  SIZES,
  VERSION,
} from './layout.ts';
import { checkStructure, isObject } from './structure.ts';

/** Of EXT_meshopt_compression. */
interface CompressedView extends GLTF.IBufferView {
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
}

/** Of KHR_draco_mesh_compression. */
interface DracoPrimitive {
  readonly bufferView: number;
  /** The attribute's id in the Draco data, by semantic. */
  readonly attributes: Readonly<Record<string, number>>;
}

/** A decompressed view may have so many bytes for each byte that it comes of, and this many in any case. */
const MAX_SWELLING = 1024;
const ALWAYS_ROOM = 1 << 20;
/**
 * All decompressed views together may have so many bytes for each byte of the file, and values may be read so often; 64 MiB in any
 * case. Views of one file may overlap, and accessors share them.
 */
const SCANS = 64;
const SCAN_FLOOR = 2 ** 26;

/** What stands for 1 in arrays of normalised numbers. */
const GREATEST: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [Int8Array, 127],
  [Uint8Array, 255],
  [Int16Array, 32_767],
  [Uint16Array, 65_535],
]);

/** Where the values of an accessor lie. */
interface Place {
  readonly Values: (typeof COMPONENTS)[keyof typeof COMPONENTS];
  readonly view: Uint8Array;
  readonly byteOffset: number;
  readonly stride: number;
  readonly count: number;
  /** Bytes of an element. */
  readonly own: number;
}

export class GlbFile {
  readonly json: GLTF.IGLTF;
  readonly #bin: Uint8Array;
  readonly #findings: Findings;
  readonly #views = new Map<number, Uint8Array | null>();
  /** By accessor, the values that Draco data has. */
  readonly #draco = new Map<number, ComponentArray>();
  readonly #unpacked: ScanBudget;
  readonly #budget: ScanBudget;

  constructor(json: GLTF.IGLTF, bin: Uint8Array, findings: Findings) {
    this.json = json;
    this.#bin = bin;
    this.#findings = findings;
    const most = bin.length * SCANS + SCAN_FLOOR;
    this.#unpacked = new ScanBudget(findings, most);
    this.#budget = new ScanBudget(findings, most);
  }

  /** The bytes of a view; null, with UC3705 or UC3714, where it is not in the file. */
  view(index: number): Uint8Array | null {
    const known = this.#views.get(index);
    if (known !== undefined) return known;
    const view = this.json.bufferViews?.[index];
    const bytes = view ? this.#bytesOf(view, `bufferViews/${index}`) : null;
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

  #bytesOf({ extensions, ...view }: GLTF.IBufferView, path: string): Uint8Array | null {
    const packed = extensions?.[MESHOPT] as CompressedView | undefined;
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
    if (size > ALWAYS_ROOM + source.length * MAX_SWELLING)
      return fault(`${size} bytes cannot come of ${source.length}`);
    if (!this.#unpacked.take(size, path)) return null;
    try {
      const target = new Uint8Array(size);
      MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, source, mode);
      return target;
    } catch {
      return fault(`the ${source.length} bytes do not decode in mode ${mode}`);
    }
  }

  /** Decompresses the primitives that Draco has, each set of accessors once. UC3714. */
  async unpackDraco(): Promise<void> {
    const done = new Set<string>();
    for (const [m, { primitives }] of (this.json.meshes ?? []).entries()) {
      for (const [p, primitive] of primitives.entries()) {
        const packed = primitive.extensions?.[DRACO] as DracoPrimitive | undefined;
        const key = JSON.stringify([packed, primitive.attributes, primitive.indices]);
        if (!packed || done.has(key)) continue;
        done.add(key);
        await this.#unpack(packed, primitive, `meshes/${m}/primitives/${p}`);
      }
    }
  }

  async #unpack(packed: DracoPrimitive, primitive: GLTF.IMeshPrimitive, path: string): Promise<void> {
    const bytes = this.view(packed.bufferView);
    if (bytes === null) return;
    const { accessors = [] } = this.json;
    const fault = (why: string): void => {
      this.#findings.report('UC3714', path, why);
    };
    const attributes = new Map<string, DracoAttribute>();
    for (const [semantic, id] of Object.entries(packed.attributes)) {
      const index = primitive.attributes[semantic];
      const { type, count, ...accessor } = accessors[index] ?? {};
      const componentType = accessor.componentType as keyof typeof COMPONENTS;
      const components = SIZES[type as ElementType];
      const isSound = Number.isSafeInteger(id) && id >= 0 && Number.isSafeInteger(count) && count > 0;
      if (!isSound || !components || !COMPONENTS[componentType])
        return fault(`${semantic} of the Draco data has no sound accessor`);
      attributes.set(semantic, { id, accessor: { path: `accessors/${index}`, componentType, components, count } });
    }
    try {
      const size = dracoSize(bytes, (code, why) => fail(code, this.#findings.file, path, why));
      const bytesOf = ({ accessor }: DracoAttribute) =>
        accessor.count * accessor.components * COMPONENTS[accessor.componentType].BYTES_PER_ELEMENT;
      const needed = [...attributes.values()].reduce((sum, one) => sum + bytesOf(one), size.faces * 12);
      if (!this.#unpacked.take(needed, path)) return;
      const { indices, attributes: decoded } = await decodeDraco({
        file: this.#findings.file,
        path,
        bytes,
        size,
        attributes,
      });
      for (const [semantic, values] of decoded) this.#draco.set(primitive.attributes[semantic], values);
      this.#addCorners(primitive.indices as number, indices, fault);
    } catch (error) {
      const known = error instanceof SourceError ? error.diagnostics[0] : null;
      if (known?.code !== 'UC1316' && known?.code !== 'UC1318') throw error;
      fault(known.message);
    }
  }

  /** The corners of faces, in the numbers that their accessor states. */
  #addCorners(index: number, corners: Uint32Array, fault: (why: string) => void): void {
    const { accessors = [] } = this.json;
    const { count, type, componentType } = accessors[index];
    const Values = COMPONENTS[componentType as keyof typeof COMPONENTS];
    const stored = Values?.from(corners);
    const isSound =
      count === corners.length && type === 'SCALAR' && stored?.every((corner, i) => corner === corners[i]);
    if (isSound) this.#draco.set(index, stored);
    else fault(`accessors/${index} has no room for the ${corners.length} corners of the Draco data`);
  }

  /** Where the values of an accessor lie; null, with a finding, where they are not in the file. */
  place(index: number): Place | null {
    const { accessors = [], bufferViews = [] } = this.json;
    const { componentType, type, count, bufferView, byteOffset = 0 } = accessors[index];
    const Values = COMPONENTS[componentType as keyof typeof COMPONENTS];
    const size = SIZES[type as ElementType];
    const fault = (why: string) => {
      this.#findings.report('UC3706', `accessors/${index}`, why);
      return null;
    };
    if (!Values || !size || !Number.isSafeInteger(count) || count < 1)
      return fault('its type or count is none that glTF has');
    const unpacked = this.#draco.get(index);
    if (unpacked) {
      const { buffer, length, BYTES_PER_ELEMENT: part } = unpacked;
      return {
        Values,
        view: new Uint8Array(buffer),
        byteOffset: 0,
        stride: size * part,
        count: length / size,
        own: size * part,
      };
    }
    if (bufferView === undefined) return fault('it has no view, and no Draco data has its values');
    const view = this.view(bufferView);
    if (view === null) return null;
    const part = Values.BYTES_PER_ELEMENT;
    const own = size * part;
    const { byteStride: stride = own } = bufferViews[bufferView];
    const isAligned = byteOffset % part === 0 && stride % part === 0 && stride >= own;
    if (!isAligned || byteOffset < 0 || byteOffset + (count - 1) * stride + own > view.length)
      return fault(`${count} elements from ${byteOffset} are not within the ${view.length} bytes of its view`);
    return { Values, view, byteOffset, stride, count, own };
  }

  /**
   * The values of an accessor, one after the other; null, with a finding, where they are not in the file, or where the file had them
   * read too often.
   */
  values(index: number): ComponentArray | null {
    const place = this.place(index);
    if (place === null) return null;
    const { Values, view, byteOffset, stride, count, own } = place;
    if (!this.#budget.take(count * own, `accessors/${index}`)) return null;
    const bytes = new Uint8Array(count * own);
    if (stride === own) bytes.set(view.subarray(byteOffset, byteOffset + bytes.length));
    else
      for (let i = 0; i < count; i++)
        bytes.set(view.subarray(byteOffset + i * stride, byteOffset + i * stride + own), i * own);
    return new Values(bytes.buffer);
  }

  /** Whether an accessor's values come of Draco data, which rounds them. */
  isRounded(index: number): boolean {
    return this.#draco.has(index);
  }

  /** The values of an accessor as numbers: whole ones that are normalised become fractions (glTF 2.0, 3.6.2.2). */
  numbers(index: number): ComponentArray | null {
    const values = this.values(index);
    if (values === null || !this.json.accessors?.[index].normalized) return values;
    const most = GREATEST.get(values.constructor);
    return most === undefined ? values : Float32Array.from(values, (value) => Math.max(value / most, -1));
  }
}

/** Opens a file; null, with findings, where chunks or JSON cannot be read, or a reference leads nowhere. */
export async function openGlb(bytes: Uint8Array, findings: Findings): Promise<GlbFile | null> {
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
  let bin = bytes.subarray(0, 0);
  if (at < bytes.length) {
    const binBytes = at + CHUNK_HEADER_BYTES <= bytes.length ? data.getUint32(at, true) : -1;
    const isBin = binBytes >= 0 && data.getUint32(at + 4, true) === BIN_CHUNK;
    at += CHUNK_HEADER_BYTES;
    if (!isBin || at + binBytes !== bytes.length) return fault('UC3702', 'chunk 1', `${binBytes} bytes do not fit`);
    bin = bytes.subarray(at);
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return fault('UC3703', 'chunk 0', 'the JSON cannot be parsed');
  }
  const asset = isObject(json) ? json.asset : null;
  if (!isObject(asset) || asset.version !== '2.0') return fault('UC3703', 'asset', 'no asset of version 2.0');
  checkStructure(json, findings);
  if (findings.list().length > 0) return null;
  const glb = new GlbFile(json as unknown as GLTF.IGLTF, bin, findings);
  await glb.unpackDraco();
  return glb;
}

/** Opens a file. Throws SourceError with what is wrong with it. */
export async function readGlb(
  bytes: Uint8Array,
  name: string,
): Promise<{ readonly glb: GlbFile; readonly findings: Findings }> {
  const findings = new Findings(name);
  const glb = await openGlb(bytes, findings);
  findings.throwIfErrors();
  return { glb: glb as GlbFile, findings };
}
