// `cook --split WHEN`: which objects are cut, into how many pieces, and that their tiles are sound.

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put, temporaryFolder, untold } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A level ground of `side` by `side` quads, 250 m long from x = 0 and down to z = -250, with a pole on it. */
function ground(side: number, name = 'Ground', more = ''): string {
  const at = (i: number) => (i / side) * 250;
  const points: string[] = [];
  const corners: number[] = [];
  for (let z = 0; z <= side; z++) for (let x = 0; x <= side; x++) points.push(`(${at(x)}, 0, ${-at(z)})`);
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) {
      const a = z * (side + 1) + x;
      corners.push(a, a + 1, a + side + 2, a + side + 1);
    }
  }
  const counts = Array(side * side).fill(4);
  return `#usda 1.0
(
    upAxis = "Y"
    metersPerUnit = 1
)
def Mesh "${name}" ${more}
{
    int[] faceVertexCounts = [${counts}]
    int[] faceVertexIndices = [${corners}]
    point3f[] points = [${points}]
    uniform token subdivisionScheme = "none"
}
def Cube "Pole"
{
    double size = 1
    double3 xformOp:translate = (12, 0.5, -12)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
`;
}

const dryRun = (...args: string[]) => untold(folder, ['cook', 'town.usda', '--dry-run', ...args]);

interface Plan {
  readonly cut: { readonly objects: number; readonly pieces: number };
  readonly tiles: readonly { readonly id: string; readonly objects: number; readonly triangles: number }[];
}
const planOf = (...args: string[]) => JSON.parse(dryRun('--json', ...args).stdout).results[0].plan as Plan;

test('a ground of many triangles is cut at the borders of cells, and the table says so', () => {
  // 2 * 40 * 40 triangles over ten by ten cells.
  put(folder, 'town.usda', ground(40));
  const { code, stdout, stderr } = dryRun();
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^town\.usda: .*, cells of 25 m, \d+ payloads, 1 object cut into 100 pieces\n/);
  expect(stdout).not.toContain('shared');
  const plan = planOf();
  expect(plan.cut).toEqual({ objects: 1, pieces: 100 });
  expect(plan.tiles.reduce((sum, tile) => sum + tile.objects, 0)).toBe(101);
  expect(plan.tiles.reduce((sum, tile) => sum + tile.triangles, 0)).toBe(3200 + 12);
});

test.each(['grid', 'quadtree', 'kdtree'])('a ground cut by a %s cooks into as many tiles as were planned', (how) => {
  put(folder, 'town.usda', ground(40));
  const args = ['--partition', how, '--untagged-semantic-tier', 'StructuralInterior', '--tile-size', '40'];
  const { cut, tiles } = planOf(...args);
  expect(cut.objects).toBe(1);
  const { code, stderr } = untold(folder, ['cook', 'town.usda', '--out', 'out', ...args]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`town.usda: ${tiles.length} tile`);
  expect(untold(folder, ['validate', '--strict', 'out']).code).toBe(0);
});

test('with --split never, and for too few triangles, it lies in the bucket; with always it is cut', () => {
  put(folder, 'town.usda', ground(40));
  const never = dryRun('--split', 'never').stdout;
  expect(never).toMatch(/, 2 payloads\n/);
  expect(never).toMatch(/\n {2}shared +1 +3,200 /);
  // 968 triangles.
  put(folder, 'town.usda', ground(22));
  expect(planOf().cut).toEqual({ objects: 0, pieces: 0 });
  expect(planOf('--split', 'always').cut).toEqual({ objects: 1, pieces: 100 });
  expect(dryRun('--split', 'always', '--out', 'town.untold').stdout).toMatch(/, 1 payload\n/);
});

test('what stays pickable or is kept local is never cut', () => {
  for (const text of [
    ground(40, 'NM_Ground'),
    ground(40, 'Ground', '(\n customData = {\n string untold_tile_policy = "force_local"\n }\n)'),
    // As Blender writes an object: its name stands above its mesh.
    ground(40)
      .replace('def Mesh "Ground"', 'def Xform "NM_Ground" { def Mesh "Mesh"')
      .replace('def Cube', '}\ndef Cube'),
  ]) {
    put(folder, 'town.usda', text);
    expect(planOf('--split', 'always').cut).toEqual({ objects: 0, pieces: 0 });
  }
});

test('pieces get larger where there are few triangles, and nothing has to be said of that', () => {
  // 1,568 triangles are fewer than sixteen for each of the cells.
  put(folder, 'town.usda', ground(28));
  const { stdout, stderr } = dryRun('--verbose');
  expect(stdout).toContain('1 object cut into 25 pieces');
  expect(stderr).not.toContain('UC2208');
});

test('more pieces than may be are made larger, and that is said', () => {
  put(folder, 'town.usda', ground(40));
  const { stdout, stderr } = dryRun('--split', 'always', '--tile-size', '1', '--verbose');
  // 250 by 250 cells of 1 m: 125 by 125 of 2 m.
  expect(stdout).toContain('1 object cut into 15,625 pieces');
  expect(stderr).toMatch(/UC2208.*"Ground.*" becomes 15625 pieces, 2 times as long as cells/);
});

test('words that are none of its are refused before anything is read', () => {
  const { code, stderr } = untold(folder, ['cook', 'none.usda', '--out', 'tiles', '--split', 'allways']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/UC1003.*--split.*one of auto, always, never; did you mean always\?/s);
});
