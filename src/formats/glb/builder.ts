// The document of a GLB while it is made, and its file. The document is gltf-transform's; equal input gives equal bytes.

import {
  type Accessor,
  type Animation,
  type AnimationChannel,
  BufferUtils,
  type Camera,
  Document,
  Format,
  GLB_BUFFER,
  type GLTF,
  Logger,
  type Mesh,
  type Node,
  type Scene,
  type Skin,
  type TypedArray,
  WebIO,
} from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  KHRLightsPunctual,
  KHRMaterialsVariants,
  KHRMeshQuantization,
  type Light,
} from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer';
import { fail } from '../../diagnostics/diagnostic.ts';
import type { SceneAsset } from '../../scene/types.ts';
import type { GeometryPacker } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { addDraco, DracoPrimitives } from './dracoPrimitives.ts';
import { MATERIAL_EXTENSIONS } from './layers.ts';
import {
  BIN_CHUNK,
  CHUNK_HEADER_BYTES,
  type ComponentArray,
  type ElementType,
  GENERATOR,
  HEADER_BYTES,
  JSON_CHUNK,
  LIGHTS,
  MAGIC,
  MAX_BYTES,
  VERSION,
} from './layout.ts';
import { PlainViews } from './plainViews.ts';

/** Where a node stands in its parent's space; empty: where that does. */
export type Transform = Pick<GLTF.INode, 'matrix' | 'translation' | 'rotation' | 'scale'>;

/** A node of the tree, or one at the root that draws a mesh. */
interface Placed {
  readonly name: string;
  /** Null: it draws nothing. */
  readonly mesh: Mesh | null;
  /** What moves it, if a skeleton does. */
  readonly skin: Skin | null;
  readonly transform: Transform;
  /** Its place among the placed nodes; -1: it is a root. */
  readonly parent: number;
  /** What an application has noted in it; undefined: nothing. */
  readonly extras?: unknown;
  camera?: Camera;
  light?: Light;
}

const SILENT = new Logger(Logger.Verbosity.SILENT);
const SPACE = 0x20;
const EXTENSIONS = [
  PlainViews,
  DracoPrimitives,
  EXTMeshoptCompression,
  KHRLightsPunctual,
  KHRMaterialsVariants,
  KHRMeshQuantization,
  ...MATERIAL_EXTENSIONS,
];

/** Signed bytes are normals and tangents that KHR_mesh_quantization allows; glTF itself has all other kinds. */
const needsQuantization = (accessor: Accessor): boolean => accessor.getArray() instanceof Int8Array;

export class GlbBuilder {
  readonly document = new Document().setLogger(SILENT);
  readonly #names = new UniqueNames();
  readonly #accessors = new Map<ComponentArray, Accessor>();
  /** Of each node of the document, in its order. */
  readonly #transforms: Transform[] = [];
  /** Nodes that the document does not have: of 30,000 it would take half the CPU time and 90 MB more. */
  readonly #placed: Placed[] = [];

  /** By skin, the placed nodes that are its joints. */
  readonly #jointed = new Map<Skin, readonly number[]>();
  /** In the order in which they are made, which is theirs in the file. */
  readonly #lights: Light[] = [];

  /** By animation, the placed nodes of its channels without a node; null for channels with one. */
  readonly #moved = new Map<Animation, (number | null)[]>();

  /** What the source says of itself. */
  constructor({ copyright, extras }: SceneAsset = {}) {
    const asset = this.document.getRoot().getAsset();
    asset.generator = GENERATOR;
    if (copyright !== undefined) asset.copyright = copyright;
    if (extras !== undefined) asset.extras = extras as Record<string, unknown>;
  }

  /** An accessor for all values of an array. Arrays are known by their identity. */
  accessor(array: ComponentArray, type: ElementType): Accessor {
    const known = this.#accessors.get(array);
    if (known) return known;
    const buffer = this.document.getRoot().listBuffers()[0] ?? this.document.createBuffer();
    const accessor = this.document
      .createAccessor('', buffer)
      .setType(type)
      .setArray(array as TypedArray);
    this.#accessors.set(array, accessor);
    return accessor;
  }

  /** A node below `parent`, or at the root. A name that another node has gets a number. */
  node(name: string, transform: Transform, parent: Node | null = null): Node {
    const node = this.document.createNode(this.#names.take(name, 'object'));
    (parent ?? this.#scene()).addChild(node);
    this.#transforms.push(transform);
    return node;
  }

  /** A name that no other node has. */
  name(wanted: string, fallback: string): string {
    return this.#names.take(wanted, fallback);
  }

  /** A node behind its parent, with a name that no other has. Returns its place. */
  place(placed: Placed): number {
    this.#scene();
    return this.#placed.push({ ...placed }) - 1;
  }

  /** A light, which a node of the document or a placed one then has. */
  light(name: string): Light {
    const light = this.document.createExtension(KHRLightsPunctual).createLight(name);
    this.#lights.push(light);
    return light;
  }

  /** Gives a placed node what it has not yet; false: it has one of the kind. */
  hold(place: number, held: Pick<Placed, 'camera' | 'light'>): boolean {
    const placed = this.#placed[place];
    if ((held.camera && placed.camera) || (held.light && placed.light)) return false;
    Object.assign(placed, held);
    return true;
  }

  /** The joints of a skin that are placed nodes. */
  join(skin: Skin, places: readonly number[]): void {
    this.#jointed.set(skin, places);
  }

  /** A channel of an animation: `node` is one of the document, or the place of a placed one. */
  move(animation: Animation, channel: AnimationChannel, node: Node | number): void {
    const list = this.#moved.get(animation) ?? [];
    this.#moved.set(animation, list);
    list.push(typeof node === 'number' ? node : null);
    animation.addChannel(typeof node === 'number' ? channel : channel.setTargetNode(node));
  }

  /** The only scene. A file without nodes has none: glTF forbids empty lists. */
  #scene(): Scene {
    const root = this.document.getRoot();
    if (root.getDefaultScene() === null) root.setDefaultScene(this.document.createScene());
    return root.getDefaultScene() as Scene;
  }

  /** The file. `geometry`: how its accessors are packed. Throws UC3790. */
  async end(file: string, geometry?: GeometryPacker): Promise<Uint8Array> {
    const isCompressed = geometry === 'meshopt' && this.#accessors.size > 0;
    const isDraco = geometry === 'draco' && this.document.getRoot().listMeshes().length > 0;
    const isQuantized = this.document.getRoot().listAccessors().some(needsQuantization);
    if (isQuantized) this.document.createExtension(KHRMeshQuantization).setRequired(true);
    if (isCompressed) await MeshoptEncoder.ready;
    const io = new WebIO()
      .setLogger(SILENT)
      .registerExtensions(EXTENSIONS)
      .registerDependencies({ 'meshopt.encoder': MeshoptEncoder })
      .registerDependencies(isDraco ? await addDraco(this.document) : {});
    if (isCompressed) this.document.createExtension(EXTMeshoptCompression).setRequired(true);
    const layout = isCompressed || isDraco ? null : this.document.createExtension(PlainViews);
    const { json, resources } = await io.writeJSON(this.document, { format: Format.GLB });
    // Their nodes hold no matrix, and what is within 1e-5 of no transform becomes none.
    for (const [i, node] of json.nodes?.entries() ?? []) Object.assign(node, this.#transforms[i]);
    this.#addPlaced(json);
    return assembled(json, layout ? layout.chunks : [BufferUtils.pad(resources[GLB_BUFFER])], file);
  }

  #addPlaced(json: GLTF.IGLTF): void {
    const root = this.document.getRoot();
    const meshes = new Map(root.listMeshes().map((mesh, i) => [mesh, i]));
    const skins = new Map(root.listSkins().map((skin, i) => [skin, i]));
    const cameras = new Map(root.listCameras().map((camera, i) => [camera, i]));
    const lights = new Map(this.#lights.map((light, i) => [light, i]));
    if (this.#placed.length === 0) return;
    json.nodes ??= [];
    const first = json.nodes.length;
    for (const [skin, places] of this.#jointed) {
      (json.skins as GLTF.ISkin[])[skins.get(skin) as number].joints = places.map((place) => first + place);
    }
    for (const [a, animation] of root.listAnimations().entries()) {
      for (const [c, placed] of (this.#moved.get(animation) ?? []).entries()) {
        const target = json.animations?.[a].channels[c].target;
        if (placed !== null && target) target.node = first + placed;
      }
    }
    for (const { name, mesh, skin, transform, parent, extras, camera, light } of this.#placed) {
      const noted = extras === undefined ? {} : { extras: extras as NonNullable<GLTF.INode['extras']> };
      const moved = skin ? { skin: skins.get(skin) as number } : {};
      const drawn = mesh ? { mesh: meshes.get(mesh) as number } : {};
      const looks = camera ? { camera: cameras.get(camera) as number } : {};
      const shines = light ? { extensions: { [LIGHTS]: { light: lights.get(light) as number } } } : {};
      const index = json.nodes.push({ name, ...drawn, ...moved, ...looks, ...transform, ...shines, ...noted }) - 1;
      if (parent < 0) json.scenes?.[0].nodes?.push(index);
      else {
        const above = json.nodes[first + parent];
        above.children ??= [];
        above.children.push(index);
      }
    }
  }
}

/** The file of a JSON and what its buffer holds, of whole words. Throws UC3790 beyond `max` bytes. */
export function assembled(json: object, chunks: readonly Uint8Array[], file: string, max = MAX_BYTES): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const jsonBytes = Math.ceil(text.length / 4) * 4;
  const binBytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const length = HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes + (binBytes > 0 ? CHUNK_HEADER_BYTES + binBytes : 0);
  if (length > max) fail('UC3790', file, '', `it would have ${length} bytes, and GLB ends at ${max}`);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const words = [MAGIC, VERSION, length, jsonBytes, JSON_CHUNK];
  for (const [i, word] of words.entries()) view.setUint32(i * 4, word, true);
  let at = HEADER_BYTES + CHUNK_HEADER_BYTES;
  bytes.set(text, at);
  bytes.fill(SPACE, at + text.length, at + jsonBytes);
  at += jsonBytes;
  if (binBytes === 0) return bytes;
  view.setUint32(at, binBytes, true);
  view.setUint32(at + 4, BIN_CHUNK, true);
  at += CHUNK_HEADER_BYTES;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
