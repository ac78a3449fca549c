// Crates of ours in an independent reader: tinyusdz gives the layer as text, which says what our own reader says.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { readCrate } from '../../../src/importers/usd/crate/readCrate.ts';
import type { Layer, Spec, TimeSamples, Value } from '../../../src/importers/usd/layer.ts';
import { readUsda } from '../../../src/importers/usd/text/readUsda.ts';
import { pack, unpack } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { textOfCrate } from '../../support/tinyusdz.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../samples');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers as text with six digits, as tinyusdz does not write all. */
const shown = (value: unknown): unknown => {
  if (typeof value === 'number') return Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(6));
  if (typeof value !== 'object' || value === null) return value;
  return Array.from(value as ArrayLike<unknown>, shown);
};

function shownValue(value: Value | undefined): unknown {
  if (value?.type !== 'TimeSamples') return value && [value.type, value.array, shown(value.value)];
  const samples = value.value as TimeSamples;
  return Array.from(samples.times, (time, i) => [time, shownValue(samples.at(i))]);
}

const explicit = (spec: Spec, field: string) =>
  (spec.get(field)?.value as { explicit?: unknown } | undefined)?.explicit;

/** What a layer says, but for properties that say nothing, which tinyusdz leaves out of its text. */
function said(layer: Layer): Record<string, unknown> {
  const rows: Record<string, unknown> = {};
  for (const spec of layer.specs.values()) {
    if (spec.path === '/') {
      rows['/'] = ['defaultPrim', 'upAxis', 'metersPerUnit'].map((name) => spec.get(name)?.value);
    } else if (!spec.path.includes('.')) {
      rows[spec.path] = [
        ...['specifier', 'typeName', 'primChildren', 'kind'].map((name) => spec.get(name)?.value ?? null),
        explicit(spec, 'apiSchemas'),
      ];
    } else {
      const row = {
        type: spec.get('typeName')?.value,
        value: shownValue(spec.get('default')),
        samples: shownValue(spec.get('timeSamples')),
        interpolation: spec.get('interpolation')?.value,
        connections: explicit(spec, 'connectionPaths'),
        targets: explicit(spec, 'targetPaths'),
      };
      if (row.value ?? row.samples ?? row.connections ?? row.targets) rows[spec.path] = row;
    }
  }
  return rows;
}

/** The crate of a packed source, by both readers. */
async function both(source: string): Promise<readonly Record<string, unknown>[]> {
  const out = join(folder, 'packed.usdz');
  const { document, diagnostics } = await pack(source, { out, arkit: true });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  await unpack(out, { out: join(folder, 'files') });
  const crate = new Uint8Array(readFileSync(join(folder, 'files', document!.files[0].path)));
  const text = await textOfCrate(crate);
  return [
    said(readCrate(memoryContent(crate), 'own.usdc', new Diagnostics())),
    said(readUsda(new TextEncoder().encode(text), 'their.usda', new Diagnostics())),
  ];
}

test('the courtyard of the samples', async () => {
  const [own, their] = await both(join(SAMPLES, 'courtyard.usdz'));
  expect(their).toEqual(own);
  expect(Object.keys(own).length).toBeGreaterThan(30);
});

test('a stage with Z up, values of many types, and animation', async () => {
  mkdirSync(join(folder, 'in'));
  const source = put(
    folder,
    'in/many.usda',
    `#usda 1.0
(
  defaultPrim = "A"
  upAxis = "Z"
  metersPerUnit = 0.01
  startTimeCode = 0
  endTimeCode = 10
)
def Xform "A" (
  kind = "component"
)
{
  double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (1.5, 2, 3) }
  uniform token[] xformOpOrder = ["xformOp:translate"]
  custom half h = 0.333
  custom int64 far = 9007199254740993
  custom quatf turn = (0.5, 0.5, 0.5, 0.5)
  custom matrix4d m = ( (1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0.25, 1) )
  custom float[] fs = [0.1, 0.2, 0.3]
  custom string[] words = ["a", "b \\"c\\""]
  def Mesh "M"
  {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (
      interpolation = "vertex"
    )
    color3f[] primvars:displayColor = []
  }
  def SkelRoot "Rig" (
    prepend apiSchemas = ["SkelBindingAPI"]
  )
  {
    rel skel:skeleton = </A/Rig/S>
    def Skeleton "S" (
      prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
      uniform token[] joints = ["a", "a/b"]
      uniform matrix4d[] bindTransforms = [( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1) )]
      rel skel:animationSource = </A/Rig/S/Walk>
      def SkelAnimation "Walk"
      {
        uniform token[] joints = ["a", "a/b"]
        quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0), (1, 0, 0, 0)], 5: [(0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0)] }
        half3[] scales = [(1, 1, 1), (1, 2.5, 1)]
        float3[] translations = [(0, 0, 0), (0, 1, 0)]
      }
    }
  }
}
`,
  );
  const [own, their] = await both(source);
  expect(their).toEqual(own);
  expect(Object.keys(own)).toEqual(expect.arrayContaining(['/Root/A/M.points', '/Root/A/Rig/S/Walk.rotations']));
});
