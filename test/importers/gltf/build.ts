// Builds glTF scenes in code for tests: describe meshes by their numbers and get the bytes of a .glb, or a .gltf with its
// .bin. What is not given is made up: one node a mesh, one scene with all root nodes.

import { resolve } from 'node:path';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import { importGltf } from '../../../src/importers/gltf/index.ts';
import type { Scene } from '../../../src/scene/types.ts';

export type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** Elements of an accessor: plain numbers are floats; the type follows from the attribute's name unless it is given. */
export interface AttributeInput {
  readonly data: Numbers | readonly number[];
  readonly type?: string;
  readonly normalized?: boolean;
  /** Only these elements are stored, over zeros. */
  readonly sparse?: { readonly count: number; readonly indices: readonly number[] };
}

export type Attributes = Readonly<Record<string, AttributeInput | Numbers | readonly number[]>>;

export interface PrimitiveInput {
  readonly positions?: AttributeInput | Numbers | readonly number[];
  readonly normals?: AttributeInput | Numbers | readonly number[];
  readonly uvs?: AttributeInput | Numbers | readonly number[];
  /** More attributes by semantic: TANGENT, TEXCOORD_1, COLOR_0, JOINTS_0 … */
  readonly attributes?: Attributes;
  /** Plain numbers are stored as 16-bit integers. */
  readonly indices?: Numbers | readonly number[];
  readonly material?: number;
  readonly mode?: number;
  readonly targets?: readonly Attributes[];
}

export interface SceneInput {
  readonly meshes?: readonly {
    readonly name?: string;
    readonly primitives: readonly PrimitiveInput[];
    readonly weights?: number[];
    readonly extras?: object;
  }[];
  /** JSON of the nodes, as in a file. */
  readonly nodes?: readonly object[];
  readonly scenes?: readonly object[];
  readonly materials?: readonly object[];
  readonly textures?: readonly object[];
  readonly samplers?: readonly object[];
  /** JSON of an image, or the bytes of one to be embedded. */
  readonly images?: readonly (object | Uint8Array)[];
  /** Accessors that no mesh uses, such as matrices of skins; their numbers follow those of the meshes. */
  readonly accessors?: readonly AttributeInput[];
  /** Further properties of the root. */
  readonly root?: Readonly<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests bend the JSON in every way there is.
export type Json = any;

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(POSITION|NORMAL)$/, 'VEC3'],
  [/^TEXCOORD_/, 'VEC2'],
  [/^(TANGENT|COLOR_|JOINTS_|WEIGHTS_)/, 'VEC4'],
];
const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const COMPONENT_TYPES: Readonly<Record<string, number>> = {
  Int8Array: 5120,
  Uint8Array: 5121,
  Int16Array: 5122,
  Uint16Array: 5123,
  Uint32Array: 5125,
  Float32Array: 5126,
};

/** The JSON of a scene and its binary data; every accessor has a view of its own, on 4-byte boundaries. */
export function buildJson(scene: SceneInput): { json: Json; bin: Uint8Array } {
  const parts: Uint8Array[] = [];
  let length = 0;
  const views: object[] = [];
  const accessors: object[] = [];
  const addView = (bytes: Uint8Array, byteStride = 0): number => {
    const padded = new Uint8Array((bytes.length + 3) & ~3);
    padded.set(bytes);
    views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length, ...(byteStride ? { byteStride } : {}) });
    parts.push(padded);
    length += padded.length;
    return views.length - 1;
  };
  const bytesOf = (data: Numbers) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const addAccessor = (
    input: AttributeInput | Numbers | readonly number[],
    semantic: string,
    plain: 'f32' | 'u16',
  ): number => {
    const given: AttributeInput = 'data' in input ? input : { data: input };
    const isPlain = Array.isArray(given.data);
    const numbers = given.data as readonly number[];
    const data = isPlain
      ? plain === 'u16'
        ? Uint16Array.from(numbers)
        : Float32Array.from(numbers)
      : (given.data as Numbers);
    const type = given.type ?? TYPES.find(([pattern]) => pattern.test(semantic))?.[1] ?? 'SCALAR';
    const size = SIZES[type];
    const accessor: Record<string, unknown> = { componentType: COMPONENT_TYPES[data.constructor.name], type };
    if (given.normalized) accessor.normalized = true;
    if (given.sparse) {
      accessor.count = given.sparse.count;
      accessor.sparse = {
        count: given.sparse.indices.length,
        indices: { bufferView: addView(bytesOf(Uint32Array.from(given.sparse.indices))), componentType: 5125 },
        values: { bufferView: addView(bytesOf(data)) },
      };
    } else {
      accessor.count = data.length / size;
      const elementBytes = size * data.BYTES_PER_ELEMENT;
      const isVertexData = semantic !== '' && semantic !== 'indices';
      if (isVertexData && elementBytes % 4 !== 0) {
        // Vertex attributes stand on 4-byte boundaries.
        const stride = (elementBytes + 3) & ~3;
        const padded = new Uint8Array((data.length / size) * stride);
        for (let i = 0; i < data.length / size; i++) {
          padded.set(bytesOf(data).subarray(i * elementBytes, (i + 1) * elementBytes), i * stride);
        }
        accessor.bufferView = addView(padded, stride);
      } else {
        accessor.bufferView = addView(bytesOf(data));
      }
    }
    if (semantic === 'POSITION' && !given.sparse && data.length > 0) {
      const column = (c: number) => Array.from(data as ArrayLike<number>).filter((_, i) => i % 3 === c);
      accessor.min = [0, 1, 2].map((c) => column(c).reduce((a, b) => Math.min(a, b), Infinity));
      accessor.max = [0, 1, 2].map((c) => column(c).reduce((a, b) => Math.max(a, b), -Infinity));
    }
    accessors.push(accessor);
    return accessors.length - 1;
  };
  const addAll = (attributes: Attributes, target = false) =>
    Object.fromEntries(
      Object.entries(attributes).map(([semantic, input]) => {
        const typed =
          target && semantic === 'TANGENT' ? { type: 'VEC3', ...('data' in input ? input : { data: input }) } : input;
        return [semantic, addAccessor(typed, semantic, 'f32')];
      }),
    );
  const meshes = scene.meshes?.map(({ name, primitives, weights, extras }) => ({
    ...(name === undefined ? {} : { name }),
    ...(weights ? { weights } : {}),
    ...(extras ? { extras } : {}),
    primitives: primitives.map((primitive) => ({
      attributes: addAll({
        ...(primitive.positions && { POSITION: primitive.positions }),
        ...(primitive.normals && { NORMAL: primitive.normals }),
        ...(primitive.uvs && { TEXCOORD_0: primitive.uvs }),
        ...primitive.attributes,
      }),
      ...(primitive.indices ? { indices: addAccessor(primitive.indices, 'indices', 'u16') } : {}),
      ...(primitive.material === undefined ? {} : { material: primitive.material }),
      ...(primitive.mode === undefined ? {} : { mode: primitive.mode }),
      ...(primitive.targets ? { targets: primitive.targets.map((target) => addAll(target, true)) } : {}),
    })),
  }));
  for (const accessor of scene.accessors ?? []) addAccessor(accessor, '', 'f32');
  const images = scene.images?.map((image) =>
    image instanceof Uint8Array ? { bufferView: addView(image), mimeType: 'image/png' } : image,
  );
  const nodes = scene.nodes ?? meshes?.map((_, mesh) => ({ mesh }));
  const children = new Set((nodes ?? []).flatMap((node: Json) => node.children ?? []));
  const roots = (nodes ?? []).map((_, i) => i).filter((i) => !children.has(i));
  const bin = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bin.set(part, at);
    at += part.length;
  }
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: scene.scenes ?? [{ nodes: roots }],
    nodes,
    meshes,
    materials: scene.materials,
    textures: scene.textures,
    samplers: scene.samplers,
    images,
    accessors: accessors.length > 0 ? accessors : undefined,
    bufferViews: views.length > 0 ? views : undefined,
    buffers: length > 0 ? [{ byteLength: length }] : undefined,
    ...scene.root,
  };
  return { json: JSON.parse(JSON.stringify(json)), bin };
}

/** The GLB container around JSON (an object, or text as it is) and binary data. */
export function glb(json: Json, bin: Uint8Array | null): Uint8Array {
  const text = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
  const chunks: [number, Uint8Array, number][] = [[0x4e4f534a, text, 0x20]];
  if (bin) chunks.push([0x004e4942, bin, 0]);
  const sizes = chunks.map(([, content]) => (content.length + 3) & ~3);
  const out = new Uint8Array(12 + sizes.reduce((sum, size) => sum + 8 + size, 0));
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  let at = 12;
  chunks.forEach(([type, content, pad], i) => {
    view.setUint32(at, sizes[i], true);
    view.setUint32(at + 4, type, true);
    out.fill(pad, at + 8, at + 8 + sizes[i]);
    out.set(content, at + 8);
    at += 8 + sizes[i];
  });
  return out;
}

/** The bytes of a .glb; `edit` may change the JSON before it is written. */
export function buildGlb(scene: SceneInput, edit: (json: Json, bin: Uint8Array) => void = () => {}): Uint8Array {
  const { json, bin } = buildJson(scene);
  edit(json, bin);
  return glb(json, bin.length > 0 ? bin : null);
}

/** A .gltf with one .bin beside it, as files by name. */
export function buildGltf(
  scene: SceneInput,
  name = 'scene',
  edit: (json: Json, bin: Uint8Array) => void = () => {},
): Record<string, Uint8Array> {
  const { json, bin } = buildJson(scene);
  if (bin.length > 0) json.buffers[0].uri = `${encodeURIComponent(name)}.bin`;
  edit(json, bin);
  return { [`${name}.gltf`]: new TextEncoder().encode(JSON.stringify(json)), [`${name}.bin`]: bin };
}

export interface Imported {
  readonly scene: Scene;
  readonly diagnostics: Diagnostics;
  /** Codes reported so far, sorted. */
  readonly codes: string[];
}

/** Imports bytes as `/scenes/scene.glb`, with other files beside it. */
export async function load(
  bytes: Uint8Array,
  options: {
    files?: Record<string, Uint8Array>;
    scene?: string;
    variant?: string;
    root?: string;
    lodGroups?: boolean;
    keepsRigs?: boolean;
    keepsMaterials?: boolean;
  } = {},
): Promise<Imported> {
  const path = resolve('/scenes/scene.glb');
  const files = Object.fromEntries(
    Object.entries(options.files ?? {}).map(([name, data]) => [resolve('/scenes', name), data]),
  );
  const diagnostics = new Diagnostics();
  const context = {
    files: memoryFiles({ ...files, [path]: bytes }, options.root ?? null),
    diagnostics,
    options: {
      scene: options.scene,
      materialVariant: options.variant,
      lodGroups: options.lodGroups,
      keepsRigs: options.keepsRigs,
      keepsMaterials: options.keepsMaterials,
    },
  };
  const scene = await importGltf(path, memoryContent(bytes), context);
  return {
    scene,
    diagnostics,
    get codes() {
      return diagnostics.list.map((item) => item.code).sort();
    },
  };
}

/** Imports and reads every array of every primitive. */
export async function loadAll(bytes: Uint8Array, options: Parameters<typeof load>[1] = {}) {
  const imported = await load(bytes, options);
  const read = [];
  for (const mesh of imported.scene.meshes) for (const primitive of mesh.primitives) read.push(await primitive.read());
  return { ...imported, read, codes: imported.diagnostics.list.map((item) => item.code).sort() };
}

/** The diagnostics that a promise is refused with; fails when it is not, or by anything but a SourceError. */
export async function refusal(promise: Promise<unknown>) {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0];
    throw error;
  }
  throw new Error('it was accepted');
}

/** One triangle in the plane z = 0, counter-clockwise. */
export const TRIANGLE: PrimitiveInput = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] };

export const ONE_TRIANGLE: SceneInput = { meshes: [{ primitives: [TRIANGLE] }] };
