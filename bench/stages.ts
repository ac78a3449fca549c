// Generated USD stages of the sizes that readers, composition and import are held to: a crate of many prims, a large text
// layer, and a stage that references one asset many times. The same bytes on every machine.

import {
  array,
  attribute,
  double,
  double3,
  type Fields,
  float2s,
  float3s,
  ints,
  prim,
  scalar,
  token,
  tokens,
  writeCrate,
} from '../test/importers/usd/crateWriter.ts';

interface Patch {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly uvs: Float32Array;
  readonly corners: Int32Array;
}

/** A bumpy patch of 2 x quads^2 triangles; `seed` makes its numbers its own. */
function patch(quads: number, seed: number): Patch {
  const side = quads + 1;
  const points = new Float32Array(side * side * 3);
  const normals = new Float32Array(side * side * 3);
  const uvs = new Float32Array(side * side * 2);
  for (let j = 0, v = 0; j < side; j++) {
    for (let i = 0; i < side; i++, v++) {
      points.set([i / quads, Math.sin(i * 0.7 + seed) * Math.cos(j * 0.9 - seed) * 0.2, j / quads], v * 3);
      normals.set([0, 1, 0], v * 3);
      uvs.set([i / quads, j / quads], v * 2);
    }
  }
  const corners = new Int32Array(quads * quads * 6);
  for (let j = 0, n = 0; j < quads; j++) {
    for (let i = 0; i < quads; i++) {
      const a = j * side + i;
      for (const k of [a, a + side, a + 1, a + 1, a + side, a + side + 1]) corners[n++] = k;
    }
  }
  return { points, normals, uvs, corners };
}

const ROOT: Fields = { defaultPrim: token('Town'), upAxis: token('Y'), metersPerUnit: double(1) };
const UNIFORM = { variability: scalar('Variability', 'uniform') };

function addMesh(specs: Record<string, Fields>, path: string, at: readonly [number, number], data: Patch): void {
  const interpolation = { interpolation: token('vertex') };
  specs[path] = prim('Mesh');
  specs[`${path}.xformOp:translate`] = attribute('double3', double3(at[0], 0, at[1]));
  specs[`${path}.xformOpOrder`] = attribute('token[]', tokens('xformOp:translate'), UNIFORM);
  specs[`${path}.subdivisionScheme`] = attribute('token', token('none'), UNIFORM);
  specs[`${path}.faceVertexCounts`] = attribute('int[]', ints(new Int32Array(data.corners.length / 3).fill(3)));
  specs[`${path}.faceVertexIndices`] = attribute('int[]', ints(data.corners));
  specs[`${path}.points`] = attribute('point3f[]', float3s(data.points));
  specs[`${path}.normals`] = attribute('normal3f[]', float3s(data.normals), interpolation);
  specs[`${path}.primvars:st`] = attribute('texCoord2f[]', float2s(data.uvs), interpolation);
  specs[`${path}.primvars:displayColor`] = attribute('color3f[]', array('Vec3f', Float32Array.of(0.5, 0.4, 0.3)));
}

/** A crate of `prims` meshes in streets of 100, 2 x quads^2 triangles each. */
export function crateTown(prims: number, quads: number): { bytes: Uint8Array; triangles: number } {
  const specs: Record<string, Fields> = { '/': ROOT, '/Town': prim('Xform') };
  for (let i = 0; i < prims; i++) {
    const street = `/Town/Street_${Math.floor(i / 100)}`;
    specs[street] ??= prim('Xform');
    addMesh(specs, `${street}/House_${i % 100}`, [(i % 100) * 1.2, Math.floor(i / 100) * 1.2], patch(quads, i));
  }
  return {
    bytes: writeCrate(specs, { version: '0.8.0', compressArrays: true }),
    triangles: prims * quads * quads * 2,
  };
}

/** A text layer of at least `size` bytes: meshes as exporters write them, of 2 x 40^2 triangles each. */
export function textTown(size: number): { bytes: Uint8Array; triangles: number } {
  const tuples = (data: Float32Array, width: number) => {
    const parts: string[] = [];
    for (let i = 0; i < data.length; i += width) {
      const numbers: string[] = [];
      for (let c = 0; c < width; c++) numbers.push(String(Number(data[i + c].toPrecision(7))));
      parts.push(`(${numbers.join(', ')})`);
    }
    return parts.join(', ');
  };
  const quads = 40;
  const parts: string[] = ['#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n)\n\ndef Xform "Town"\n{\n'];
  let bytes = 0;
  let count = 0;
  for (; bytes < size; count++) {
    const { points, normals, uvs, corners } = patch(quads, count);
    const text = `    def Mesh "House_${count}"
    {
        int[] faceVertexCounts = [${new Int32Array(corners.length / 3).fill(3).join(', ')}]
        int[] faceVertexIndices = [${corners.join(', ')}]
        normal3f[] normals = [${tuples(normals, 3)}] (
            interpolation = "vertex"
        )
        point3f[] points = [${tuples(points, 3)}]
        texCoord2f[] primvars:st = [${tuples(uvs, 2)}] (
            interpolation = "vertex"
        )
        uniform token subdivisionScheme = "none"
        double3 xformOp:translate = (${(count % 100) * 1.2}, 0, ${Math.floor(count / 100) * 1.2})
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
`;
    bytes += text.length;
    parts.push(text);
  }
  parts.push('}\n');
  return { bytes: new TextEncoder().encode(parts.join('')), triangles: count * quads * quads * 2 };
}

/** A stage whose every prim references `asset`, placed side by side. */
export function referenceTown(references: number, asset: string): Uint8Array {
  const parts = ['#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n)\n\ndef Xform "Town"\n{\n'];
  for (let i = 0; i < references; i++) {
    parts.push(`    def Xform "House_${i}" (
        prepend references = @${asset}@
    )
    {
        double3 xformOp:translate = (${(i % 40) * 1.2}, 0, ${Math.floor(i / 40) * 1.2})
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
`);
  }
  parts.push('}\n');
  return new TextEncoder().encode(parts.join(''));
}

/** Files of a stage, by name. */
export type StageFiles = Readonly<Record<string, Uint8Array>>;

/**
 * A stage as kits are laid out: a text layer with `pieces` references to texts with a variant set, each with a crate of one
 * mesh of 2 x quads^2 triangles as its payload. The root is `kit.usda`.
 */
export function kitStage(pieces: number, quads: number): { files: StageFiles; triangles: number } {
  const text = (lines: string) => new TextEncoder().encode(lines);
  const files: Record<string, Uint8Array> = {};
  const places: string[] = [];
  for (let i = 0; i < pieces; i++) {
    const specs: Record<string, Fields> = { '/': { ...ROOT, defaultPrim: token('Piece') }, '/Piece': prim('Xform') };
    addMesh(specs, '/Piece/Geom', [0, 0], patch(quads, i));
    files[`piece_${i}.usdc`] = writeCrate(specs, { version: '0.8.0', compressArrays: true });
    const look = (name: string, color: string) => `        "${name}" {
            over "Geom" {
                color3f[] primvars:displayColor = [${color}]
            }
        }
`;
    files[`piece_${i}.usda`] = text(`#usda 1.0
(
    defaultPrim = "Piece"
)
def Xform "Piece" (
    variants = {
        string look = "${i % 2 === 0 ? 'white' : 'black'}"
    }
    prepend variantSets = "look"
    payload = @./piece_${i}.usdc@
)
{
    variantSet "look" = {
${look('white', '(1, 1, 1)')}${look('black', '(0, 0, 0)')}    }
}
`);
    places.push(`    def "Piece_${i}" (
        prepend references = @./piece_${i}.usda@
    )
    {
        double3 xformOp:translate = (${i % 8}, 0, ${Math.floor(i / 8)})
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
`);
  }
  files['kit.usda'] = text(`#usda 1.0
(
    defaultPrim = "Kit"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "Kit"
{
${places.join('')}}
`);
  return { files, triangles: pieces * quads * quads * 2 };
}
