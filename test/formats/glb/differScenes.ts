// Small glTF scenes made in code, one a feature, for the differ of GLB.

import { turn } from '../../animation/arithmetic.ts';
import { character, WALK } from '../../animation/characters.ts';
import type { Json, SceneInput } from '../../importers/gltf/build.ts';
import type { Difference } from './differ.ts';

export interface FeatureScene {
  readonly scene: SceneInput;
  /** Changes the JSON of the scene. */
  readonly edit?: (json: Json) => void;
  /** Of the table, what this scene has otherwise. */
  readonly differs?: readonly Difference[];
}

const NORMALS = [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1];
/** Two triangles with normals and texture coordinates. */
const SHEET = {
  positions: [0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0.25],
  normals: NORMALS,
  uvs: [0, 0, 1, 0, 1, 0.75, 0, 1],
  indices: [0, 1, 2, 0, 2, 3],
};
const UP = [0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0.25, 0.125];
const OUT = [0, 0, 1, 0, 0, 0.5, 0, 0, 0, 0, 0, 0];
const morphing = (more: object = {}) => ({
  name: 'face',
  primitives: [
    { ...SHEET, targets: [{ POSITION: UP }, { POSITION: OUT, NORMAL: [0.5, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0, 0] }] },
  ],
  extras: { targetNames: ['smile', 'puff'] },
  ...more,
});
const times = (...values: number[]) => ({ data: values, type: 'SCALAR' });
const vectors = (...values: number[]) => ({ data: values, type: 'VEC3' });
const turns = (...values: number[][]) => ({ data: values.flat(), type: 'VEC4' });
const scalars = (...values: number[]) => ({ data: values, type: 'SCALAR' });

/** Animations over accessors that follow those of the meshes; `first`: the number of the first of them. */
const clip = (
  first: number,
  channels: readonly { node: number; path: string; input: number; output: number; interpolation?: string }[],
  name = 'move',
): Json => ({
  animations: [
    {
      name,
      channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
      samplers: channels.map(({ input, output, interpolation }) => ({
        input: first + input,
        output: first + output,
        ...(interpolation ? { interpolation } : {}),
      })),
    },
  ],
});

const LIGHTS = {
  extensionsUsed: ['KHR_lights_punctual'],
  extensions: {
    KHR_lights_punctual: {
      lights: [
        { type: 'directional', name: 'sun', color: [1, 0.9, 0.5], intensity: 3 },
        { type: 'point', name: 'bulb', intensity: 40, range: 12 },
        { type: 'spot', name: 'beam', intensity: 90, spot: { innerConeAngle: 0.2, outerConeAngle: 0.6 } },
      ],
    },
  },
};
const light = (index: number) => ({ KHR_lights_punctual: { light: index } });
const meshes = [{ name: 'sheet', primitives: [SHEET] }];

export const SCENES: Readonly<Record<string, FeatureScene>> = {
  'a node tree with pivots, scales and extras': {
    scene: {
      meshes,
      nodes: [
        {
          name: 'house',
          translation: [3, 0, -2],
          rotation: turn([0, 1, 0], 40),
          children: [1, 3],
          extras: { floor: 2 },
        },
        {
          name: 'door',
          mesh: 0,
          translation: [0.5, 0, 0],
          scale: [2, 1, 0.5],
          children: [2],
          extras: { locked: true },
        },
        { name: 'knob', mesh: 0, translation: [0.9, 1, 0], scale: [0.1, 0.1, 0.1] },
        { name: 'spawn', translation: [0, 0, 4] },
      ],
      root: { asset: { version: '2.0', copyright: 'ours' } },
    },
  },
  'nodes without names, and two with one': {
    scene: {
      meshes,
      nodes: [
        { children: [1, 2], translation: [1, 0, 0] },
        { name: 'leaf', mesh: 0 },
        { name: 'leaf', mesh: 0, translation: [0, 3, 0] },
        { mesh: 0, translation: [0, 0, 5] },
      ],
    },
    differs: ['a name that another node has gets a number', 'a node without a name gets one'],
  },
  'a mirrored node': {
    scene: { meshes, nodes: [{ name: 'mirrored', mesh: 0, scale: [-1, 1, 1] }] },
    differs: ['mirrors are part of the vertices'],
  },
  'a mesh of two materials': {
    scene: {
      meshes: [
        {
          name: 'two',
          primitives: [
            { ...SHEET, material: 0 },
            { ...SHEET, positions: [2, 0, 0, 3, 0, 0, 3, 2, 0, 2, 2, 0], material: 1 },
          ],
        },
      ],
      materials: [{ name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }, { name: 'blue' }],
      nodes: [{ name: 'two', mesh: 0, translation: [0, 1, 0] }],
    },
    differs: ['a mesh of several primitives has a child node for each material'],
  },
  'strips, fans, points and lines': {
    scene: {
      meshes: [
        { name: 'strip', primitives: [{ positions: SHEET.positions, normals: NORMALS, mode: 5 }] },
        { name: 'fan', primitives: [{ positions: SHEET.positions, normals: NORMALS, mode: 6 }] },
        { name: 'dots', primitives: [{ positions: SHEET.positions, mode: 0 }] },
      ],
      nodes: [
        { name: 'strip', mesh: 0 },
        { name: 'fan', mesh: 1, translation: [4, 0, 0] },
        { name: 'dots', mesh: 2 },
      ],
    },
    differs: ['points and lines are left out'],
  },
  'colours of vertices': {
    scene: {
      meshes: [
        {
          name: 'tinted',
          primitives: [
            {
              ...SHEET,
              attributes: { COLOR_0: { data: [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0.5], type: 'VEC4' } },
              material: 0,
            },
          ],
        },
      ],
      materials: [{ name: 'paint', alphaMode: 'BLEND' }],
      nodes: [{ name: 'tinted', mesh: 0 }],
    },
  },
  'one mesh at many nodes': {
    scene: {
      meshes,
      nodes: [0, 1, 2].map((i) => ({ name: `n${i}`, mesh: 0, translation: [i * 2, 0, 0], scale: [1, 1 + i, 1] })),
    },
  },
  'instances of EXT_mesh_gpu_instancing': {
    scene: {
      meshes,
      nodes: [
        {
          name: 'grass',
          mesh: 0,
          translation: [0, 1, 0],
          extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 4 } } },
        },
      ],
      accessors: [vectors(0, 0, 0, 3, 0, 0, 6, 0, 1)],
      root: { extensionsUsed: ['EXT_mesh_gpu_instancing'], extensionsRequired: ['EXT_mesh_gpu_instancing'] },
    },
    differs: ['instances are nodes'],
  },
  'perspective cameras, one without far plane and aspect': {
    scene: {
      meshes,
      nodes: [
        { name: 'page', mesh: 0, children: [1, 2] },
        { name: 'near', camera: 0, translation: [0, 1, 5], rotation: turn([0, 1, 0], 20) },
        { name: 'wide', camera: 1, translation: [0, 2, 5] },
      ],
      root: {
        cameras: [
          { name: 'lens', type: 'perspective', perspective: { yfov: 0.7, aspectRatio: 1.6, znear: 0.1, zfar: 60 } },
          { name: 'open', type: 'perspective', perspective: { yfov: 1.2, znear: 0.01 } },
        ],
      },
    },
  },
  'an orthographic camera': {
    scene: {
      meshes,
      nodes: [
        { name: 'page', mesh: 0 },
        { name: 'plan', camera: 0, translation: [0, 9, 0], rotation: turn([1, 0, 0], -90) },
      ],
      root: {
        cameras: [{ name: 'flat', type: 'orthographic', orthographic: { xmag: 4, ymag: 3, znear: 0, zfar: 20 } }],
      },
    },
  },
  'lights of three kinds below nodes': {
    scene: {
      meshes,
      nodes: [
        { name: 'room', mesh: 0, translation: [1, 2, 3], rotation: turn([0, 1, 0], 90), children: [1, 2, 3] },
        { name: 'day', rotation: turn([1, 0, 0], -60), extensions: light(0) },
        { name: 'lamp', translation: [0, 2, 0], scale: [2, 2, 2], extensions: light(1) },
        { name: 'spot', translation: [0, 3, 0], rotation: turn([1, 0, 0], -90), extensions: light(2) },
      ],
      root: LIGHTS,
    },
  },
  'a light and a camera that move with a node': {
    scene: {
      meshes,
      nodes: [
        { name: 'car', mesh: 0, children: [1, 2] },
        { name: 'headlight', translation: [0, 0.5, 1], extensions: light(2) },
        { name: 'driver', camera: 0, translation: [0, 1.2, 0] },
      ],
      accessors: [
        times(0, 1, 2),
        vectors(0, 0, 0, 4, 0, 0, 4, 0, 4),
        turns(turn([0, 1, 0], 0), turn([0, 1, 0], 60), turn([0, 1, 0], 90)),
      ],
      root: {
        ...LIGHTS,
        cameras: [{ name: 'eye', type: 'perspective', perspective: { yfov: 0.7, znear: 0.1, zfar: 60 } }],
        ...clip(4, [
          { node: 0, path: 'translation', input: 0, output: 1 },
          { node: 1, path: 'rotation', input: 0, output: 2 },
          { node: 2, path: 'rotation', input: 0, output: 2 },
        ]),
      },
    },
  },
  'nodes that steps, splines and scales move': {
    scene: {
      meshes,
      nodes: [
        { name: 'arm', translation: [0, 1, 0], children: [1, 2] },
        { name: 'hand', mesh: 0, translation: [1, 0, 0] },
        { translation: [0, 0, 1] },
      ],
      accessors: [
        times(0, 1, 2),
        vectors(0, 1, 0, 0, 2, 0, 0, 1, 1),
        vectors(0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0),
        vectors(1, 1, 1, 2, 1, 1, 1, 3, 1),
      ],
      root: clip(4, [
        { node: 0, path: 'translation', input: 0, output: 1, interpolation: 'STEP' },
        { node: 1, path: 'translation', input: 0, output: 2, interpolation: 'CUBICSPLINE' },
        { node: 1, path: 'scale', input: 0, output: 3 },
        { node: 2, path: 'translation', input: 0, output: 1 },
      ]),
    },
    differs: ['a node without a name gets one'],
  },
  'morph targets at rest': {
    scene: { meshes: [morphing()], nodes: [{ name: 'head', mesh: 0, translation: [0, 1, 0], scale: [2, 2, 2] }] },
  },
  'morph targets with weights of mesh and node': {
    scene: {
      meshes: [morphing({ weights: [0.25, 0.5] })],
      nodes: [
        { name: 'a', mesh: 0 },
        { name: 'b', mesh: 0, weights: [1, 0], translation: [3, 0, 0] },
      ],
    },
  },
  'weights that clips move': {
    scene: {
      meshes: [morphing({ weights: [0.5, 0] })],
      nodes: [
        { name: 'linear', mesh: 0 },
        { name: 'step', mesh: 0, translation: [3, 0, 0] },
        { name: 'cubic', mesh: 0, translation: [6, 0, 0] },
      ],
      accessors: [
        times(0, 1, 2),
        scalars(0, 0, 1, 0, 0.5, 1),
        scalars(0, 0, 0, 0, 0, 0.5, 0, 0, 1, 0, 0, 0, 0.5, -1, 0.5, 1, 0, 0),
      ],
      root: clip(7, [
        { node: 0, path: 'weights', input: 0, output: 1 },
        { node: 1, path: 'weights', input: 0, output: 1, interpolation: 'STEP' },
        { node: 2, path: 'weights', input: 0, output: 2, interpolation: 'CUBICSPLINE' },
      ]),
    },
  },
  'a character with a skin and a clip': { scene: character(), differs: ['a node with a skin stands at the root'] },
  'a mesh below a joint that moves, and a scale of a joint': {
    scene: character({
      keys: [
        ...WALK,
        {
          node: 3,
          path: 'scale',
          times: [0, 2],
          values: [
            [1, 1, 1],
            [2, 1, 3],
          ],
        },
      ],
      armature: { translation: [1, 0, 0], rotation: turn([0, 1, 0], 30) },
      more: [],
    }),
    edit: (json) => {
      json.nodes[0].extras = { rig: 'leg' };
      json.nodes[4].extras = { part: 'tube' };
      json.nodes.push({ name: 'boot', mesh: 0, translation: [0, -0.2, 0.3] });
      json.nodes[3].children = [5];
    },
    differs: ['a node with a skin stands at the root'],
  },
  'a character whose face moves': {
    scene: character(),
    edit: (json) => {
      const [primitive] = json.meshes[0].primitives;
      primitive.targets = [{ POSITION: primitive.attributes.NORMAL }];
      json.meshes[0].weights = [0.25];
      json.meshes[0].extras = { targetNames: ['thick'] };
    },
    differs: ['a node with a skin stands at the root'],
  },
  'attributes of an application': {
    scene: {
      meshes: [
        {
          name: 'marked',
          primitives: [
            {
              ...SHEET,
              attributes: {
                _TEMPERATURE: { data: [1, 2, 3, 4], type: 'SCALAR' },
              },
            },
          ],
        },
      ],
      nodes: [{ name: 'marked', mesh: 0 }],
    },
    differs: ['attributes of applications are left out'],
  },
  'numbers that are quantised, and sparse ones': {
    scene: {
      meshes: [
        {
          name: 'small',
          primitives: [
            {
              positions: { data: Int16Array.of(0, 0, 0, 100, 0, 0, 100, 200, 0), type: 'VEC3' },
              normals: { data: Int8Array.of(0, 0, 127, 0, 0, 127, 0, 0, 127), type: 'VEC3', normalized: true },
            },
          ],
        },
        {
          name: 'sparse',
          primitives: [
            {
              positions: { data: [1, 0, 0, 0, 1, 0], sparse: { count: 3, indices: [1, 2] }, type: 'VEC3' },
              normals: NORMALS.slice(0, 9),
            },
          ],
        },
      ],
      nodes: [
        { name: 'small', mesh: 0, scale: [0.01, 0.01, 0.01] },
        { name: 'sparse', mesh: 1 },
      ],
      root: { extensionsUsed: ['KHR_mesh_quantization'], extensionsRequired: ['KHR_mesh_quantization'] },
    },
    edit: (json) => {
      const sparse = json.accessors.at(-2);
      Object.assign(sparse, { min: [0, 0, 0], max: [1, 1, 0] });
    },
  },
  'two meshes that are equal': {
    scene: {
      meshes: [
        { name: 'first', primitives: [SHEET] },
        { name: 'second', primitives: [SHEET] },
      ],
      nodes: [
        { name: 'a', mesh: 0 },
        { name: 'b', mesh: 1, translation: [3, 0, 0] },
      ],
    },
    differs: ['equal meshes are one, with the name of the first'],
  },
};
