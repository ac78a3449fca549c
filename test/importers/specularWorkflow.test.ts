// One material of the specular workflow, from glTF and from USD: both cook to the same record and the same texels.

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Cooked, cookFiles } from '../cook/cooked.ts';
import { buildGlb } from './gltf/build.ts';
import { usda } from './usd/importText.ts';

const NONE = 0xffffffff;

interface Colors {
  readonly diffuse: readonly [number, number, number, number];
  readonly specular: readonly [number, number, number];
  readonly glossiness: number;
  readonly hasDiffuseImage?: boolean;
  readonly hasSpecularImage?: boolean;
}

const image = (texels: readonly (readonly number[])[]) =>
  sharp(Uint8Array.from(texels.flat()), { raw: { width: texels.length, height: 1, channels: 4 } })
    .png()
    .toBuffer();

const IMAGES = {
  'paint.png': await image([
    [200, 100, 50, 255],
    [0, 0, 0, 128],
    [255, 255, 255, 64],
  ]),
  'shine.png': await image([
    [56, 56, 56, 0],
    [255, 220, 100, 255],
    [128, 128, 128, 102],
  ]),
};

function gltf({ diffuse, specular, glossiness, hasDiffuseImage, hasSpecularImage }: Colors): Uint8Array {
  return buildGlb({
    meshes: [
      {
        primitives: [
          {
            positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
            uvs: [0, 1, 1, 1, 1, 0, 0, 0],
            indices: [0, 1, 2, 0, 2, 3],
            material: 0,
          },
        ],
      },
    ],
    materials: [
      {
        name: 'M',
        // As USD has it: what has opacity of its own is blended.
        alphaMode: hasDiffuseImage || diffuse[3] < 1 ? 'BLEND' : 'OPAQUE',
        extensions: {
          KHR_materials_pbrSpecularGlossiness: {
            diffuseFactor: diffuse,
            specularFactor: specular,
            glossinessFactor: glossiness,
            ...(hasDiffuseImage && { diffuseTexture: { index: 0 } }),
            ...(hasSpecularImage && { specularGlossinessTexture: { index: 1 } }),
          },
        },
      },
    ],
    textures: [{ source: 0 }, { source: 1 }],
    images: [{ uri: 'paint.png' }, { uri: 'shine.png' }],
  });
}

/** UsdUVTexture multiplies by its scale, and glossiness is the opposite of roughness. */
function usd({ diffuse, specular, glossiness, hasDiffuseImage, hasSpecularImage }: Colors): Uint8Array {
  const [red, green, blue, alpha] = diffuse;
  const texture = (name: string, file: string, space: string, scale: string, bias = '(0, 0, 0, 0)') => `
      def Shader "${name}" {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @${file}@
        token inputs:sourceColorSpace = "${space}"
        token inputs:wrapS = "repeat"
        token inputs:wrapT = "repeat"
        float4 inputs:scale = ${scale}
        float4 inputs:bias = ${bias}
        float2 inputs:st.connect = </M/St.outputs:result>
      }`;
  const g = -glossiness;
  return usda(`
    def Mesh "Square" (prepend apiSchemas = ["MaterialBindingAPI"]) {
      rel material:binding = </M>
      int[] faceVertexCounts = [4]
      int[] faceVertexIndices = [0, 1, 2, 3]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
      texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
      uniform token subdivisionScheme = "none"
    }
    def Material "M" {
      token outputs:surface.connect = </M/Surface.outputs:surface>
      def Shader "Surface" {
        uniform token info:id = "UsdPreviewSurface"
        int inputs:useSpecularWorkflow = 1
        ${hasDiffuseImage ? 'color3f inputs:diffuseColor.connect = </M/Paint.outputs:rgb>' : `color3f inputs:diffuseColor = (${red}, ${green}, ${blue})`}
        ${hasDiffuseImage ? 'float inputs:opacity.connect = </M/Paint.outputs:a>' : `float inputs:opacity = ${alpha}`}
        ${hasSpecularImage ? 'color3f inputs:specularColor.connect = </M/Shine.outputs:rgb>' : `color3f inputs:specularColor = (${specular.join(', ')})`}
        ${hasSpecularImage ? 'float inputs:roughness.connect = </M/Rough.outputs:a>' : `float inputs:roughness = ${1 - glossiness}`}
        token outputs:surface
      }
      def Shader "St" {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
      }
      ${texture('Paint', 'paint.png', 'sRGB', `(${diffuse.join(', ')})`)}
      ${texture('Shine', 'shine.png', 'sRGB', `(${specular.join(', ')}, 1)`)}
      ${texture('Rough', 'shine.png', 'sRGB', `(${g}, ${g}, ${g}, ${g})`, '(1, 1, 1, 1)')}
    }`);
}

/** What the engine reads of the only material: its numbers, and the texels of each slot. */
async function appearancesOf({ scene, texture }: Cooked) {
  const [{ name, ...material }] = scene.materials;
  const texels = async (index: number) =>
    index === NONE ? null : [...(await sharp(texture(scene.textures[index].uri)).raw().toBuffer())];
  const { baseColorTexture, metallicTexture, roughnessTexture } = material;
  return {
    material,
    base: await texels(baseColorTexture),
    metallic: await texels(metallicTexture),
    roughness: await texels(roughnessTexture),
  };
}

describe('the specular workflow', () => {
  test.each<[string, Colors, readonly string[]]>([
    ['plastic', { diffuse: [0.5, 0.25, 0.125, 0.75], specular: [0.03125, 0.03125, 0.03125], glossiness: 0.75 }, []],
    ['half a metal', { diffuse: [0.25, 0.25, 0.5, 1], specular: [0.5, 0.25, 0.125], glossiness: 0.5 }, ['UC1905']],
    ['a mirror', { diffuse: [0, 0, 0, 1], specular: [1, 1, 1], glossiness: 1 }, ['UC1905']],
    [
      'painted plastic',
      { diffuse: [0.5, 1, 0.25, 0.5], specular: [0, 0, 0], glossiness: 0.25, hasDiffuseImage: true },
      [],
    ],
    [
      'painted metal',
      { diffuse: [0.5, 1, 0.25, 1], specular: [0.5, 0.5, 0.25], glossiness: 0.25, hasDiffuseImage: true },
      ['UC1905'],
    ],
    [
      'specular colours and glossiness in one image',
      { diffuse: [0.5, 0.25, 0.125, 1], specular: [1, 0.5, 0.5], glossiness: 0.5, hasSpecularImage: true },
      ['UC1905'],
    ],
    [
      'both images',
      {
        diffuse: [1, 0.5, 0.75, 0.5],
        specular: [0.5, 1, 1],
        glossiness: 0.75,
        hasDiffuseImage: true,
        hasSpecularImage: true,
      },
      ['UC1905'],
    ],
  ])('%s looks the same from glTF and from USD', async (_, colors, codes) => {
    const fromGltf = await cookFiles({ 'scene.glb': gltf(colors), ...IMAGES });
    const fromUsd = await cookFiles({ 'scene.usda': usd(colors), ...IMAGES });
    expect(fromGltf.codes).toEqual(['UC1361']);
    expect(fromUsd.codes).toEqual(codes);
    expect(await appearancesOf(fromUsd)).toEqual(await appearancesOf(fromGltf));
  });
});
