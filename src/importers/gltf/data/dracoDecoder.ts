// Decodes a Draco mesh with the WebAssembly build of Google's decoder. The decoder is never trusted: what it has decoded is
// compared with the header and with the accessors before memory is asked for, and a module that fails in an unforeseen
// way is replaced by a new one.

import type { Attribute, Decoder, DecoderModule, Mesh } from 'draco3dgltf';
import { fail, SourceError } from '../../../diagnostics/diagnostic.ts';
import { environmentFault, loadLibrary, requireWasmMemory } from '../../../diagnostics/environment.ts';
import { type Accessor, FLOAT, type TypedArray, toFloats, typedArrayOf } from './accessors.ts';

/** One attribute that is asked for: its id in the Draco data, and the accessor that describes it. */
export interface DracoAttribute {
  readonly id: number;
  readonly accessor: Accessor;
}

/** The Draco data of one primitive, and what the file declares of it. */
export interface DracoRequest {
  readonly file: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** By the header. */
  readonly faces: number;
  /** By semantic: POSITION, NORMAL, TEXCOORD_0 … */
  readonly attributes: ReadonlyMap<string, DracoAttribute>;
}

export interface DracoGeometry {
  /** Three a face; not yet compared with the number of vertices. */
  readonly indices: Uint32Array;
  readonly attributes: ReadonlyMap<string, Float32Array>;
}

/** Throws UC1318 with a message. */
type Broken = (message: string) => never;

let loading: Promise<DecoderModule> | null = null;

async function loadModule(): Promise<DecoderModule> {
  requireWasmMemory();
  const { default: draco } = await import('draco3dgltf');
  // The module would print errors; a diagnostic reports them.
  return draco.createDecoderModule({ print() {}, printErr() {} });
}

/**
 * Decodes a primitive's faces and attributes. UC1318 when the data does not decode, or holds something else than header
 * and accessors declare; UC1101 and UC1102 when the decoder cannot be loaded or gets no memory.
 */
export async function decodeDraco(request: DracoRequest): Promise<DracoGeometry> {
  const broken: Broken = (message) => fail('UC1318', request.file, request.path, message);
  loading ??= loadLibrary('draco3dgltf', loadModule);
  const module = await loading;
  try {
    return decodeWith(module, request, broken);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    // WebAssembly trapped or ran out of memory. The memory of the module is in an unknown state, so the next call loads
    // a new one.
    loading = null;
    const fault = environmentFault(error, request.file, request.path);
    if (fault) throw new SourceError(fault);
    return broken(`the Draco decoder failed (${String(error).slice(0, 80)})`);
  }
}

/** Frees what it takes from the module on success and for a SourceError; after any other exception nothing may be called. */
function decodeWith(module: DecoderModule, request: DracoRequest, broken: Broken): DracoGeometry {
  const decoder = new module.Decoder();
  const buffer = new module.DecoderBuffer();
  const mesh = new module.Mesh();
  buffer.Init(request.bytes, request.bytes.length);
  const status = decoder.DecodeBufferToMesh(buffer, mesh);
  const free = () => {
    for (const object of [status, mesh, buffer, decoder]) module.destroy(object);
  };
  try {
    if (!status.ok()) broken(`the Draco data does not decode (${status.error_msg().slice(0, 80)})`);
    const geometry = readMesh(module, decoder, mesh, request, broken);
    free();
    return geometry;
  } catch (error) {
    if (error instanceof SourceError) free();
    throw error;
  }
}

function readMesh(
  module: DecoderModule,
  decoder: Decoder,
  mesh: Mesh,
  request: DracoRequest,
  broken: Broken,
): DracoGeometry {
  const faces = mesh.num_faces();
  const vertices = mesh.num_points();
  if (faces !== request.faces) broken(`${faces} faces were decoded, but the Draco header declares ${request.faces}`);
  const attributes = new Map<string, Float32Array>();
  for (const [semantic, { id, accessor }] of request.attributes) {
    if (accessor.count !== vertices) {
      broken(`${vertices} vertices were decoded, but ${accessor.path} (${semantic}) has ${accessor.count} elements`);
    }
    const attribute = decoder.GetAttributeByUniqueId(mesh, id);
    if (attribute.ptr === 0) broken(`the Draco data has no attribute ${id}, which ${semantic} names`);
    const stored = readAttribute(module, decoder, mesh, attribute, accessor, (what) =>
      broken(`Draco attribute ${id} ${what}; ${accessor.path} (${semantic}) describes it`),
    );
    attributes.set(semantic, toFloats(stored, accessor, semantic.startsWith('COLOR_')));
  }
  const indices = new Uint32Array(faces * 3);
  copyOut(module, new Uint8Array(indices.buffer), (address) => {
    if (!decoder.GetTrianglesUInt32Array(mesh, indices.byteLength, address)) broken('the faces cannot be read');
  });
  return { indices, attributes };
}

/** The values of one attribute in the accessor's component type. Draco converts them, but refuses values out of range. */
function readAttribute(
  module: DecoderModule,
  decoder: Decoder,
  mesh: Mesh,
  attribute: Attribute,
  accessor: Accessor,
  broken: Broken,
): TypedArray {
  const components = attribute.num_components();
  if (components !== accessor.components) {
    broken(`has ${components} components an element, not ${accessor.components}`);
  }
  const type = attribute.data_type();
  if (accessor.componentType !== FLOAT && (type === module.DT_FLOAT32 || type === module.DT_FLOAT64)) {
    broken('holds floats, not integers');
  }
  const values = typedArrayOf(accessor.componentType, accessor.count * components);
  const wanted = dataType(module, accessor.componentType);
  copyOut(module, new Uint8Array(values.buffer), (address) => {
    if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, wanted, values.byteLength, address)) {
      broken(`has values that do not fit component type ${accessor.componentType}`);
    }
  });
  return values;
}

/** Draco's name for a component type of glTF. */
function dataType(module: DecoderModule, componentType: Accessor['componentType']): number {
  switch (componentType) {
    case 5120:
      return module.DT_INT8;
    case 5121:
      return module.DT_UINT8;
    case 5122:
      return module.DT_INT16;
    case 5123:
      return module.DT_UINT16;
    case 5125:
      return module.DT_UINT32;
    case 5126:
      return module.DT_FLOAT32;
  }
}

/** Lets `write` fill memory of the module, and copies that memory to `target`. */
function copyOut(module: DecoderModule, target: Uint8Array, write: (address: number) => void): void {
  if (target.length === 0) return;
  const address = module._malloc(target.length);
  // The message of Emscripten for the same: environmentFault tells by it that memory lacks.
  if (address === 0) throw new Error('Aborted(OOM)');
  try {
    write(address);
    target.set(module.HEAPU8.subarray(address, address + target.length));
  } finally {
    module._free(address);
  }
}
