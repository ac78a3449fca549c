// Writes a sample scene as USD text: one Mesh prim a mesh with a GeomSubset for each material, UsdPreviewSurface
// networks, and a copy of the mesh wherever it is placed (no arcs, so that the layer stands alone).

import type { SampleMaterial, SampleMesh, SampleNode, SampleScene } from './courtyard.ts';
import { faceNormal } from './shapes.ts';

const tuple = (v: readonly number[]) => `(${v.map((n) => Math.fround(n)).join(', ')})`;

function texture(
  material: string,
  name: string,
  file: string,
  output: string,
  type: string,
  colorSpace: 'sRGB' | 'raw',
  extra = '',
): string {
  return `
            def Shader "${name}"
            {
                uniform token info:id = "UsdUVTexture"
                asset inputs:file = @${file}@
                float2 inputs:st.connect = <${material}/Reader.outputs:result>
                token inputs:wrapS = "repeat"
                token inputs:wrapT = "repeat"
                token inputs:sourceColorSpace = "${colorSpace}"${extra}
                ${type} outputs:${output}
            }
`;
}

/** A Material prim below `looks`, indented to stand in a scope of the root; its textures lie in `folder`. */
export function material(m: SampleMaterial, looks: string, folder: string): string {
  const at = `${looks}/${m.name}`;
  if (m.materialX) return materialPrim(m.name, at, 'outputs:mtlx:surface', m.materialX.id, m.materialX.inputs, '');
  const inputs: string[] = [];
  const shaders: string[] = [];
  if (m.baseTexture) {
    inputs.push(`color3f inputs:diffuseColor.connect = <${at}/Base.outputs:rgb>`);
    shaders.push(texture(at, 'Base', folder + m.baseTexture, 'rgb', 'float3', 'sRGB'));
    if (m.alphaCutoff !== undefined) inputs.push(`float inputs:opacity.connect = <${at}/Base.outputs:a>`);
  } else inputs.push(`color3f inputs:diffuseColor = ${tuple(m.baseColor.slice(0, 3))}`);
  if (m.alphaCutoff !== undefined) inputs.push(`float inputs:opacityThreshold = ${m.alphaCutoff}`);
  if (m.normalTexture) {
    inputs.push(`normal3f inputs:normal.connect = <${at}/Normal.outputs:rgb>`);
    const extra = `
                float4 inputs:scale = (2, 2, 2, 1)
                float4 inputs:bias = (-1, -1, -1, 0)`;
    shaders.push(texture(at, 'Normal', folder + m.normalTexture, 'rgb', 'float3', 'raw', extra));
  }
  if (m.ormTexture) {
    inputs.push(`float inputs:occlusion.connect = <${at}/Orm.outputs:r>`);
    inputs.push(`float inputs:roughness.connect = <${at}/Orm.outputs:g>`);
    inputs.push(`float inputs:metallic.connect = <${at}/Orm.outputs:b>`);
    shaders.push(texture(at, 'Orm', folder + m.ormTexture, 'r', 'float', 'raw'));
  } else {
    inputs.push(`float inputs:roughness = ${m.roughness}`, `float inputs:metallic = ${m.metallic}`);
  }
  if (m.emissive) inputs.push(`color3f inputs:emissiveColor = ${tuple(m.emissive)}`);
  const reader = `
            def Shader "Reader"
            {
                uniform token info:id = "UsdPrimvarReader_float2"
                string inputs:varname = "st"
                float2 outputs:result
            }
`;
  const others = `${shaders.length > 0 ? reader : ''}${shaders.join('')}`;
  return materialPrim(m.name, at, 'outputs:surface', 'UsdPreviewSurface', inputs, others);
}

function materialPrim(
  name: string,
  at: string,
  output: string,
  id: string,
  inputs: readonly string[],
  others: string,
): string {
  return `
        def Material "${name}"
        {
            token ${output}.connect = <${at}/Surface.outputs:surface>

            def Shader "Surface"
            {
                uniform token info:id = "${id}"
                ${inputs.join('\n                ')}
                token outputs:surface
            }
${others}        }
`;
}

/** `looks`: the path of the scope of materials. */
function meshBody(mesh: SampleMesh, looks: string): string {
  const points: string[] = [];
  const known = new Map<string, number>();
  const counts: number[] = [];
  const indices: number[] = [];
  const uvs: string[] = [];
  const normals: string[] = [];
  const subsets: string[] = [];
  for (const part of mesh.parts) {
    const first = counts.length;
    for (const face of part.faces) {
      const normal = tuple(faceNormal(face));
      counts.push(face.length);
      for (const corner of face) {
        const point = tuple(corner.slice(0, 3));
        if (!known.has(point)) {
          known.set(point, points.length);
          points.push(point);
        }
        indices.push(known.get(point) as number);
        uvs.push(tuple(corner.slice(3)));
        normals.push(normal);
      }
    }
    const faces = Array.from({ length: counts.length - first }, (_, i) => first + i);
    subsets.push(`
def GeomSubset "${part.material}" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    uniform token elementType = "face"
    uniform token familyName = "materialBind"
    int[] indices = [${faces.join(', ')}]
    rel material:binding = <${looks}/${part.material}>
}`);
  }
  return `uniform token subdivisionScheme = "none"
int[] faceVertexCounts = [${counts.join(', ')}]
int[] faceVertexIndices = [${indices.join(', ')}]
point3f[] points = [${points.join(', ')}]
normal3f[] normals = [${normals.join(', ')}] (
    interpolation = "faceVarying"
)
texCoord2f[] primvars:st = [${uvs.join(', ')}] (
    interpolation = "faceVarying"
)
${subsets.join('\n')}`;
}

export const indent = (text: string, depth: number) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(4 * depth) + line))
    .join('\n');

function prim(node: SampleNode, name: string, scene: SampleScene, depth: number): string {
  const mesh = scene.meshes.find((m) => m.name === node.mesh);
  const rows = node.matrix && [0, 4, 8, 12].map((i) => `(${node.matrix?.slice(i, i + 4).join(', ')})`).join(', ');
  const body = [
    ...(rows ? [`matrix4d xformOp:transform = (${rows})`, 'uniform token[] xformOpOrder = ["xformOp:transform"]'] : []),
    ...(mesh ? [meshBody(mesh, `/${scene.nodes[0].name}/Looks`)] : []),
    ...children(node.children ?? [], scene, 0),
  ];
  return indent(`def ${mesh ? 'Mesh' : 'Xform'} "${name}"\n{\n${indent(body.join('\n'), 1)}\n}`, depth);
}

/** Siblings in USD have names of their own: a second `Tree` becomes `Tree_1`. */
function children(nodes: SampleNode[], scene: SampleScene, depth: number): string[] {
  const taken = new Set<string>();
  return nodes.map((node) => {
    let name = node.name;
    for (let i = 1; taken.has(name); i++) name = `${node.name}_${i}`;
    taken.add(name);
    return prim(node, name, scene, depth);
  });
}

/** The scene as a USD text layer in metres, Y up; textures are named below `folder`. */
export function usdaText(scene: SampleScene, folder: string): string {
  const [root] = scene.nodes;
  return `#usda 1.0
(
    defaultPrim = "${root.name}"
    metersPerUnit = 1
    upAxis = "Y"
)

def Xform "${root.name}"
{
${children(root.children ?? [], scene, 1).join('\n\n')}

    def Scope "Looks"
    {${scene.materials.map((m) => material(m, `/${root.name}/Looks`, folder)).join('')}    }
}
`;
}
