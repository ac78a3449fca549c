// The material features of glTF, each in a GLB of a sphere and a tilted square.

import { buildGlb } from '../../test/importers/gltf/build.ts';
import { storedPng } from '../storedPng.ts';

interface Feature {
  readonly name: string;
  /** Properties of the material over those of `PLAIN`. */
  readonly material: Readonly<Record<string, unknown>>;
  readonly core?: Readonly<Record<string, unknown>>;
  /** The square shows its back. */
  readonly isBack?: true;
  readonly hasColors?: true;
  /** Texture coordinates go from -0.5 to 1.5. */
  readonly isBeyond?: true;
  /** Of all textures. */
  readonly sampler?: object;
}

/** Texels along a side. */
const SIZE = 64;
const byte = (x: number): number => Math.round(255 * Math.min(1, Math.max(0, x)));
const wave = (x: number, y: number, count: number): number =>
  0.5 + 0.5 * Math.sin((2 * Math.PI * count * x) / SIZE) * Math.cos((2 * Math.PI * count * y) / SIZE);
const grey = (value: number): number[] => [byte(value), byte(value), byte(value), 255];

const IMAGES = {
  /** Colours, and alpha that rises from left to right. */
  color: (x: number, y: number) => [
    byte(wave(x, y, 2)),
    byte(y / SIZE),
    byte(0.3 + 0.5 * wave(y, x, 1)),
    byte(x / SIZE),
  ],
  metallicRoughness: (x: number, y: number) => [0, byte(0.1 + 0.8 * wave(x, y, 2)), byte(wave(y, x, 1)), 255],
  normal: (x: number, y: number) => {
    const slopes = [x, y].map((at) => 0.5 * Math.sin((2 * Math.PI * 4 * at) / SIZE));
    const length = Math.hypot(...slopes, 1);
    return [...[...slopes, 1].map((v) => byte(0.5 + (0.5 * v) / length)), 255];
  },
  data: (x: number, y: number) => grey(wave(x, y, 2)),
  /** By which samplers differ: a colour for each eighth. */
  steps: (x: number, y: number) => [32 * (x >> 3), 32 * (y >> 3), 128, 255],
};

const IMAGE_NAMES = Object.keys(IMAGES) as (keyof typeof IMAGES)[];
const of = (image: keyof typeof IMAGES, more: object = {}) => ({ index: IMAGE_NAMES.indexOf(image), ...more });
const ext = (name: string, values: object, more: Readonly<Record<string, object>> = {}) => ({
  extensions: { [`KHR_materials_${name}`]: values, ...more },
});
const moved = (transform: object) => ({ extensions: { KHR_texture_transform: transform } });

const PLAIN = { baseColorFactor: [0.6, 0.2, 0.1, 1], metallicFactor: 0, roughnessFactor: 0.5 };
const METAL = { baseColorFactor: [0.9, 0.6, 0.3, 1], metallicFactor: 1 };
const GLASS = { baseColorFactor: [1, 1, 1, 1], roughnessFactor: 0 };
const WHITE = { baseColorFactor: [1, 1, 1, 1] };
const TEXTURED = { ...WHITE, baseColorTexture: of('color') };
const STEPPED = { ...WHITE, baseColorTexture: of('steps') };
const FILM = { iridescenceFactor: 1, iridescenceIor: 1.8, iridescenceThicknessMaximum: 400 };

export const FEATURES: readonly Feature[] = [
  { name: 'base colour factor', material: {} },
  { name: 'base colour texture', material: {}, core: TEXTURED },
  {
    name: 'alpha of an opaque surface',
    material: { alphaMode: 'OPAQUE' },
    core: { baseColorFactor: [0.6, 0.2, 0.1, 0.3] },
  },
  { name: 'alpha mask', material: { alphaMode: 'MASK', doubleSided: true }, core: TEXTURED },
  { name: 'alpha cutoff', material: { alphaMode: 'MASK', alphaCutoff: 0.2, doubleSided: true }, core: TEXTURED },
  { name: 'alpha blend', material: { alphaMode: 'BLEND', doubleSided: true }, core: TEXTURED },
  { name: 'double sided', material: { doubleSided: true }, isBack: true },
  { name: 'single sided', material: {}, isBack: true },
  { name: 'metallic factor', material: {}, core: METAL },
  { name: 'roughness factor', material: {}, core: { roughnessFactor: 0.15 } },
  {
    name: 'metallic-roughness texture',
    material: {},
    core: { metallicFactor: 1, roughnessFactor: 1, metallicRoughnessTexture: of('metallicRoughness') },
  },
  { name: 'normal texture', material: { normalTexture: of('normal') } },
  { name: 'normal scale', material: { normalTexture: of('normal', { scale: 0.4 }) } },
  { name: 'occlusion texture', material: { occlusionTexture: of('data') } },
  { name: 'occlusion strength', material: { occlusionTexture: of('data', { strength: 0.3 }) } },
  { name: 'emissive factor', material: { emissiveFactor: [0.1, 0.3, 0.6] } },
  { name: 'emissive texture', material: { emissiveFactor: [1, 1, 1], emissiveTexture: of('color') } },
  {
    name: 'emissive strength',
    material: { emissiveFactor: [0.1, 0.3, 0.6], ...ext('emissive_strength', { emissiveStrength: 3 }) },
  },
  { name: 'unlit', material: ext('unlit', {}), core: TEXTURED },
  { name: 'clearcoat factor', material: ext('clearcoat', { clearcoatFactor: 1 }) },
  { name: 'clearcoat of a half', material: ext('clearcoat', { clearcoatFactor: 0.5 }) },
  { name: 'clearcoat texture', material: ext('clearcoat', { clearcoatFactor: 1, clearcoatTexture: of('data') }) },
  { name: 'clearcoat roughness', material: ext('clearcoat', { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.3 }) },
  {
    name: 'clearcoat roughness texture',
    material: ext('clearcoat', {
      clearcoatFactor: 1,
      clearcoatRoughnessFactor: 1,
      clearcoatRoughnessTexture: of('data'),
    }),
  },
  {
    name: 'clearcoat normal',
    material: ext('clearcoat', { clearcoatFactor: 1, clearcoatNormalTexture: of('normal') }),
  },
  { name: 'clearcoat on a texture', material: ext('clearcoat', { clearcoatFactor: 1 }), core: TEXTURED },
  { name: 'clearcoat on metal', material: ext('clearcoat', { clearcoatFactor: 1 }), core: METAL },
  { name: 'sheen colour', material: ext('sheen', { sheenColorFactor: [0.3, 0.5, 0.9], sheenRoughnessFactor: 0.5 }) },
  {
    name: 'sheen roughness',
    material: ext('sheen', { sheenColorFactor: [0.3, 0.5, 0.9], sheenRoughnessFactor: 0.15 }),
  },
  { name: 'specular factor', material: ext('specular', { specularFactor: 0.3 }) },
  { name: 'specular colour', material: ext('specular', { specularColorFactor: [0.3, 0.6, 2] }) },
  { name: 'specular colour texture', material: ext('specular', { specularColorTexture: of('color') }) },
  { name: 'index of refraction', material: ext('ior', { ior: 2.2 }) },
  { name: 'transmission factor', material: ext('transmission', { transmissionFactor: 0.9 }), core: GLASS },
  {
    name: 'transmission texture',
    material: ext('transmission', { transmissionFactor: 1, transmissionTexture: of('data') }),
    core: GLASS,
  },
  {
    name: 'volume',
    material: ext(
      'transmission',
      { transmissionFactor: 1 },
      {
        KHR_materials_volume: { thicknessFactor: 0.6, attenuationDistance: 0.5, attenuationColor: [0.3, 0.8, 0.5] },
      },
    ),
    core: GLASS,
  },
  {
    name: 'dispersion',
    material: ext(
      'transmission',
      { transmissionFactor: 1 },
      {
        KHR_materials_volume: { thicknessFactor: 0.6 },
        KHR_materials_dispersion: { dispersion: 2 },
      },
    ),
    core: GLASS,
  },
  {
    name: 'anisotropy',
    material: ext('anisotropy', { anisotropyStrength: 0.8, anisotropyRotation: 0.5 }),
    core: { ...METAL, roughnessFactor: 0.3 },
  },
  { name: 'iridescence', material: ext('iridescence', FILM) },
  { name: 'iridescence on metal', material: ext('iridescence', FILM), core: { ...METAL, roughnessFactor: 0.2 } },
  {
    name: 'texture transform',
    material: {},
    core: { ...WHITE, baseColorTexture: of('color', moved({ offset: [0.2, 0.1], rotation: 0.4, scale: [2, 1.5] })) },
  },
  {
    name: 'two texture transforms',
    material: { normalTexture: of('normal') },
    core: { ...WHITE, baseColorTexture: of('color', moved({ scale: [2, 2] })) },
  },
  {
    name: 'second texture coordinates',
    material: {},
    core: { ...WHITE, baseColorTexture: of('color', { texCoord: 1 }) },
  },
  { name: 'wrapping: clamp', material: {}, core: STEPPED, sampler: { wrapS: 33071, wrapT: 33071 }, isBeyond: true },
  { name: 'wrapping: mirror', material: {}, core: STEPPED, sampler: { wrapS: 33648, wrapT: 33648 }, isBeyond: true },
  { name: 'nearest texels', material: {}, core: STEPPED, sampler: { magFilter: 9728, minFilter: 9728 } },
  { name: 'vertex colours', material: {}, core: WHITE, hasColors: true },
];

/** Points of a grid of `columns` by `rows` cells, each by its place from 0 to 1, and two triangles a cell. */
function grid(
  columns: number,
  rows: number,
  at: (u: number, v: number) => Readonly<Record<'p' | 'n' | 't', number[]>>,
  feature: Feature,
) {
  const made = { positions: [] as number[], normals: [] as number[], tangents: [] as number[], uvs: [] as number[] };
  const second: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  const isPole = (row: number) => at === onSphere && (row === 0 || row === rows);
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) {
      const [u, v] = [i / columns, j / rows];
      const { p, n, t } = at(u, v);
      made.positions.push(...p);
      made.normals.push(...n);
      // Rows of textures come from the top: V grows against the bitangent.
      made.tangents.push(...t, 1);
      made.uvs.push(...(feature.isBeyond ? [2 * u - 0.5, 2 * v - 0.5] : [u, v]));
      second.push(1 - 2 * v, 2 * u);
      colors.push(u, v, 1 - u, 1);
      const first = j * (columns + 1) + i;
      const below = first + columns + 1;
      if (i === columns || j === rows) continue;
      // Rows at poles have one triangle a cell.
      if (!isPole(j)) indices.push(first, below, first + 1);
      if (!isPole(j + 1)) indices.push(first + 1, below, below + 1);
    }
  }
  const { positions, normals, uvs, tangents } = made;
  const isSecond = JSON.stringify(feature.core ?? {}).includes('texCoord');
  const attributes = {
    TANGENT: tangents,
    ...(isSecond && { TEXCOORD_1: second }),
    ...(feature.hasColors && { COLOR_0: colors }),
  };
  return { positions, normals, uvs, attributes, indices, material: 0 };
}

function onSphere(u: number, v: number) {
  const [around, down] = [2 * Math.PI * u, Math.PI * v];
  const n = [-Math.cos(around) * Math.sin(down), Math.cos(down), Math.sin(around) * Math.sin(down)];
  return { p: n.map((x) => 0.7 * x), n, t: [Math.sin(around), 0, Math.cos(around)] };
}

const onSquare = (u: number, v: number) => ({ p: [1.3 * u - 0.65, 0.65 - 1.3 * v, 0], n: [0, 0, 1], t: [1, 0, 0] });

export function glbOf(feature: Feature): Uint8Array {
  const { material, core } = feature;
  const turn = feature.isBack ? 2.4 : -0.6;
  const whole = { name: 'M', ...material, pbrMetallicRoughness: { ...PLAIN, ...core } };
  const used = [...new Set(JSON.stringify(whole).match(/KHR_\w+/g))];
  return buildGlb({
    meshes: [
      { name: 'Sphere', primitives: [grid(96, 48, onSphere, feature)] },
      { name: 'Square', primitives: [grid(8, 8, onSquare, feature)] },
    ],
    nodes: [
      { name: 'Sphere', mesh: 0, translation: [-0.8, 0, 0] },
      { name: 'Square', mesh: 1, translation: [0.8, 0, 0], rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)] },
    ],
    materials: [whole],
    images: IMAGE_NAMES.map((name) => storedPng(SIZE, IMAGES[name])),
    ...(feature.sampler && { samplers: [feature.sampler] }),
    textures: IMAGE_NAMES.map((_, source) => ({ source, ...(feature.sampler && { sampler: 0 }) })),
    ...(used.length > 0 && { root: { extensionsUsed: used } }),
  });
}
