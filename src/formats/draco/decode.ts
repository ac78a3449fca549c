// Decodes a Draco mesh. The decoder is not trusted: its memory is limited by the sizes of the mesh, what it has decoded is
// compared with the header and with the accessors before it is copied, and after a failure a new module takes over.

import type { Attribute, Decoder, DecoderModule, Mesh } from 'draco3dgltf';
import { fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault } from '../../diagnostics/environment.ts';
import { COMPONENTS, type ComponentArray } from '../glb/layout.ts';
import type { DracoSize } from './header.ts';
import { dracoModule, dropDracoModule } from './module.ts';

/** Memory of the decoder for a mesh of any size; it starts with 16 MiB. */
const BASE_MEMORY = 20 * 2 ** 20;
/** The connectivity of a face; a measured mesh takes 120 bytes a face for everything. */
const MEMORY_PER_FACE = 256;
/** Eight attributes of four components of 32 bits, each of them three times: quantised, decoded, copied out. */
const MEMORY_PER_VERTEX = 384;
const MEMORY_PER_BYTE = 4;

const FLOAT = 5126;

/** What an accessor of glTF declares of an attribute. */
export interface DracoAccessor {
  readonly path: string;
  readonly componentType: keyof typeof COMPONENTS;
  /** Components of each element: 3 for VEC3. */
  readonly components: number;
  readonly count: number;
}

/** One attribute that is asked for: its id in the Draco data, and the accessor that describes it. */
export interface DracoAttribute<A extends DracoAccessor = DracoAccessor> {
  readonly id: number;
  readonly accessor: A;
}

/** The Draco data of one primitive, and what the file declares of it. */
export interface DracoRequest {
  readonly file: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** By the header of the data. */
  readonly size: DracoSize;
  /** By semantic: POSITION, NORMAL, TEXCOORD_0 … */
  readonly attributes: ReadonlyMap<string, DracoAttribute>;
}

export interface DracoGeometry {
  /** Three for each face; not yet compared with the number of vertices. */
  readonly indices: Uint32Array;
  /** In the component types of their accessors. */
  readonly attributes: ReadonlyMap<string, ComponentArray>;
}

/** Throws UC1318 with a message. */
type Broken = (message: string) => never;

/**
 * Decodes a primitive's faces and attributes. UC1318 when the data does not decode, or holds something else than header
 * and accessors declare; UC1316 when it needs memory out of proportion to its size; UC1101 and UC1102 when the decoder
 * cannot be loaded or the system gives no memory.
 */
export async function decodeDraco(request: DracoRequest): Promise<DracoGeometry> {
  const { file, path, bytes, size } = request;
  const limit =
    BASE_MEMORY + bytes.length * MEMORY_PER_BYTE + size.faces * MEMORY_PER_FACE + size.maxVertices * MEMORY_PER_VERTEX;
  const draco = await dracoModule(limit);
  draco.limit = limit;
  draco.refused = false;
  try {
    return decodeWith(draco.module, request, (message) => fail('UC1318', file, path, message));
  } catch (error) {
    dropDracoModule();
    if (draco.refused) {
      fail(
        'UC1316',
        file,
        path,
        `decoding ${bytes.length} bytes of Draco data takes more than ${limit} bytes of memory`,
      );
    }
    if (error instanceof SourceError) throw error;
    const fault = environmentFault(error, file, path);
    if (fault) throw new SourceError(fault);
    return fail('UC1318', file, path, `the Draco decoder failed (${String(error).slice(0, 80)})`);
  }
}

/** Frees what it takes from the module, except after an exception: the module is dropped then. */
function decodeWith(module: DecoderModule, request: DracoRequest, broken: Broken): DracoGeometry {
  const decoder = new module.Decoder();
  const buffer = new module.DecoderBuffer();
  const mesh = new module.Mesh();
  buffer.Init(request.bytes, request.bytes.length);
  const status = decoder.DecodeBufferToMesh(buffer, mesh);
  if (!status.ok()) broken(`the Draco data does not decode (${status.error_msg().slice(0, 80)})`);
  const geometry = readMesh(module, decoder, mesh, request, broken);
  for (const object of [status, mesh, buffer, decoder]) module.destroy(object);
  return geometry;
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
  if (faces !== request.size.faces) {
    broken(`${faces} faces were decoded, but the Draco header declares ${request.size.faces}`);
  }
  const attributes = new Map<string, ComponentArray>();
  for (const [semantic, { id, accessor }] of request.attributes) {
    if (accessor.count !== vertices) {
      broken(`${vertices} vertices were decoded, but ${accessor.path} (${semantic}) has ${accessor.count} elements`);
    }
    const attribute = decoder.GetAttributeByUniqueId(mesh, id);
    if (attribute.ptr === 0) broken(`the Draco data has no attribute ${id}, which ${semantic} names`);
    const stored = readAttribute(module, decoder, mesh, attribute, accessor, (what) =>
      broken(`Draco attribute ${id} ${what}; ${accessor.path} (${semantic}) describes it`),
    );
    attributes.set(semantic, stored);
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
  accessor: DracoAccessor,
  broken: Broken,
): ComponentArray {
  const components = attribute.num_components();
  if (components !== accessor.components) {
    broken(`has ${components} components an element, not ${accessor.components}`);
  }
  const type = attribute.data_type();
  if (accessor.componentType !== FLOAT && (type === module.DT_FLOAT32 || type === module.DT_FLOAT64)) {
    broken('holds floats, not integers');
  }
  const values = new COMPONENTS[accessor.componentType](accessor.count * components);
  const wanted = dataType(module, accessor.componentType);
  copyOut(module, new Uint8Array(values.buffer), (address) => {
    if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, wanted, values.byteLength, address)) {
      broken(`has values that do not fit component type ${accessor.componentType}`);
    }
  });
  return values;
}

/** Draco's data type for a component type of glTF. */
function dataType(module: DecoderModule, componentType: DracoAccessor['componentType']): number {
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

/** Lets `write` fill memory of the module as long as `target`, and copies it there. */
function copyOut(module: DecoderModule, target: Uint8Array, write: (address: number) => void): void {
  if (target.length === 0) return;
  const address = module._malloc(target.length);
  // environmentFault recognises this message of Emscripten as lack of memory.
  if (address === 0) throw new Error('Aborted(OOM)');
  write(address);
  target.set(module.HEAPU8.subarray(address, address + target.length));
  module._free(address);
}
