// The schemas of `untold inspect --json` and of `untold inspect --stage --json`.

import { FOLDER_KINDS } from '../../src/library/inspectFolder.ts';
import { LISTED_FACTORS, MATERIAL_FACTORS } from '../../src/scene/materialSlots.ts';
import {
  bounds,
  choice,
  count,
  described,
  diagnostics,
  file,
  flag,
  list,
  name,
  number,
  numbers,
  object,
  optional,
  orNull,
  path,
  record,
  type Schema,
  schemaVersion,
  text,
} from './parts.ts';

const sourceKind = choice('gltf', 'glb', 'usda', 'usdc', 'usdz', 'mdl');
/** Kinds of sources that `--stage` shows. */
const stageKind = choice('usda', 'usdc', 'usdz', 'gali');

const head = (kind: Schema) => ({ schemaVersion, source: path, kind });
const warnings = described('what is wrong with the file', diagnostics);
/** What materials of a scene and of a .untold file have alike. */
const look = {
  alphaMode: name,
  ...Object.fromEntries(
    LISTED_FACTORS.map((factor) => {
      const { initial } = MATERIAL_FACTORS[factor];
      return [factor, typeof initial === 'number' ? number : described('linear', list(number))];
    }),
  ),
};

const scene = object({
  ...head(sourceKind),
  upAxis: choice('Y', 'Z'),
  metersPerUnit: number,
  bounds: orNull(bounds),
  totals: described(
    'triangles, vertices and instances count every placement',
    object({
      nodes: count,
      meshes: count,
      instances: count,
      triangles: count,
      vertices: count,
      materials: count,
      textures: count,
    }),
  ),
  meshes: list(
    object({
      path: name,
      type: name,
      triangles: described('of one placement, as vertices', count),
      vertices: count,
      bounds: described('over all placements', orNull(bounds)),
      material: described('path of the one of faces that no subset claims', orNull(text)),
      subsets: list(object({ path: name, material: orNull(text), triangles: count })),
      morphs: optional(
        described(
          'morph targets, with the weights at which the source shows them',
          list(object({ name, weight: number })),
        ),
      ),
      instances: count,
    }),
  ),
  materials: list(
    object({
      path: described('empty for one that is made of display colours', text),
      name: text,
      ...look,
      textures: described('URI by slot', record(text)),
    }),
  ),
  entries: optional(
    described(
      'of a USDZ package: its files in their order',
      list(object({ path: name, bytes: count, offset: described('of the data in the package', count) })),
    ),
  ),
  warnings,
});

const bpx = object({
  ...head({ const: 'bpx' }),
  type: choice('texture', 'model', 'shader', 'package'),
  layout: choice('spec', 'crate'),
  formatVersion: count,
  bytes: count,
  sections: list(
    object({
      number: count,
      type: count,
      offset: count,
      stored: described('bytes in the file', count),
      unpacked: described('bytes; null if it cannot be read', orNull(count)),
    }),
  ),
  totals: described('what the content counts; empty if it cannot be read', record(count)),
  files: described('of a package', list(object({ path: name, bytes: count }))),
  warnings,
});

const gali = object({
  ...head({ const: 'gali' }),
  uuid: name,
  bytes: count,
  totals: object({ groups: count, vertices: count, triangles: count }),
  groups: described(
    'texcoords, colors and joints count channels',
    list(object({ vertices: count, triangles: count, texcoords: count, colors: count, joints: count })),
  ),
  extensions: list(object({ name, version: count, bytes: count })),
  warnings,
});

const urho3d = object({
  ...head({ const: 'urho3d' }),
  type: choice('model', 'animation', 'package', 'shader', 'script', 'material', 'scene'),
  bytes: count,
  variant: described(
    'layout of a model or package, name of an animation, kind of a shader, technique of a material; null: none',
    orNull(text),
  ),
  totals: described('what the content counts, and the seconds of an animation', record(number)),
  geometries: described(
    'of a model; vertices are those of the buffer of the first level',
    list(
      object({
        vertices: count,
        levels: list(object({ distance: described('from which on it is shown', number), triangles: count })),
        elements: described('what a vertex has', list(name)),
      }),
    ),
  ),
  names: described('bones of a model, tracks of an animation, resources of a material or a scene', list(text)),
  files: described('of a package', list(object({ path: name, bytes: count }))),
  warnings,
});

const untold = object({
  ...head({ const: 'untold' }),
  formatVersion: count,
  fileType: orNull(name),
  bytes: count,
  contentHash: described('in hex; null if it was not computed', orNull({ type: 'string', pattern: '^[0-9a-f]+$' })),
  bounds,
  rootTransform: numbers(16),
  chunks: list(
    object({
      type: count,
      name,
      compression: name,
      offset: count,
      compressedSize: count,
      uncompressedSize: count,
      elementCount: count,
    }),
  ),
  totals: object({
    entities: count,
    meshes: count,
    triangles: count,
    vertices: count,
    materials: count,
    textures: count,
    lights: count,
    cameras: count,
    skeletons: count,
    skins: count,
    morphs: count,
    clips: count,
  }),
  entities: list(object({ id: count, parent: orNull(count), name: text, meshes: count, bounds })),
  meshes: list(
    object({
      name: text,
      entity: count,
      material: described('index into materials', orNull(count)),
      triangles: count,
      vertices: count,
      indexType: name,
      edges: described('that a wireframe shows', count),
      bounds,
      same: optional(described('the first mesh with the same vertices and indices, which are stored once', count)),
    }),
  ),
  materials: list(object({ name: text, ...look, textures: described('index into textures by slot', record(count)) })),
  textures: list(object({ name: text, uri: text, format: name, flags: count, width: count, height: count })),
  lights: list(object({ name: text, type: name, position: list(number) })),
  cameras: list(object({ name: text, position: list(number) })),
  skeletons: list(object({ name: text, entity: count, joints: count })),
  skins: list(
    object({
      mesh: described('index into meshes', count),
      skeleton: described('id of the entity with the skeleton', count),
      joints: count,
      vertices: count,
      influences: described('the most weights above 0 of a vertex; null where they cannot be read', orNull(count)),
    }),
  ),
  morphs: list(
    object({
      name: text,
      mesh: described('index into meshes', count),
      entries: described('vertices that it moves', count),
      hasNormals: flag,
    }),
  ),
  clips: list(object({ name: text, duration: number, channels: count, translationKeys: count, rotationKeys: count })),
  plugins: list(object({ type: count, id: text, kind: count, version: count })),
  warnings,
});

const outputTotals = described(
  'what lies on the disk, each file once',
  object({
    files: described(
      'all, with the main file, the plan map and textures that it shares with other outputs',
      object({ files: count, bytes: count }),
    ),
    payloads: described('full detail and levels', object({ files: count, bytes: count })),
    textures: object({ files: count, bytes: count }),
  }),
);

const manifest = object({
  ...head({ const: 'manifest' }),
  manifest: described('the manifest as the file has it; null if the engine refuses it', { type: ['object', 'null'] }),
  payloads: described('files of the set, relative to the manifest', list(name)),
  totals: outputTotals,
  warnings,
});

const shard = object({
  ...head({ const: 'shard' }),
  index: described('which part, from 0', count),
  count,
  scene: name,
  tiles: described('in this part', count),
  totals: outputTotals,
  warnings,
});

const untoldpack = object({
  ...head({ const: 'untoldpack' }),
  pack: described('the pack as the file has it; null if something of it is wrong', { type: ['object', 'null'] }),
  files: described('models that are there, without their levels, relative to the pack, each once', list(name)),
  totals: outputTotals,
  warnings,
});

const utex = object({
  ...head({ const: 'utex' }),
  formatVersion: count,
  bytes: count,
  format: name,
  pixelFormat: described('the raw value of MTLPixelFormat', count),
  colorSpace: choice('srgb', 'linear', null),
  blockWidth: count,
  blockHeight: count,
  width: count,
  height: count,
  flags: object({ hasAlpha: flag, premultipliedAlpha: flag, normalPackedXY: flag }),
  mips: list(object({ width: count, height: count, offset: described('in the file', count), bytes: count })),
  gpuBytes: described('the mips without padding', count),
  gzipBytes: described('the file as gzip packs it, which servers of HTTP may do', count),
  warnings,
});

const folder = object({
  ...head({ const: 'folder' }),
  files: list(
    object({
      path,
      kind: described('what the content shows', choice(...FOLDER_KINDS)),
      bytes: count,
    }),
  ),
  warnings,
});

const stage = object({
  ...head(stageKind),
  prims: described(
    'parents first',
    list(
      object({
        path: name,
        type: described('empty for a prim without a type', text),
        specifier: choice('def', 'over', 'class'),
        instance: described('its descendants are those of a prototype that equal instances share', flag),
        attributes: described(
          'those that are authored',
          record(
            object({
              type: described('as declared: point3f[]', name),
              value: described(
                'vectors are arrays, matrices arrays of rows, quaternions (real, i, j, k); arrays of more than 64 elements are {length, first, last}; NaN, Infinity, -Infinity and whole numbers beyond 2^53 are texts',
                {},
              ),
              connections: optional(list(name)),
            }),
          ),
        ),
        relationships: described('target paths', record(list(name))),
        arcs: described(
          'strongest first',
          list(
            object({
              type: choice('inherit', 'variant', 'relocate', 'reference', 'payload', 'specialize'),
              layer: name,
              path: name,
              ancestral: described('authored on an ancestor', flag),
            }),
          ),
        ),
      }),
    ),
  ),
  warnings,
});

export const INSPECT_SCHEMAS: Readonly<Record<string, string>> = {
  inspect: file('Output of untold inspect --json', 'What is in a file. `kind` tells which of these it is.', {
    oneOf: [scene, untold, manifest, untoldpack, shard, utex, bpx, gali, urho3d, folder],
  }),
  'inspect-stage': file(
    'Output of untold inspect --stage --json',
    'The composed stage of a USD source, prim by prim, or the groups of a Galileo mesh.',
    stage,
  ),
};
