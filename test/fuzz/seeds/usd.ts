// Sound USD layers to damage: a small scene that has something of everything, as text, crate and package, and the
// layers that OpenUSD wrote.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { Value } from '../../../src/importers/usd/layer.ts';
import { readUsda } from '../../../src/importers/usd/text/readUsda.ts';
import { LEG } from '../../animation/characters.ts';
import { usdCharacter } from '../../animation/usdCharacter.ts';
import { type LayerSpecs, writeCrate } from '../../importers/usd/crateWriter.ts';
import { usdz } from '../../importers/usd/usdzWriter.ts';
import { rgba } from '../../textures/fixture.ts';
import { packedFiles } from '../mutators/containers.ts';
import type { Seed } from '../reader.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** In memory of its own: a slice of a Buffer of Node may share its memory. */
export const sample = (path: string): Uint8Array => Uint8Array.from(readFileSync(resolve(ROOT, path)));
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A PNG of 4 x 4 texels with alpha. */
export const PICTURE = rgba([0, 1, 2, 3].map((y) => [0, 1, 2, 3].flatMap((x) => [x * 80, y * 80, 128, 255 - x * 40])));

/** What a layer begins with, and its root prim. */
const HEAD = `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 0.01
    upAxis = "Z"
    startTimeCode = 1
    endTimeCode = 10
    timeCodesPerSecond = 24
    subLayers = [@./sub.usda@ (offset = 2; scale = 0.5)]
    customLayerData = { string tool = "a"; int[] list = [1, 2] }
    relocates = { </World/Part/Old>: </World/Part/New> }
)

class Xform "_base" { custom double weight = 2 }

def Xform "World" (
    kind = "assembly"
    prepend apiSchemas = ["GeomModelAPI"]
    variants = { string look = "red" }
    prepend variantSets = ["look"]
    assetInfo = { string name = "world" }
)
{
`;

const SIMPLE_HEAD = `#usda 1.0
(
    defaultPrim = "World"
    upAxis = "Z"
)
def Xform "World"
{
`;

const TRANSFORM = `    double3 xformOp:translate = (1, 2, 3)
    float3 xformOp:rotateXYZ = (10, 20, 30)
    float3 xformOp:scale:a = (1, 2, -1)
    quatf xformOp:orient = (1, 0, 0, 0)
    matrix4d xformOp:transform:pivot = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1))
    uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate", "xformOp:rotateXYZ", "xformOp:orient", "xformOp:transform:pivot", "xformOp:scale:a", "!invert!xformOp:transform:pivot"]

`;

const VARIANTS = `    variantSet "look" = {
        "red" {
            over "Box" { color3f[] primvars:displayColor = [(1, 0, 0)] }
        }
        "blue" (prepend references = @./part.usda@</Part>) {
            def Sphere "Ball" { double radius = 3 }
        }
    }

`;

const MESH = `    def Mesh "Box" (
        prepend apiSchemas = ["MaterialBindingAPI"]
        inherits = </_base>
    )
    {
        uniform token subdivisionScheme = "catmullClark"
        uniform token interpolateBoundary = "edgeAndCorner"
        uniform token orientation = "leftHanded"
        uniform bool doubleSided = 1
        int[] faceVertexCounts = [4, 4, 4, 3, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 4, 7, 6, 5, 0, 4, 5, 1, 1, 5, 6, 1, 6, 2]
        point3f[] points = [(0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0), (0, 0, 10), (10, 0, 10), (10, 10, 10), (0, 10, 10)]
        point3f[] points.timeSamples = { 1: [(0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0), (0, 0, 10), (10, 0, 10), (10, 10, 10), (0, 10, 10)], 5: None }
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0)] (interpolation = "vertex")
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "faceVarying")
        int[] primvars:st:indices = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0, 2, 3]
        float[] primvars:displayOpacity = [1, 0.5, 1, 1, 0.25] (interpolation = "uniform")
        int[] creaseIndices = [0, 1, 2]
        int[] creaseLengths = [3]
        float[] creaseSharpnesses = [2.5]
        int[] cornerIndices = [4]
        float[] cornerSharpnesses = [10]
        int[] holeIndices = [1]
        float3[] extent = [(0, 0, 0), (10, 10, 10)]
        rel material:binding = </World/Looks/Paint>

        def GeomSubset "Top" (prepend apiSchemas = ["MaterialBindingAPI"])
        {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [0, 2]
            rel material:binding = </World/Looks/Stone>
        }
    }

`;

const SHAPES = `    def Cube "Cube" { double size = 2.5; double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (5, 0, 0) }; uniform token[] xformOpOrder = ["xformOp:translate"] }
    def Cylinder "Pole" { double height = 4; double radius = 0.5; uniform token axis = "X"; token purpose = "render" }
    def Cone "Hat" { double height = 1; double radius = 2; uniform token axis = "Y" }
    def Capsule "Pill" { double height = 1; double radius = 0.5 }
    def Plane "Floor" { double width = 20; double length = 10 }
    def Sphere "Hidden" { double radius = 1; token visibility = "invisible" }

`;

const ARCS = `    def Xform "Part" (
        prepend references = [@./part.usda@</Part> (offset = 1; scale = 2), </World/Shared>]
        payload = @./part.usda@
        instanceable = true
    )
    {
    }
    def Scope "Shared" { def Sphere "S" { double radius = 0.25; color3f[] primvars:displayColor = [(0.5, 0.25, 1)] } }
    over "Nothing" (active = false) { }

`;

const INSTANCES = `    def PointInstancer "Trees"
    {
        point3f[] positions = [(0, 0, 0), (5, 5, 0), (9, 9, 0)]
        quath[] orientations = [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0)]
        float3[] scales = [(1, 1, 1), (2, 2, 2), (1, 1, -1)]
        int[] protoIndices = [0, 1, 0]
        int64[] ids = [7, 8, 9]
        int64[] invisibleIds = [8]
        rel prototypes = [</World/Trees/Oak>, </World/Trees/Fir>]
        def Cone "Oak" { double height = 3 }
        def Xform "Fir" { def Cube "Stem" { } }
    }

`;

const LIGHTS = `    def SphereLight "Lamp" (prepend apiSchemas = ["ShapingAPI"]) { float inputs:intensity = 100; float inputs:exposure = 2; color3f inputs:color = (1, 0.9, 0.8); float inputs:shaping:cone:angle = 40; bool inputs:enableColorTemperature = 1; float inputs:colorTemperature = 4000 }
    def DistantLight "Sun" { float inputs:angle = 0.5; float inputs:intensity = 3 }
    def RectLight "Panel" { float inputs:width = 2; float inputs:height = 3 }
    def Camera "Eye" { float focalLength = 35; float horizontalAperture = 20.9; float verticalAperture = 15.2; float2 clippingRange = (0.1, 1000) }
    def BasisCurves "Wire" { int[] curveVertexCounts = [2]; point3f[] points = [(0, 0, 0), (1, 1, 1)] }

`;

const LOOKS_OF_WALLS = `    def Mesh "Wall" (prepend apiSchemas = ["MaterialBindingAPI"])
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] (interpolation = "vertex")
        rel material:binding = </World/Looks/Paint>
    }
    def Plane "Sign" (prepend apiSchemas = ["MaterialBindingAPI"]) { rel material:binding = </World/Looks/Grid> }
`;

const MATERIALS = `    def Scope "Looks"
    {
        def Material "Paint"
        {
            token outputs:surface.connect = </World/Looks/Paint/Surface.outputs:surface>
            token inputs:set = "st"
            float inputs:gloss = 0.4
            def Shader "Surface"
            {
                uniform token info:id = "UsdPreviewSurface"
                color3f inputs:diffuseColor.connect = </World/Looks/Paint/Color.outputs:rgb>
                float inputs:opacity.connect = </World/Looks/Paint/Color.outputs:a>
                float inputs:opacityThreshold = 0.5
                normal3f inputs:normal.connect = </World/Looks/Paint/Bumps.outputs:rgb>
                float inputs:roughness.connect = </World/Looks/Paint.inputs:gloss>
                float inputs:metallic = 1
                float inputs:occlusion.connect = </World/Looks/Paint/Color.outputs:g>
                color3f inputs:emissiveColor = (0, 0.1, 0)
                token outputs:surface
            }
            def Shader "Color"
            {
                uniform token info:id = "UsdUVTexture"
                asset inputs:file = @./tex/a.png@
                float2 inputs:st.connect = </World/Looks/Paint/Move.outputs:result>
                token inputs:wrapS = "repeat"
                token inputs:wrapT = "mirror"
                float4 inputs:scale = (1, 1, 1, 0.5)
                float4 inputs:bias = (0, 0, 0.1, 0)
                token inputs:sourceColorSpace = "sRGB"
                float3 outputs:rgb
                float outputs:a
                float outputs:g
            }
            def Shader "Bumps"
            {
                uniform token info:id = "UsdUVTexture"
                asset inputs:file = @tex/b.<UDIM>.png@
                float4 inputs:scale = (2, 2, 2, 1)
                float4 inputs:bias = (-1, -1, -1, 0)
                float3 outputs:rgb
            }
            def Shader "Move"
            {
                uniform token info:id = "UsdTransform2d"
                float2 inputs:in.connect = </World/Looks/Paint/Reader.outputs:result>
                float inputs:rotation = 30
                float2 inputs:scale = (2, 3)
                float2 inputs:translation = (0.5, 0)
                float2 outputs:result
            }
            def Shader "Reader"
            {
                uniform token info:id = "UsdPrimvarReader_float2"
                string inputs:varname.connect = </World/Looks/Paint.inputs:set>
                float2 outputs:result
            }
        }
        def Material "Stone" (prepend references = @./looks.mtlx@</MaterialX/Materials/Gold>)
        {
        }
        def Material "Grid"
        {
            token outputs:mtlx:surface.connect = </World/Looks/Grid/S.outputs:out>
            def Shader "S"
            {
                uniform token info:id = "ND_standard_surface_surfaceshader"
                color3f inputs:base_color.connect = </World/Looks/Grid/Mix.outputs:out>
                float inputs:specular_roughness = 0.3
                token outputs:out
            }
            def Shader "Mix"
            {
                uniform token info:id = "ND_multiply_color3"
                color3f inputs:in1.connect = </World/Looks/Grid/I.outputs:out>
                color3f inputs:in2 = (0.5, 1, 0.5)
                color3f outputs:out
            }
            def Shader "I"
            {
                uniform token info:id = "ND_image_color3"
                asset inputs:file = @tex/a.png@
                color3f outputs:out
            }
        }
    }
`;

const TAIL = `}

over "Bound" { rel material:binding:collection:all = [</World.collection:all>, </World/Looks/Grid>] }
`;

/** A layer of sections; `; ` stands for a new line. */
const layerOf = (...sections: readonly string[]): Uint8Array => encode(sections.join('').replaceAll('; ', '\n'));

const END = '}\n';
const scene = layerOf(HEAD, TRANSFORM, VARIANTS, MESH, SHAPES, ARCS, INSTANCES, LIGHTS, MATERIALS, TAIL);
/** Small layers are read often in the time that a large one takes. */
const SMALL: readonly (readonly [string, Uint8Array])[] = [
  ['mesh', layerOf(SIMPLE_HEAD, TRANSFORM, MESH, END)],
  ['shapes', layerOf(SIMPLE_HEAD, SHAPES, END)],
  ['arcs', layerOf(HEAD, VARIANTS, ARCS, END)],
  ['instances', layerOf(SIMPLE_HEAD, INSTANCES, LIGHTS, END)],
  ['materials', layerOf(SIMPLE_HEAD, LOOKS_OF_WALLS, MATERIALS, END)],
];

const PART = `#usda 1.0
(
    defaultPrim = "Part"
)
def Xform "Part"
{
    def Mesh "Old"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        texCoord2f[] primvars:uv = [(0, 0), (1, 0), (0, 1)] (
            interpolation = "vertex"
        )
    }
    def "Loop" (
        specializes = </Part/Old>
    )
    {
    }
}
`;

const SUB = `#usda 1.0
over "World"
{
    over "Cube"
    {
        double size.timeSamples = {
            1: 1,
            3: 3,
        }
    }
}
`;

const LOOKS = `<?xml version="1.0"?>
<materialx version="1.38" colorspace="lin_rec709">
  <nodegraph name="G">
    <input name="amount" type="float" value="0.5"/>
    <tiledimage name="pic" type="color3">
      <input name="file" type="filename" value="tex/a.png" colorspace="srgb_texture"/>
      <input name="uvtiling" type="vector2" value="2, 2"/>
    </tiledimage>
    <mix name="m" type="color3">
      <input name="fg" type="color3" nodename="pic"/>
      <input name="bg" type="color3" value="0.1, 0.2, 0.3"/>
      <input name="mix" type="float" interfacename="amount"/>
    </mix>
    <normalmap name="n" type="vector3"><input name="scale" type="float" value="1.5"/></normalmap>
    <output name="color" type="color3" nodename="m"/>
  </nodegraph>
  <standard_surface name="Shiny" type="surfaceshader">
    <input name="base_color" type="color3" nodegraph="G" output="color"/>
    <input name="metalness" type="float" value="1"/>
    <input name="opacity" type="color3" value="1, 1, 0.5"/>
  </standard_surface>
  <gltf_pbr name="Other" type="surfaceshader">
    <input name="base_color" type="color3" value="1, 0, 0"/>
    <input name="alpha_mode" type="integer" value="1"/>
  </gltf_pbr>
  <surfacematerial name="Gold" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="Shiny"/>
  </surfacematerial>
  <surfacematerial name="Red" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="Other"/>
  </surfacematerial>
  <nodedef name="ND_own" node="own"><input name="in" type="float" value="1"/><output name="out" type="float"/></nodedef>
</materialx>
`;

/** Files beside every USD source, by their paths below its folder. */
export const BESIDE: Readonly<Record<string, Uint8Array>> = {
  'part.usda': encode(PART),
  'sub.usda': encode(SUB),
  'looks.mtlx': encode(LOOKS),
  'tex/a.png': PICTURE,
  'tex/b.1001.png': PICTURE,
  'tex/b.1002.png': PICTURE,
};

/** A layer of text as what the crate writer takes. */
function specsOf(text: Uint8Array): { specs: LayerSpecs; types: Record<string, number> } {
  const specs: Record<string, Record<string, Value>> = {};
  const types: Record<string, number> = {};
  for (const [path, spec] of readUsda(text, 'scene.usda', new Diagnostics()).specs) {
    specs[path] = Object.fromEntries(spec.fieldNames().map((name) => [name, spec.get(name) as Value]));
    types[path] = spec.type;
  }
  return { specs, types };
}

function crate(text: Uint8Array, version: string, compressArrays: boolean): Uint8Array {
  const { specs, types } = specsOf(text);
  return writeCrate(specs, { version, compressArrays, types });
}

/** A mesh of many faces, so that arrays are packed and decoded by the kernel. */
function grid(side: number): Uint8Array {
  const points: string[] = [];
  const corners: number[] = [];
  for (let y = 0; y <= side; y++) for (let x = 0; x <= side; x++) points.push(`(${x}, ${(x * y) % 3}, ${y})`);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = y * (side + 1) + x;
      corners.push(at, at + side + 1, at + side + 2, at + 1);
    }
  }
  return encode(`#usda 1.0
def Mesh "Grid"
{
    int[] faceVertexCounts = [${Array(side * side).fill(4)}]
    int[] faceVertexIndices = [${corners}]
    point3f[] points = [${points}]
    uniform token subdivisionScheme = "none"
}
`);
}

/** Two poses of the character, a second apart. */
const HERO_WALK = [0, 1].map((time) => ({
  time,
  translations: LEG.map(({ t }) => t.map((x) => x + 0.1 * time)),
  rotations: LEG.map(({ q = [0, 0, 0, 1] }) => q),
}));

export const usdaSeeds = (): Seed[] => [
  ...SMALL.map(([name, bytes]) => ({ name: `${name}.usda`, bytes })),
  { name: 'scene.usda', bytes: scene },
  { name: 'part.usda', bytes: encode(PART) },
  { name: 'hero.usda', bytes: encode(usdCharacter({ samples: HERO_WALK })) },
  { name: 'grid.usda', bytes: grid(12) },
  { name: 'sink.usda', bytes: sample('test/fixtures/crate/sink.usda'), isRefused: true },
];

export const mtlxSeeds = (): Seed[] => [{ name: 'looks.mtlx', bytes: encode(LOOKS) }];

/** The layer that uses a damaged document of materials. */
export const MTLX_ROOT = encode(`#usda 1.0
def Mesh "Wall" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    rel material:binding = </Looks/MaterialX/Materials/Gold>
}
def Plane "Sign" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    rel material:binding = </Looks/MaterialX/Materials/Red>
}
def Scope "Looks" {
    def "MaterialX" (
        references = @./looks.mtlx@</MaterialX>
    )
    {
    }
}
`);

const CRATES = ['0.0.1', '0.2.0', '0.4.0', '0.7.0', '0.8.0', '0.11.0'];

export const crateSeeds = (): Seed[] => [
  ...SMALL.map(([name, bytes], i) => ({ name: `${name}.usdc`, bytes: crate(bytes, '0.9.0', i % 2 === 0) })),
  { name: 'scene.usdc', bytes: crate(scene, '0.9.0', false) },
  { name: 'grid.usdc', bytes: crate(grid(24), '0.9.0', true) },
  { name: 'courtyard.usdc', bytes: packedFiles(sample('samples/courtyard.usdz'))[0].content },
  ...CRATES.map((version) => ({
    name: `sink-${version}.usdc`,
    bytes: sample(`test/fixtures/crate/sink-${version}.usdc`),
    isRefused: true,
  })),
];

export const usdzSeeds = (): Seed[] => [
  { name: 'courtyard.usdz', bytes: sample('samples/courtyard.usdz') },
  {
    name: 'scene.usdz',
    bytes: usdz([['scene.usdc', crate(SMALL[2][1], '0.9.0', true)], ...Object.entries(BESIDE)]),
  },
  { name: 'text.usdz', bytes: usdz([['scene.usda', SMALL[4][1]], ...Object.entries(BESIDE)]) },
];
