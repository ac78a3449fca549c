// Writes a scene of many placements as USD text. What is placed more than once is a class prim that instances refer to,
// and of what is placed many times a PointInstancer holds the positions: the text stays small and a person can read it.

import type { SampleMaterial, SampleMesh } from './courtyard.ts';
import type { Point } from './shapes.ts';
import { indent, material } from './usda.ts';

/** Where a prim stands in its parent: scaled, tilted about X, turned about Y, moved; degrees and metres. */
export interface Placement {
  readonly at?: Point;
  readonly turn?: number;
  readonly tilt?: number;
  readonly scale?: number;
}

export interface StageNode extends Placement {
  readonly name: string;
  /** Drawn here. */
  readonly mesh?: SampleMesh;
  /** Name of the part that stands here. */
  readonly part?: string;
  /** Children of the part that have another material here. */
  readonly paint?: Readonly<Record<string, string>>;
  /** Parts by the dozen: which of `parts` stands where; they may be turned by 180 degrees. */
  readonly swarm?: { readonly parts: readonly string[]; readonly places: readonly SwarmPlace[] };
  /** Inputs as UsdLux names them, with their types and values as text. */
  readonly light?: { readonly type: 'SphereLight' | 'DistantLight'; readonly inputs: Readonly<Record<string, string>> };
  /** For the apertures that UsdGeomCamera presumes, in their unit. */
  readonly camera?: { readonly focalLength: number };
  /** `untold_*` properties, as Blender exports them. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly children?: readonly StageNode[];
}

export interface SwarmPlace {
  /** Index into the swarm's parts. */
  readonly part: number;
  readonly at: Point;
  readonly scale: number;
  readonly isTurned: boolean;
}

export interface SampleStage {
  readonly name: string;
  readonly materials: readonly SampleMaterial[];
  /** What placements name. */
  readonly parts: readonly StageNode[];
  readonly nodes: readonly StageNode[];
  readonly textures: Readonly<Record<string, Buffer>>;
}

/** To a tenth of a millimetre. */
const short = (n: number) => String(Math.round(n * 1e4) / 1e4 + 0);
const tuple = (v: readonly number[]) => `(${v.map(short).join(', ')})`;
const list = (v: readonly string[]) => `[${v.join(', ')}]`;

/** Different texts in order of their first use, and the index of each one used. */
class Table {
  readonly texts: string[] = [];
  readonly used: number[] = [];
  readonly #known = new Map<string, number>();

  add(text: string): void {
    let index = this.#known.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.#known.set(text, index);
    }
    this.used.push(index);
  }
}

function binding(looks: string, name: string): string {
  return `rel material:binding = <${looks}/${name}>`;
}

/** Points and UVs are shared by corners that agree. Without normals every face is flat. */
function meshLines(mesh: SampleMesh, looks: string): string[] {
  const points = new Table();
  const uvs = new Table();
  const counts: number[] = [];
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const subsets: string[] = [];
  for (const part of mesh.parts) {
    const first = counts.length;
    for (const face of part.faces) {
      counts.push(face.length);
      for (const [x, y, z, u, v] of face) {
        points.add(tuple([x, y, z]));
        uvs.add(tuple([u, v]));
        [x, y, z].forEach((value, i) => {
          low[i] = Math.min(low[i], value);
          high[i] = Math.max(high[i], value);
        });
      }
    }
    if (mesh.parts.length === 1) continue;
    const faces = Array.from({ length: counts.length - first }, (_, i) => String(first + i));
    subsets.push(
      `def GeomSubset "${part.material}" (`,
      '    prepend apiSchemas = ["MaterialBindingAPI"]',
      ')',
      '{',
      '    uniform token elementType = "face"',
      '    uniform token familyName = "materialBind"',
      `    int[] indices = ${list(faces)}`,
      `    ${binding(looks, part.material)}`,
      '}',
    );
  }
  return [
    'uniform token subdivisionScheme = "none"',
    `float3[] extent = [${tuple(low)}, ${tuple(high)}]`,
    `int[] faceVertexCounts = ${list(counts.map(String))}`,
    `int[] faceVertexIndices = ${list(points.used.map(String))}`,
    `point3f[] points = ${list(points.texts)}`,
    ...(uvs.texts.length > 1
      ? [
          `texCoord2f[] primvars:st = ${list(uvs.texts)} (`,
          '    interpolation = "faceVarying"',
          ')',
          `int[] primvars:st:indices = ${list(uvs.used.map(String))}`,
        ]
      : []),
    ...(mesh.parts.length === 1 ? [binding(looks, mesh.parts[0].material)] : subsets),
  ];
}

function placementLines({ at, turn, tilt, scale }: Placement): string[] {
  const ops: [string, string][] = [];
  if (at) ops.push(['xformOp:translate', `double3 xformOp:translate = ${tuple(at)}`]);
  if (turn) ops.push(['xformOp:rotateY', `float xformOp:rotateY = ${short(turn)}`]);
  if (tilt) ops.push(['xformOp:rotateX', `float xformOp:rotateX = ${short(tilt)}`]);
  if (scale) ops.push(['xformOp:scale', `float3 xformOp:scale = ${tuple([scale, scale, scale])}`]);
  if (ops.length === 0) return [];
  const order = ops.map(([name]) => `"${name}"`).join(', ');
  return [...ops.map(([, line]) => line), `uniform token[] xformOpOrder = [${order}]`];
}

function swarmLines({ parts, places }: NonNullable<StageNode['swarm']>): string[] {
  return [
    `rel prototypes = ${list(parts.map((name) => `<Prototypes/${name}>`))}`,
    `int[] protoIndices = ${list(places.map(({ part }) => String(part)))}`,
    `point3f[] positions = ${list(places.map(({ at }) => tuple(at)))}`,
    `float3[] scales = ${list(places.map(({ scale }) => tuple([scale, scale, scale])))}`,
    `quath[] orientations = ${list(places.map(({ isTurned }) => (isTurned ? '(0, 0, 1, 0)' : '(1, 0, 0, 0)')))}`,
    'def Scope "Prototypes"',
    '{',
    ...parts.map((name) => `    def "${name}" (\n        prepend references = </Parts/${name}>\n    )\n    {\n    }`),
    '}',
  ];
}

function typeOf(node: StageNode): string {
  if (node.light) return node.light.type;
  if (node.camera) return 'Camera';
  if (node.swarm) return 'PointInstancer';
  // A part says itself what it is.
  if (node.part) return '';
  return node.mesh ? 'Mesh' : 'Xform';
}

function prim(node: StageNode, looks: string): string {
  const { mesh, part, paint, swarm, light, camera, tags = {}, children = [] } = node;
  const head: string[] = [];
  if (part) head.push(`prepend references = </Parts/${part}>`);
  // What is said below an instance would not count.
  if (part && !paint && children.length === 0) head.push('instanceable = true');
  if (mesh?.parts.length === 1) head.push('prepend apiSchemas = ["MaterialBindingAPI"]');
  const body = [
    ...Object.entries(tags).map(([key, value]) => `custom string userProperties:${key} = "${value}"`),
    ...placementLines(node),
    ...(mesh ? meshLines(mesh, looks) : []),
    ...(swarm ? swarmLines(swarm) : []),
    ...(light ? Object.entries(light.inputs).map(([name, value]) => `${name} = ${value}`) : []),
    ...(camera ? [`float focalLength = ${short(camera.focalLength)}`, 'float2 clippingRange = (0.1, 1000)'] : []),
    ...Object.entries(paint ?? {}).map(
      ([child, name]) =>
        `over "${child}" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    ${binding(looks, name)}\n}`,
    ),
    ...children.map((child) => prim(child, looks)),
  ];
  const metadata = head.length > 0 ? ` (\n${indent(head.join('\n'), 1)}\n)` : '';
  return `${`def ${typeOf(node)}`.trim()} "${node.name}"${metadata}\n{\n${indent(body.join('\n'), 1)}\n}`;
}

/** The stage as a USD text layer in metres, Y up; textures are named below `folder`. */
export function stageText(stage: SampleStage, folder: string): string {
  const looks = `/${stage.name}/Looks`;
  return `#usda 1.0
(
    defaultPrim = "${stage.name}"
    metersPerUnit = 1
    upAxis = "Y"
)

class Scope "Parts"
{
${indent(stage.parts.map((part) => prim(part, looks)).join('\n\n'), 1)}
}

def Xform "${stage.name}" (
    kind = "assembly"
)
{
${indent(stage.nodes.map((node) => prim(node, looks)).join('\n\n'), 1)}

    def Scope "Looks"
    {${stage.materials.map((m) => material(m, looks, folder)).join('')}    }
}
`;
}
