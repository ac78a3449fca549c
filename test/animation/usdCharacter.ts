// The character of characters.ts as USD text: SkelRoot, Skeleton, SkelAnimation and a bound mesh, from the same numbers.

import { I, inverted, type M } from './arithmetic.ts';
import { globalsOf, type Joint, LEG, type Tube, tube } from './characters.ts';

export interface Sample {
  /** Seconds. */
  readonly time: number;
  /** By joint. */
  readonly translations: readonly (readonly number[])[];
  /** x, y, z, w. */
  readonly rotations: readonly (readonly number[])[];
}

export interface UsdOptions {
  readonly joints?: readonly Joint[];
  readonly samples?: readonly Sample[];
  /** Matrix of the Skeleton prim. */
  readonly place?: M;
  readonly geomBind?: M;
  /** The bind pose; otherwise the pose at rest. */
  readonly binds?: readonly M[];
  readonly metadata?: string;
  readonly mesh?: Tube;
  /** Tokens of the joints; otherwise their paths. */
  readonly tokens?: readonly string[];
  /** Influences of a vertex in the mesh's arrays. */
  readonly perVertex?: number;
}

export function tokensOf(joints: readonly Joint[]): string[] {
  const tokens: string[] = [];
  for (const { name, parent } of joints) tokens.push(parent < 0 ? name : `${tokens[parent]}/${name}`);
  return tokens;
}

/** Row vectors: the rows of USD's text are the columns of ours. */
const matrix = (m: M): string =>
  `(${[0, 1, 2, 3].map((r) => `(${[0, 1, 2, 3].map((c) => m[r * 4 + c]).join(', ')})`).join(', ')})`;
const vector = (v: readonly number[]): string => `(${v.join(', ')})`;
/** The real part comes first in text. */
const quaternion = ([x, y, z, w]: readonly number[]): string => `(${w}, ${x}, ${y}, ${z})`;
const triples = (values: readonly number[]): string =>
  Array.from({ length: values.length / 3 }, (_, i) => vector(values.slice(i * 3, i * 3 + 3))).join(', ');

export const RATE = 30;

export function usdCharacter(options: UsdOptions = {}): string {
  const { joints = LEG, samples = [], place = I, geomBind = I, mesh = tube(joints.length), perVertex = 2 } = options;
  const { metadata = 'metersPerUnit = 1\n  upAxis = "Y"', tokens = tokensOf(joints) } = options;
  const binds = options.binds ?? globalsOf(joints);
  const rests = joints.map(
    ({ t, q = [0, 0, 0, 1], s = [1, 1, 1] }) => globalsOf([{ name: '', parent: -1, t, q, s }])[0],
  );
  const names = tokens.map((token) => `"${token}"`).join(', ');
  const keyed = (type: string, name: string, row: (sample: Sample) => string) =>
    `${type}[] ${name}.timeSamples = { ${samples.map((sample) => `${sample.time * RATE}: [${row(sample)}]`).join(', ')} }`;
  const animation = `def SkelAnimation "Walk" {
      uniform token[] joints = [${names}]
      ${keyed('float3', 'translations', ({ translations }) => translations.map(vector).join(', '))}
      ${keyed('quatf', 'rotations', ({ rotations }) => rotations.map(quaternion).join(', '))}
      half3[] scales = [${joints.map(({ s = [1, 1, 1] }) => vector(s)).join(', ')}]
    }`;
  return `#usda 1.0
(
  ${metadata}
  timeCodesPerSecond = ${RATE}
)
def SkelRoot "Root" {
  def Skeleton "Armature" (prepend apiSchemas = ["SkelBindingAPI"]) {
    uniform token[] joints = [${names}]
    uniform matrix4d[] bindTransforms = [${binds.map(matrix).join(', ')}]
    uniform matrix4d[] restTransforms = [${rests.map(matrix).join(', ')}]
    matrix4d xformOp:transform = ${matrix(place)}
    uniform token[] xformOpOrder = ["xformOp:transform"]
    ${samples.length > 0 ? 'rel skel:animationSource = </Root/Armature/Walk>' : ''}
    ${samples.length > 0 ? animation : ''}
  }
  def Mesh "Tube" (prepend apiSchemas = ["SkelBindingAPI", "MaterialBindingAPI"]) {
    rel material:binding = </Root/Skin>
    rel skel:skeleton = </Root/Armature>
    uniform token subdivisionScheme = "none"
    point3f[] points = [${triples(mesh.positions)}]
    int[] faceVertexCounts = [${mesh.indices
      .filter((_, i) => i % 3 === 0)
      .map(() => 3)
      .join(', ')}]
    int[] faceVertexIndices = [${mesh.indices.join(', ')}]
    normal3f[] primvars:normals = [${triples(mesh.normals)}] (interpolation = "vertex")
    int[] primvars:skel:jointIndices = [${mesh.joints.join(', ')}] (elementSize = ${perVertex}, interpolation = "vertex")
    float[] primvars:skel:jointWeights = [${mesh.weights.join(', ')}] (elementSize = ${perVertex}, interpolation = "vertex")
    matrix4d primvars:skel:geomBindTransform = ${matrix(geomBind)}
  }
  def Material "Skin" {
    token outputs:surface.connect = </Root/Skin/Surface.outputs:surface>
    def Shader "Surface" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor = (0.5, 0.25, 0.125)
      float inputs:metallic = 0
      float inputs:roughness = 0.5
      token outputs:surface
    }
  }
}
`
    .replaceAll(', interpolation', '\n interpolation')
    .replaceAll(' }', '\n}');
}

/**
 * Positions by UsdSkel's definition: the weighted sum of inverse(bind) * joint at the time, in the space of the Skeleton, and
 * from there to the world of the stage. `world`: of the Skeleton prim. Of more than four influences the four largest count.
 */
export function usdPose(options: UsdOptions, local: (joint: number) => M, world: M): number[][] {
  const { joints = LEG, geomBind = I, mesh = tube(joints.length), perVertex = 2 } = options;
  const binds = options.binds ?? globalsOf(joints);
  const globals: M[] = [];
  for (const [j, { parent }] of joints.entries())
    globals.push(parent < 0 ? local(j) : product(globals[parent], local(j)));
  const skin = globals.map((m, j) => product(m, inverted(binds[j])));
  const point = (v: number): number[] => {
    const p = moved(geomBind, mesh.positions.slice(v * 3, v * 3 + 3));
    const own = Array.from({ length: perVertex }, (_, k) => ({
      joint: mesh.joints[v * perVertex + k],
      weight: mesh.weights[v * perVertex + k],
    }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 4);
    const sum = own.reduce((total, { weight }) => total + weight, 0);
    const out = [0, 0, 0];
    for (const { joint, weight } of own) {
      const q = moved(skin[joint], p);
      for (let c = 0; c < 3; c++) out[c] += (weight / sum) * q[c];
    }
    return moved(world, out);
  };
  return Array.from({ length: mesh.positions.length / 3 }, (_, v) => point(v));
}

const product = (a: M, b: M): M =>
  Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i & 3)] * b[(i >> 2) * 4 + k], 0),
  );
const moved = (m: M, p: readonly number[]): number[] =>
  [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
