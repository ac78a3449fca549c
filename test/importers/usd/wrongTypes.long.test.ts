// Crates may store any type under any field. Whatever a field holds, an import ends in a scene or in coded errors.

import { expect, it } from 'vitest';
import { Diagnostics, fail, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import type { LayerSource } from '../../../src/importers/usd/compose/layers/layerSource.ts';
import { openStage } from '../../../src/importers/usd/compose/stage/openStage.ts';
import { buildScene } from '../../../src/importers/usd/geom/scene.ts';
import type { Layer, Spec, Value } from '../../../src/importers/usd/layer.ts';
import { Notes } from '../../../src/importers/usd/notes.ts';
import { MaterialTable } from '../../../src/importers/usd/shade/materials.ts';
import { readUsda } from '../../../src/importers/usd/text/readUsda.ts';
import { quad, SOURCE, usda } from './importText.ts';

const SCENE = `def Xform "a" {
    double3 xformOp:translate.timeSamples = { 1: (1, 2, 3), 2: (3, 2, 1) }
    quatf xformOp:orient = (1, 0, 0, 0)
    matrix4d xformOp:transform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    uniform token[] xformOpOrder = ["xformOp:translate", "!invert!xformOp:orient", "xformOp:transform"]
    token visibility = "inherited"
    uniform token purpose = "default"
    rel material:binding = </M>
    rel material:binding:collection:c = [</a.collection:c>, </M>]
    rel collection:c:includes = </a>
    uniform token collection:c:expansionRule = "expandPrims"
    ${quad(
      'm',
      `int[] holeIndices = [0]
      normal3f[] normals = [(0, 0, 1)] ( interpolation = "constant" )
      texCoord2f[] primvars:st = [(0, 0), (1, 0)] ( interpolation = "vertex" )
      int[] primvars:st:indices = [0, 1, 0, 1]
      color3f[] primvars:displayColor = [(1, 0, 0)]
      float[] primvars:displayOpacity = [0.5]
      int[] creaseIndices = [0, 1]
      int[] creaseLengths = [2]
      float[] creaseSharpnesses = [1]
      uniform bool doubleSided = true
      uniform token orientation = "leftHanded"
      def GeomSubset "s" {
        uniform token elementType = "face"
        uniform token familyName = "materialBind"
        int[] indices = [0]
        rel material:binding = </M>
      }`,
    ).replace('"none"', '"catmullClark"')}
    def Capsule "c" {
      double radius = 0.01
      double height = 0.01
      uniform token axis = "X"
    }
  }
  def Material "M" {
    token outputs:surface.connect = </M/s.outputs:surface>
    def Shader "s" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </M/t.outputs:rgb>
      normal3f inputs:normal.connect = </M/t.outputs:rgb>
      float inputs:roughness = 0.5
      float inputs:opacity = 0.5
    }
    def Shader "t" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @a.png@
      float4 inputs:scale = (2, 2, 2, 1)
      token inputs:wrapS = "repeat"
      float2 inputs:st.connect = </M/x.outputs:result>
    }
    def Shader "x" {
      uniform token info:id = "UsdTransform2d"
      float2 inputs:in.connect = </M/r.outputs:result>
      float inputs:rotation = 30
    }
    def Shader "r" {
      uniform token info:id = "UsdPrimvarReader_float2"
      string inputs:varname = "st"
    }
  }`;

const NOTHING = { isExplicit: false, explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };

const STRANGE: readonly Value[] = [
  { type: 'ValueBlock', array: false, value: null },
  { type: 'Int64', array: false, value: -1n },
  { type: 'Double', array: false, value: Number.NaN },
  { type: 'Token', array: false, value: '' },
  { type: 'String', array: true, value: ['x', 'x'] },
  { type: 'TokenVector', array: false, value: ['a', 'm', '..', ''] },
  { type: 'Int', array: true, value: Int32Array.of(-5, 2 ** 31 - 1) },
  { type: 'Vec3f', array: true, value: new Float32Array(0) },
  { type: 'Vec3f', array: false, value: [Infinity, 0, 0] },
  { type: 'Matrix4d', array: true, value: new Float64Array(32) },
  { type: 'Dictionary', array: false, value: new Map() },
  { type: 'TimeSamples', array: false, value: { times: new Float64Array(0), at: () => STRANGE[0] } },
  { type: 'TimeSamples', array: false, value: { times: Float64Array.of(1, 2), at: () => STRANGE[4] } },
  { type: 'ReferenceListOp', array: false, value: { ...NOTHING, appended: [{ assetPath: 'x', primPath: '' }] } },
  { type: 'PathListOp', array: false, value: { ...NOTHING, isExplicit: true, explicit: ['', '.', '/', '/a.b.c'] } },
  { type: 'IntListOp', array: false, value: { ...NOTHING, appended: [1] } },
];

/** The layer with one field of one spec replaced. */
function replaced(layer: Layer, path: string, field: string, value: Value): Layer {
  const spec = layer.specs.get(path)!;
  const strange: Spec = {
    path,
    type: spec.type,
    fieldNames: () => spec.fieldNames(),
    has: (name) => spec.has(name),
    get: (name) => (name === field ? value : spec.get(name)),
    peek: (name) => {
      if (name !== field) return spec.peek(name);
      return { type: value.type, count: value.array ? (value.value as ArrayLike<unknown>).length : -1 };
    },
  };
  return { ...layer, specs: new Map(layer.specs).set(path, strange) };
}

const NO_OTHER_LAYERS: LayerSource = {
  locate: (from, assetPath, element) => fail('UC1203', from.identifier, element, assetPath),
};

async function outcome(layer: Layer): Promise<'scene' | 'errors'> {
  const diagnostics = new Diagnostics();
  try {
    const stage = openStage(layer, NO_OTHER_LAYERS, {}, diagnostics);
    const notes = new Notes(SOURCE, diagnostics);
    const resolve = (_: Layer, assetPath: string) => ({ file: assetPath, read: () => new Uint8Array(0) });
    const scene = buildScene(stage, SOURCE, 'usda', new MaterialTable(stage, resolve, notes), notes);
    for (const mesh of scene.meshes) await mesh.primitives[0].read();
    diagnostics.throwIfErrors();
    return 'scene';
  } catch (error) {
    if (error instanceof SourceError) return 'errors';
    throw error;
  }
}

it('any type under any field', async () => {
  const diagnostics = new Diagnostics();
  const layer = readUsda(usda(SCENE), SOURCE, diagnostics);
  expect(diagnostics.list).toEqual([]);
  expect(await outcome(layer)).toBe('scene');
  let tried = 0;
  for (const [path, spec] of layer.specs) {
    for (const field of spec.fieldNames()) {
      for (const value of STRANGE) {
        try {
          await outcome(replaced(layer, path, field, value));
        } catch (error) {
          throw new Error(`${field} of ${path} as ${value.type}`, { cause: error });
        }
        tried++;
      }
    }
  }
  expect(tried).toBeGreaterThan(1000);
});
