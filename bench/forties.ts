// Forty square textures on fourteen squares, as a stage in a folder. Like a set of chessmen, it has base colours, normal maps whose
// scale is not the usual one, and packed maps whose roughness is inverted, so that texels have to change. For textures.ts and fit.ts.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const [COLORS, NORMALS, PACKED] = [14, 13, 13];

/** Waves of many sizes with grain, as photographs have it. `c`: the channel. */
function picture(kind: 'color' | 'normal' | 'packed', seed: number, side: number): Uint8Array {
  const data = new Uint8Array(side * side * 3);
  let state = seed * 7919 + 1;
  for (let y = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, at += 3) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const grain = (state >>> 28) - 8;
      const wave =
        Math.sin(x / (37 + seed) + y / 300) + 0.5 * Math.cos(y / (9 + seed)) + 0.25 * Math.sin((x * y) / 9000);
      if (kind === 'normal') {
        const nx = 0.25 * Math.cos(x / (37 + seed)) + grain / 500;
        const ny = 0.2 * Math.sin(y / (19 + seed)) + grain / 700;
        data[at] = Math.round(127.5 + 127.5 * nx);
        data[at + 1] = Math.round(127.5 + 127.5 * ny);
        data[at + 2] = Math.round(127.5 + 127.5 * Math.sqrt(1 - nx * nx - ny * ny));
      } else if (kind === 'color') {
        data[at] = 130 + 60 * wave + grain;
        data[at + 1] = 110 + 50 * wave + grain;
        data[at + 2] = 90 + 30 * wave + grain;
      } else {
        data[at] = 200 + 20 * wave;
        data[at + 1] = 120 + 40 * wave + grain / 2;
        data[at + 2] = wave > 1 ? 255 : 0;
      }
    }
  }
  return data;
}

async function writeImage(
  path: string,
  kind: 'color' | 'normal' | 'packed',
  seed: number,
  side: number,
): Promise<void> {
  const image = sharp(picture(kind, seed, side), { raw: { width: side, height: side, channels: 3 } });
  writeFileSync(path, await image.png({ compressionLevel: 6 }).toBuffer());
}

const texture = (name: string, file: string, more: string) => `
      def Shader "${name}" {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @textures/${file}@
        float2 inputs:st.connect = <../st.outputs:result>
        ${more}
        float3 outputs:rgb
        float outputs:r
        float outputs:g
        float outputs:b
      }`;

/** A square with a material of its own for each base colour. */
function stage(forties: number): string {
  const [normals, packed] = [NORMALS * forties, PACKED * forties];
  const things = Array.from({ length: COLORS * forties }, (_, i) => {
    const n = Math.min(i, normals - 1);
    const p = Math.min(i, packed - 1);
    return `
  def Xform "Thing${i}" {
    def Mesh "square" (prepend apiSchemas = ["MaterialBindingAPI"]) {
      int[] faceVertexCounts = [4]
      int[] faceVertexIndices = [0, 1, 2, 3]
      point3f[] points = [(${i}, 0, 0), (${i}, 0, 1), (${i + 0.9}, 0, 1), (${i + 0.9}, 0, 0)]
      texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
      rel material:binding = </Set/Thing${i}/Look>
    }
    def Material "Look" {
      token outputs:surface.connect = <../Look/surface.outputs:surface>
      def Shader "surface" {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = <../color.outputs:rgb>
        normal3f inputs:normal.connect = <../normal.outputs:rgb>
        float inputs:occlusion.connect = <../packed.outputs:r>
        float inputs:roughness.connect = <../packed.outputs:g>
        float inputs:metallic.connect = <../packed.outputs:b>
        token outputs:surface
      }
      def Shader "st" {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
      }${texture('color', `color${i}.png`, 'token inputs:sourceColorSpace = "sRGB"')}${texture('normal', `normal${n}.png`, 'token inputs:sourceColorSpace = "raw"\n        float4 inputs:scale = (2, -2, 2, 1)\n        float4 inputs:bias = (-1, 1, -1, 0)')}${texture('packed', `packed${p}.png`, 'token inputs:sourceColorSpace = "raw"\n        float4 inputs:scale = (1, -1, 1, 1)\n        float4 inputs:bias = (0, 1, 0, 0)')}
    }
  }`;
  });
  return `#usda 1.0
(
  defaultPrim = "Set"
  metersPerUnit = 1
  upAxis = "Y"
)
def Xform "Set" {${things.join('')}
}
`;
}

/** Writes the stage with `forties` times forty textures of so many texels a side into a folder; gives its path. */
export async function writeForties(folder: string, side = 2048, forties = 1): Promise<string> {
  mkdirSync(join(folder, 'textures'));
  for (const [kind, count] of [
    ['color', COLORS],
    ['normal', NORMALS],
    ['packed', PACKED],
  ] as const) {
    for (let i = 0; i < count * forties; i++)
      await writeImage(join(folder, 'textures', `${kind}${i}.png`), kind, i, side);
  }
  const source = join(folder, 'set.usda');
  writeFileSync(source, stage(forties));
  return source;
}
