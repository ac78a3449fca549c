// Primitives compressed with Draco (KHR_draco_mesh_compression, Draco bitstream 2.2). The header is read here first, so
// that sizes are known and in proportion before a decoder allocates; the decoding itself goes through gltf-transform,
// which is handed a document of this one primitive only, so that nothing else of the file reaches it.

import type { JSONDocument, PlatformIO } from '@gltf-transform/core';
import { type Code, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault, loadLibrary, requireWasmMemory } from '../../diagnostics/environment.ts';
import { type Accessor, type TypedArray, toFloats } from './accessors.ts';

const MAGIC = [0x44, 0x52, 0x41, 0x43, 0x4f]; // "DRACO"
const TRIANGULAR_MESH = 1;
const SEQUENTIAL = 0;
const METADATA_FLAG = 0x8000;
/** Nested metadata deeper than this is refused by Draco's own decoder too. */
const MAX_METADATA_DEPTH = 1000;
/** Faces or vertices that a byte may stand for; real meshes stay far below, a crafted entropy stream has no bound of its own. */
const ELEMENTS_PER_BYTE = 256;
const FREE_ELEMENTS = 65536;

/** Reads the varying-length parts of the header; `at` past the end means cut off. */
class HeaderCursor {
  at = 0;
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get overrun(): boolean {
    return this.at > this.#bytes.length;
  }
  byte(): number {
    const value = this.at < this.#bytes.length ? this.#bytes[this.at] : 0;
    this.at++;
    return value;
  }
  skip(count: number): void {
    this.at += count;
  }
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  }
}

/** Passes over "Metadata Decoder" of the bitstream specification; false when it does not make sense. */
function skipMetadata(cursor: HeaderCursor): boolean {
  const roots = cursor.varint() + 1;
  for (let i = 0; i < roots; i++) {
    if (i < roots - 1) cursor.varint();
    // Elements still to read at each level of nesting.
    const open = [1];
    while (open.length > 0) {
      if (open[open.length - 1] === 0) {
        open.pop();
        continue;
      }
      open[open.length - 1]--;
      if (open.length > 1) cursor.skip(cursor.byte());
      const entries = cursor.varint();
      for (let e = 0; e < entries; e++) {
        cursor.skip(cursor.byte());
        cursor.skip(cursor.varint());
        if (cursor.overrun) return false;
      }
      open.push(cursor.varint());
      if (cursor.overrun || open.length > MAX_METADATA_DEPTH) return false;
    }
    if (cursor.overrun) return false;
  }
  return true;
}

export interface DracoSize {
  readonly faces: number;
  /** Vertices: as declared by sequential data; at most three a face of edgebreaker data, which drops loose ones. */
  readonly mostVertices: number;
}

/**
 * The sizes that compressed data declares. UC1318 when it is no Draco 2.2 mesh, UC1316 when they are out of all
 * proportion to the data.
 */
export function dracoSize(bytes: Uint8Array, broken: (code: Code, message: string) => never): DracoSize {
  const cursor = new HeaderCursor(bytes);
  if (MAGIC.some((byte) => cursor.byte() !== byte)) broken('UC1318', 'the data does not start as Draco data');
  const major = cursor.byte();
  const minor = cursor.byte();
  if (major !== 2 || minor !== 2) broken('UC1318', `Draco bitstream ${major}.${minor}, glTF asks for 2.2`);
  if (cursor.byte() !== TRIANGULAR_MESH) broken('UC1318', 'the Draco data is no triangle mesh');
  const method = cursor.byte();
  const flags = cursor.byte() + cursor.byte() * 256;
  if ((flags & METADATA_FLAG) !== 0 && !skipMetadata(cursor)) broken('UC1318', 'the Draco metadata is damaged');
  const edgebreaker = method !== SEQUENTIAL;
  if (edgebreaker) {
    cursor.byte(); // traversal type
    cursor.varint(); // vertices before they are split along seams
  }
  const faces = cursor.varint();
  const mostVertices = edgebreaker ? faces * 3 : cursor.varint();
  if (cursor.overrun) broken('UC1318', `the Draco data is cut off after ${bytes.length} bytes`);
  const limit = FREE_ELEMENTS + bytes.length * ELEMENTS_PER_BYTE;
  if (faces > limit) broken('UC1316', `${faces} faces are declared in ${bytes.length} bytes of Draco data`);
  if (!edgebreaker && mostVertices > limit) {
    broken('UC1316', `${mostVertices} vertices are declared in ${bytes.length} bytes of Draco data`);
  }
  return { faces, mostVertices };
}

/** What a primitive's Draco data is to be read as. */
export interface DracoRequest {
  readonly file: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly faces: number;
  /** By semantic: the attribute's id in the Draco data and the accessor that describes it. */
  readonly attributes: ReadonlyMap<string, { readonly id: number; readonly accessor: Accessor }>;
}

export interface DracoGeometry {
  readonly vertexCount: number;
  /** Three a face, checked by nobody yet. */
  readonly indices: Uint32Array;
  readonly attributes: ReadonlyMap<string, Float32Array>;
}

let reader: Promise<PlatformIO> | null = null;

async function loadReader(): Promise<PlatformIO> {
  requireWasmMemory();
  const [core, extensions, draco] = await Promise.all([
    import('@gltf-transform/core'),
    import('@gltf-transform/extensions'),
    import('draco3dgltf'),
  ]);
  // The module would print what goes wrong; it is said by a diagnostic here.
  const decoder = await draco.default.createDecoderModule({ print() {}, printErr() {} });
  return new core.NodeIO()
    .setLogger(new core.Logger(core.Logger.Verbosity.SILENT))
    .registerExtensions([extensions.KHRDracoMeshCompression])
    .registerDependencies({ 'draco3d.decoder': decoder });
}

/** The document of one primitive that the library gets: accessors without counts, so that it allocates for none. */
function reducedDocument(request: DracoRequest): JSONDocument {
  const attributes: Record<string, number> = {};
  const ids: Record<string, number> = {};
  const accessors: object[] = [{ type: 'SCALAR', componentType: 5125, count: 0 }];
  for (const [semantic, { id, accessor }] of request.attributes) {
    attributes[semantic] = accessors.length;
    ids[semantic] = id;
    accessors.push({ type: accessor.type, componentType: accessor.componentType, count: 0 });
  }
  const extension = { KHR_draco_mesh_compression: { bufferView: 0, attributes: ids } };
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_draco_mesh_compression'],
    extensionsRequired: ['KHR_draco_mesh_compression'],
    buffers: [{ uri: 'draco', byteLength: request.bytes.length }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: request.bytes.length }],
    accessors,
    meshes: [{ primitives: [{ attributes, indices: 0, mode: 4, extensions: extension }] }],
  };
  return { json, resources: { draco: request.bytes } } as unknown as JSONDocument;
}

/**
 * Decodes a primitive's faces and attributes. UC1318 when the data does not decode, or does not hold what the accessors
 * say: the library itself would hand on whatever it finds for an attribute that is not there. UC1101 and UC1102 when the
 * decoder cannot be loaded.
 */
export async function decodeDraco(request: DracoRequest): Promise<DracoGeometry> {
  const broken = (message: string): never => fail('UC1318', request.file, request.path, message);
  reader ??= loadLibrary('draco3dgltf', loadReader);
  const io = await reader;
  const decoded = await io.readJSON(reducedDocument(request)).catch((error: unknown) => {
    // A failed decode may have trapped inside WebAssembly or left memory behind: the next one starts afresh.
    reader = null;
    const fault = environmentFault(error, request.file, request.path);
    if (fault) throw new SourceError(fault);
    return broken(
      `the Draco data does not decode (${error instanceof Error ? error.message.slice(0, 80) : 'no reason'})`,
    );
  });
  const primitive = decoded.getRoot().listMeshes()[0].listPrimitives()[0];
  const indices: TypedArray = (primitive.getIndices()?.getArray() as TypedArray | null) ?? new Uint32Array(0);
  if (indices.length !== request.faces * 3) broken(`${indices.length / 3} faces were decoded, not ${request.faces}`);
  let vertexCount = -1;
  const attributes = new Map<string, Float32Array>();
  for (const [semantic, { id, accessor }] of request.attributes) {
    const array = primitive.getAttribute(semantic)?.getArray() as TypedArray | null | undefined;
    const length = accessor.count * accessor.components;
    if (!array || array.length !== length) {
      const found = array ? `${array.length} numbers` : 'nothing';
      return broken(`Draco attribute ${id} holds ${found} for ${semantic}, but its accessor says ${length}`);
    }
    vertexCount = accessor.count;
    attributes.set(semantic, toFloats(array, accessor, semantic.startsWith('COLOR_')));
  }
  return {
    vertexCount,
    indices: indices instanceof Uint32Array ? indices : Uint32Array.from(indices),
    attributes,
  };
}
