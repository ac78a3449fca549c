// `cook --split WHEN`: which objects are cut, into how many pieces, and that their tiles are sound.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A level ground of `side` by `side` quads, 250 m long from x = 0 and down to z = -250, with a pole on it. */
const ground = (side: number, name = 'Ground', more = '') => quads(side, side, name, more);

/** The same of `wide` by `deep` quads. */
function quads(wide: number, deep: number, name = 'Ground', more = '', length = 250): string {
  const points: string[] = [];
  const corners: number[] = [];
  for (let z = 0; z <= deep; z++) {
    for (let x = 0; x <= wide; x++) points.push(`(${(x / wide) * length}, 0, ${(-z / deep) * length})`);
  }
  for (let z = 0; z < deep; z++) {
    for (let x = 0; x < wide; x++) {
      const a = z * (wide + 1) + x;
      corners.push(a, a + 1, a + wide + 2, a + wide + 1);
    }
  }
  const counts = Array(wide * deep).fill(4);
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

/** What is cut is looked for in full detail. */
const FULL_DETAIL = ['--lod', 'none', '--hlod', 'none'];
const dryRun = (...args: string[]) => untold(folder, ['cook', 'town.usda', '--dry-run', ...args]);

interface Plan {
  readonly cut: { readonly objects: number; readonly pieces: number };
  readonly tiles: readonly { readonly id: string; readonly objects: number; readonly triangles: number }[];
}
const planOf = async (...args: string[]) =>
  JSON.parse((await dryRun('--json', ...args)).stdout).results[0].plan as Plan;

test('a ground of many triangles is cut at the borders of cells, and the table says so', async () => {
  // 2 * 40 * 40 triangles over ten by ten cells.
  put(folder, 'town.usda', ground(40));
  const { code, stdout, stderr } = await dryRun();
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^town\.usda: .*, cells of 25 m, \d+ payloads, 1 object cut into 100 pieces\n/);
  expect(stdout).not.toContain('shared');
  const plan = await planOf();
  expect(plan.cut).toEqual({ objects: 1, pieces: 100 });
  expect(plan.tiles.reduce((sum, tile) => sum + tile.objects, 0)).toBe(101);
  expect(plan.tiles.reduce((sum, tile) => sum + tile.triangles, 0)).toBe(3200 + 12);
});

test.each(['grid', 'quadtree', 'kdtree'])(
  'a ground cut by a %s cooks into as many tiles as were planned',
  async (how) => {
    put(folder, 'town.usda', ground(40));
    const args = ['--partition', how, '--untagged-semantic-tier', 'StructuralInterior', '--tile-size', '40'];
    const { cut, tiles } = await planOf(...args);
    expect(cut.objects).toBe(1);
    const { code, stderr } = await untold(folder, ['cook', 'town.usda', '--out', 'out', ...FULL_DETAIL, ...args]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`town.usda: ${tiles.length} tile`);
    expect((await untold(folder, ['validate', '--strict', 'out'])).code).toBe(0);
  },
);

test('with --split never, and for too few triangles, it lies in the bucket; with always it is cut', async () => {
  put(folder, 'town.usda', ground(40));
  const never = (await dryRun('--split', 'never')).stdout;
  expect(never).toMatch(/, 2 payloads\n/);
  expect(never).toMatch(/\n {2}shared +1 +3,200 /);
  // 968 triangles.
  put(folder, 'town.usda', ground(22));
  expect((await planOf()).cut).toEqual({ objects: 0, pieces: 0 });
  expect((await planOf('--split', 'always')).cut).toEqual({ objects: 1, pieces: 100 });
  expect((await dryRun('--split', 'always', '--out', 'town.untold')).stdout).toMatch(/, 1 payload\n/);
});

test('what stays pickable or is kept local is never cut', async () => {
  for (const text of [
    ground(40, 'NM_Ground'),
    ground(40, 'Ground', '(\n customData = {\n string untold_tile_policy = "force_local"\n }\n)'),
    // As Blender writes an object: its name stands above its mesh.
    ground(40)
      .replace('def Mesh "Ground"', 'def Xform "NM_Ground" { def Mesh "Mesh"')
      .replace('def Cube', '}\ndef Cube'),
  ]) {
    put(folder, 'town.usda', text);
    expect((await planOf('--split', 'always')).cut).toEqual({ objects: 0, pieces: 0 });
  }
});

test('pieces get larger where there are few triangles, and nothing has to be said of that', async () => {
  // 1,568 triangles are fewer than sixteen for each of the cells.
  put(folder, 'town.usda', ground(28));
  const { stdout, stderr } = await dryRun('--verbose');
  expect(stdout).toContain('1 object cut into 25 pieces');
  expect(stderr).not.toContain('UC2208');
});

test('more pieces than may be are made larger, and that is said', async () => {
  put(folder, 'town.usda', ground(40));
  const { stdout, stderr } = await dryRun('--split', 'always', '--tile-size', '1', '--verbose');
  // 250 by 250 cells of 1 m: 125 by 125 of 2 m.
  expect(stdout).toContain('1 object cut into 15,625 pieces');
  expect(stderr).toMatch(/UC2208.*"Ground.*" becomes 15625 pieces, 2 times as long as cells/);
});

test('long triangles are cut into larger pieces, or not at all, with a word about it', async () => {
  // Each is 250 / 6 m long: three times as many at cells of 25 m and 50 m, 1.6 times at 100 m.
  put(folder, 'town.usda', quads(6, 170));
  const larger = await dryRun('--verbose');
  expect(larger.code, larger.stderr).toBe(0);
  expect((await planOf()).cut).toEqual({ objects: 1, pieces: 9 });
  expect(larger.stderr).toMatch(
    /UC2209 town\.usda \/Ground: cut into 100 pieces it would have more than 2 times its triangles: its pieces are 4 times as long\n/,
  );
  // 250 m long.
  put(folder, 'town.usda', quads(1, 1020));
  expect((await planOf()).cut).toEqual({ objects: 0, pieces: 0 });
  expect((await dryRun('--verbose')).stderr).toContain('it stays whole');
  const { code, stdout, stderr } = await untold(folder, [
    'cook',
    'town.usda',
    '--out',
    'out',
    ...FULL_DETAIL,
    '--json',
  ]);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).results[0].totals.trianglesOut).toBe(2040 + 12);
  expect((await planOf('--split', 'always')).cut).toEqual({ objects: 1, pieces: 100 });
});

test('one tile of a scene whose cut was made coarser is cooked alone to the same bytes', async () => {
  put(folder, 'town.usda', quads(6, 170));
  const cook = (...more: string[]) => untold(folder, ['cook', 'town.usda', '--out', 'out', ...FULL_DETAIL, ...more]);
  expect((await cook('--jobs', '1')).code).toBe(0);
  const before = contents(join(folder, 'out'));
  expect(Object.keys(before).length).toBeGreaterThan(4);
  expect((await cook('--jobs', '2', '--only', 'tile_0_0_0')).code).toBe(0);
  expect(contents(join(folder, 'out'))).toEqual(before);
});

test('with --split always triangles are not multiplied beyond a limit', async () => {
  // A hundred squares one above the other, of 15,625 cells each, every one two triangles or more.
  const square = [...Array(100).keys()].map((y) => `(0, ${y}, 0), (250, ${y}, 0), (250, ${y}, -250), (0, ${y}, -250)`);
  put(
    folder,
    'town.usda',
    `#usda 1.0
(
    upAxis = "Y"
    metersPerUnit = 1
)
def Mesh "Floors"
{
    int[] faceVertexCounts = [${Array(100).fill(4)}]
    int[] faceVertexIndices = [${[...Array(400).keys()]}]
    point3f[] points = [${square}]
    uniform token subdivisionScheme = "none"
}
`,
  );
  const { code, stderr } = await dryRun('--split', 'always', '--tile-size', '1');
  expect(code).toBe(5);
  expect(stderr).toContain(
    'error UC2211 town.usda /Floors: cutting the 200 triangles of this object makes more than are allowed; 2097152 in all is the limit',
  );
  expect((await dryRun('--split', 'always', '--tile-size', '5')).code).toBe(0);
});

test('a tile size that is far too small for the ground ends before anything is cut', async () => {
  put(folder, 'town.usda', quads(1, 1, 'Ground', '', 1_000_000));
  const { code, stderr } = await dryRun('--split', 'always', '--tile-size', '1');
  expect(code).toBe(5);
  expect(stderr).toMatch(
    /error UC2202 town\.usda: "Ground.*" would need pieces 8192 times as long as cells; 16384 pieces/,
  );
});

test('words that are none of its are refused before anything is read', async () => {
  const { code, stderr } = await untold(folder, ['cook', 'none.usda', '--out', 'tiles', '--split', 'allways']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/UC1003.*--split.*one of auto, always, never; did you mean always\?/s);
});
