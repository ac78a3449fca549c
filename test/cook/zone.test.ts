// What is left of scenes for the eyes of a zone.

import { describe, expect, test } from 'vitest';
import { character } from '../animation/characters.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { Rays } from '../support/rays.ts';
import { cookFiles, type Triangle } from './cooked.ts';
import { around, box, byMaterial, cookZone, grid, type Placed, rectangles, room, sceneOf, zone } from './zoneScenes.ts';

/** Eyes in the middle of a room. */
const SEATED = zone({ boxes: [around([0, 1.5, 0])] });

const TABLE: Placed = { shape: box([-0.5, 0.7, -2], [0.5, 0.8, -1.5]) };
const HOUSE: Placed = { shape: box([10, 0, -2], [14, 4, 2]) };
/** Hidden by the house. */
const SHED: Placed = { shape: box([20, 0, -1], [22, 2, 1]) };
const ROOM: Placed = { shape: room(false) };
const OPEN_ROOM: Placed = { shape: room(true) };
const town = { Table: TABLE, House: HOUSE, Shed: SHED };

const floats = (triangles: readonly Triangle[] = []): number[] =>
  triangles.flatMap(({ corners }) => corners.flatMap(({ position }) => position));
const raysOf = (triangles: readonly Triangle[] = []) =>
  new Rays(
    floats(triangles),
    Uint32Array.from({ length: triangles.length * 3 }, (_, i) => i),
  );

describe('a room with a table, and a town outside', () => {
  test('closed: nothing of the town is left', async () => {
    const { left, outcome, codes } = await cookZone(sceneOf({ Room: ROOM, ...town }), SEATED);
    expect(left).toEqual({ Room: 12, Table: 12 });
    expect(codes).toEqual([]);
    expect(outcome.totals?.zone).toMatchObject({
      trianglesBefore: 48,
      trianglesKept: 24,
      trianglesAfter: 24,
      casters: 0,
      whole: 0,
      sectors: 8,
      error: 0.5,
    });
    const objects = outcome.totals?.zone?.objects ?? [];
    expect(objects.map(({ triangles, kept }) => [triangles, kept])).toEqual([
      [12, 12],
      [12, 12],
      [12, 0],
      [12, 0],
    ]);
    expect(outcome.totals?.zone).toMatchObject({ trianglesBefore: 48 });
  });

  test('with a window: what is seen through it, and not what that hides', async () => {
    const { left } = await cookZone(sceneOf({ Room: OPEN_ROOM, ...town }), SEATED);
    expect(Object.keys(left).sort()).toEqual(['House', 'Room', 'Table']);
    expect(left.Room).toBe(18);
    expect(left.House).toBeGreaterThanOrEqual(2);
  });

  test('through a window that is named: what lies in its pyramids alone', async () => {
    const window: Placed = {
      shape: rectangles([
        [3, 1, -1],
        [3, 1, 1],
        [3, 2, 1],
        [3, 2, -1],
      ]),
    };
    const scene = { Table: TABLE, House: HOUSE, Shed: SHED, Tree: { shape: box([-9, 0, -9], [-8, 3, -8]) } };
    const named = await cookZone(sceneOf({ ...scene, untold_viewer_window: window }), {
      ...SEATED,
      portals: ['/untold_viewer_window'],
    });
    expect(Object.keys(named.left)).toEqual(['House']);
    // A pane that is drawn stays, and is seen itself.
    const pane = {
      ...window,
      material: { alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 0.2] } },
    };
    const drawn = await cookZone(sceneOf({ ...scene, Pane: pane }), { ...SEATED, portals: ['Pane'] });
    expect(drawn.left).toMatchObject({ Pane: 2 });
    expect(Object.keys(drawn.left).sort()).toEqual(['House', 'Pane']);
    // Without windows, the tree behind the eyes is seen.
    const all = await cookZone(sceneOf({ ...scene, untold_viewer_window: window }), SEATED);
    expect(Object.keys(all.left).sort()).toEqual(['House', 'Table', 'Tree', 'untold_viewer_window']);
  });

  test('several zones see what each of them sees', async () => {
    const both = { ...SEATED, points: [{ middle: [40, 1, 0], radius: 0.2 } as const] };
    const { left } = await cookZone(sceneOf({ Room: ROOM, ...town }), both);
    expect(Object.keys(left).sort()).toEqual(['House', 'Room', 'Shed', 'Table']);
  });
});

describe('where the zone is', () => {
  test('a node: its bounds, in which its transform counts; named untold_viewer_zone, it is not drawn', async () => {
    const marker: Placed = {
      shape: box([-1, -1, -1], [1, 1, 1]),
      node: { translation: [0, 1.5, 0], scale: [0.3, 0.3, 0.3] },
    };
    const scene = sceneOf({ Room: ROOM, ...town, untold_viewer_zone: marker });
    const named = await cookZone(scene, zone({ prims: ['/untold_viewer_zone'] }));
    expect(named.left).toEqual({ Room: 12, Table: 12 });
    const boxed = await cookZone(sceneOf({ Room: ROOM, ...town }), SEATED);
    expect(named.outcome.totals?.zone?.eyes).toBe(boxed.outcome.totals?.zone?.eyes);
  });

  test('a node of another name is drawn like all others', async () => {
    const seat: Placed = { shape: box([-0.2, 1.3, -0.2], [0.2, 1.7, 0.2]) };
    const { left } = await cookZone(sceneOf({ Room: ROOM, Seat: seat }), zone({ prims: ['Seat'] }));
    expect(left).toEqual({ Room: 12, Seat: 12 });
  });

  test('a node with children: the bounds of all of them', async () => {
    const scene = sceneOf(
      {
        Room: ROOM,
        ...town,
        Left: { shape: box([-2, 1, -0.2], [-1.8, 1.2, 0.2]) },
        Right: { shape: box([29, 1, -0.2], [30, 1.2, 0.2]) },
      },
      { nodes: [{ name: 'untold_viewer_seats', children: [4, 5] }] },
    );
    const { left } = await cookZone(scene, zone({ prims: ['untold_viewer_seats'] }));
    // From the room to beyond the shed.
    expect(Object.keys(left).sort()).toEqual(['House', 'Room', 'Shed', 'Table']);
  });

  test('a node whose tags keep things whole is not drawn all the same', async () => {
    const marker: Placed = {
      shape: box([-0.2, 1.3, -0.2], [0.2, 1.7, 0.2]),
      node: { extras: { untold_tile_policy: 'always_loaded' } },
    };
    const { left } = await cookZone(
      sceneOf({ Room: ROOM, untold_viewer_zone: marker }),
      zone({ prims: ['untold_viewer_zone'] }),
    );
    expect(left).toEqual({ Room: 12 });
  });
});

describe('a scene of USD', () => {
  const cube = (name: string, size: string, at: string, more = '') => `
    def Cube "${name}" ( prepend apiSchemas = ["MaterialBindingAPI"] )
    {
        double size = 1
        ${more}
        rel material:binding = </World/Looks/${name}>
        double3 xformOp:translate = ${at}
        float3 xformOp:scale = ${size}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }`;
  const look = (name: string) => `
        def Material "${name}" { token outputs:surface.connect = </World/Looks/${name}/S.outputs:surface>
            def Shader "S" { uniform token info:id = "UsdPreviewSurface"
                token outputs:surface
            }
        }`;
  const usda = (body: string, names: readonly string[]) =>
    new TextEncoder().encode(`#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "World"
{
    def Scope "Looks"
    {${names.map(look).join('')}
    }
${body}
}
`);
  const TOWN = `${cube('Room', '(6, 2.5, 6)', '(0, 1.25, 0)')}${cube('House', '(4, 4, 4)', '(12, 2, 0)')}`;
  const cook = async (body: string, names: readonly string[], viewerZone = SEATED) =>
    byMaterial(await cookFiles({ 'scene.usda': usda(body, names) }, { viewerZone }));

  test('takes a prim of purpose guide for the zone, and does not draw it', async () => {
    const seats = cube('Seats', '(0.6, 0.6, 0.6)', '(0, 1.5, 0)', 'uniform token purpose = "guide"');
    const { left, codes } = await cook(TOWN + seats, ['Room', 'House', 'Seats'], zone({ prims: ['/World/Seats'] }));
    expect(left).toEqual({ Room: 12 });
    expect(codes).toEqual([]);
  });

  test('takes a prim of purpose guide for a window, and does not draw it', async () => {
    const pane = cube('Pane', '(0.01, 1, 2)', '(3, 1.5, 0)', 'uniform token purpose = "guide"');
    const parts = `${cube('House', '(4, 4, 4)', '(12, 2, 0)')}${cube('Tree', '(1, 3, 1)', '(-9, 1.5, 0)')}${pane}`;
    const { left } = await cook(parts, ['House', 'Tree', 'Pane'], { ...SEATED, portals: ['/World/Pane'] });
    expect(Object.keys(left)).toEqual(['House']);
  });

  test('a cube is a window by its scale: the rectangle in the middle of its thinnest side, wherever that points', async () => {
    const pane = cube('Pane', '(2, 1, 0.01)', '(0, 1.5, -3)', 'uniform token purpose = "guide"');
    const parts = `${cube('House', '(4, 4, 4)', '(0, 2, -12)')}${cube('Tree', '(1, 3, 1)', '(9, 1.5, 0)')}${pane}`;
    const { left } = await cook(parts, ['House', 'Tree', 'Pane'], { ...SEATED, portals: ['/World/Pane'] });
    expect(Object.keys(left)).toEqual(['House']);
  });

  test('draws no light of purpose guide that lies below the prim of a zone', async () => {
    const lamp = `
    def Xform "Seats"
    {
        uniform token purpose = "guide"
        def Cube "Place" { double size = 0.6
            double3 xformOp:translate = (0, 1.5, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
        def SphereLight "Lamp" { float inputs:intensity = 10
        }
    }`;
    const { scene } = await cook(TOWN + lamp, ['Room', 'House'], zone({ prims: ['/World/Seats'] }));
    expect(scene.lights ?? []).toEqual([]);
  });

  test.each([
    ['keeps what casts shadows on what is seen', true, ['Balloon', 'Ground', 'Roof']],
    ['drops it where shadows are not kept', false, ['Ground', 'Roof']],
  ])('with a sun %s', async (_, keepShadows, expected) => {
    // The roof hides both balloons. The sun shines along +X and down: the shadow of one falls beside the roof, that of the other
    // beyond the ground.
    const parts =
      cube('Ground', '(30, 0.1, 10)', '(0, -0.05, 0)') +
      cube('Roof', '(6, 0.1, 6)', '(0, 3, 0)') +
      cube('Balloon', '(1, 1, 1)', '(0, 10, 0)') +
      cube('Other', '(1, 1, 1)', '(9, 10, 0)') +
      `
    def DistantLight "Sun"
    {
        float inputs:intensity = 3
        float3 xformOp:rotateXYZ = (0, -90, -45)
        uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
    }`;
    const names = ['Ground', 'Roof', 'Balloon', 'Other'];
    const { left, outcome } = await cook(parts, names, { ...SEATED, keepShadows });
    expect(Object.keys(left).sort()).toEqual(expected);
    expect((outcome.totals?.zone?.casters ?? 0) > 0).toBe(keepShadows);
  });
});

describe('lights of glTF', () => {
  const parts = {
    Ground: {
      shape: rectangles([
        [-15, 0, -5],
        [-15, 0, 5],
        [15, 0, 5],
        [15, 0, -5],
      ]),
    },
    Roof: { shape: box([-3, 2.95, -3], [3, 3.05, 3]) },
    Balloon: { shape: box([-0.5, 9.5, -0.5], [0.5, 10.5, 0.5]) },
    Other: { shape: box([8.5, 9.5, -0.5], [9.5, 10.5, 0.5]) },
  };
  const root = (light: object) => ({
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: { KHR_lights_punctual: { lights: [light] } },
  });
  const extensions = { KHR_lights_punctual: { light: 0 } };
  /** Turns -Z to +X and down. */
  const SLANTED = [-0.270598, -0.653281, -0.270598, 0.653281];

  test('a sun keeps what casts shadows on what is seen', async () => {
    const sun = { nodes: [{ name: 'Sun', rotation: SLANTED, extensions }], root: root({ type: 'directional' }) };
    const { left, outcome } = await cookZone(sceneOf(parts, sun), SEATED);
    expect(Object.keys(left).sort()).toEqual(['Balloon', 'Ground', 'Roof']);
    expect(outcome.totals?.zone?.casters).toBeGreaterThan(0);
    const without = await cookZone(sceneOf(parts, sun), { ...SEATED, keepShadows: false });
    expect(Object.keys(without.left).sort()).toEqual(['Ground', 'Roof']);
  });

  test('a lamp keeps what stands between it and what is seen', async () => {
    // Above the balloon and to the left: its shadow falls to the right of the roof.
    const lamp = { nodes: [{ name: 'Lamp', translation: [-5, 15, 0], extensions }], root: root({ type: 'point' }) };
    const { left } = await cookZone(sceneOf(parts, lamp), SEATED);
    expect(Object.keys(left).sort()).toEqual(['Balloon', 'Ground', 'Roof']);
  });

  test('without lights nothing casts shadows', async () => {
    const { left } = await cookZone(sceneOf(parts), SEATED);
    expect(Object.keys(left).sort()).toEqual(['Ground', 'Roof']);
  });
});

describe('a hall of problems', () => {
  const GLASS = {
    pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0 },
    extensions: { KHR_materials_transmission: { transmissionFactor: 0.9 } },
  };
  const BEHIND: Placed = { shape: box([-2, 0, -9], [2, 3, -8]) };

  test('a fence with an alpha mask and a pane of glass hide nothing, and stay', async () => {
    const across = (z: number) =>
      rectangles([
        [-3, 0, z],
        [3, 0, z],
        [3, 4, z],
        [-3, 4, z],
      ]);
    const { left } = await cookZone(
      sceneOf({
        Fence: { shape: across(-5), material: { alphaMode: 'MASK' } },
        Pane: { shape: across(-4), material: { alphaMode: 'BLEND' } },
        Glass: {
          shape: across(-3),
          material: GLASS,
        },
        Behind: BEHIND,
      }),
      SEATED,
    );
    expect(left).toMatchObject({ Fence: 2, Pane: 2, Glass: 2 });
    expect(left.Behind).toBeGreaterThanOrEqual(2);
  });

  test('of a glass body all of it stays: its backs are seen through its fronts', async () => {
    const wall = rectangles([
      [-9, 0, -5.9],
      [9, 0, -5.9],
      [9, 9, -5.9],
      [-9, 9, -5.9],
    ]);
    const parts = { Bottle: { shape: box([-0.5, 1, -6], [0.5, 2, -5]), material: GLASS }, Wall: { shape: wall } };
    expect((await cookZone(sceneOf(parts), SEATED)).left).toMatchObject({ Bottle: 12 });
  });

  test('a box that is flat along an axis is a rectangle, and ends no cook', async () => {
    // Its corners are apart in float32, and its sides have no area: some had the only use of a vertex that two rings share.
    const flat: Placed = { shape: box([-5, -5, -5], [5, 5, 5]), node: { scale: [1e-15, 1, 1] } };
    const eyes = { ...SEATED, pixelsPerDegree: 1, proofEyes: 1 };
    const { left, outcome } = await cookZone(sceneOf({ Flat: flat }), eyes);
    expect(outcome.status).toBe('ok');
    expect(left.Flat).toBeGreaterThanOrEqual(2);
  });

  test('a mirrored object has its outside outside', async () => {
    const hook: Placed = {
      shape: rectangles(
        [
          [0, 0, 0],
          [1, 0, 0],
          [1, 1, 0],
          [0, 1, 0],
        ],
        [
          [0, 1, 0],
          [0.2, 1, 0],
          [0.2, 2, 0],
          [0, 2, 0],
        ],
      ),
      node: { translation: [0, 0, -5], scale: [-1, 1, 1] },
    };
    const { triangles } = await cookZone(sceneOf({ Hook: hook }), SEATED);
    const list = triangles.get('Hook') ?? [];
    expect(list.length).toBe(4);
    for (const { corners } of list) {
      const [a, b, c] = corners.map(({ position }) => position);
      // Mirrored by X: it lies at x from -1 to 0, and is still seen from +Z.
      expect(Math.max(a[0], b[0], c[0])).toBeLessThanOrEqual(0);
      expect((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).toBeGreaterThan(0);
      for (const { normal } of corners) expect(normal[2]).toBeGreaterThan(0.99);
    }
  });

  test('a wire that is thinner than a pixel stays, all of it', async () => {
    // 8 mm at 5 m: half a pixel of eyes that see 5 pixels a degree.
    const wire: Placed = { shape: box([-2, 2, -5.008], [2, 2.008, -5]), node: { rotation: [0, 0, 0.05, 0.99875] } };
    const { triangles } = await cookZone(sceneOf({ Wire: wire }), { ...SEATED, pixelsPerDegree: 5 });
    const xs = floats(triangles.get('Wire')).filter((_, i) => i % 3 === 0);
    expect(Math.min(...xs)).toBeLessThan(-1.9);
    expect(Math.max(...xs)).toBeGreaterThan(1.7);
  });

  test('terrain under the feet has no hole, and lies where it lay', async () => {
    const height = (x: number, z: number) => 0.2 * Math.sin(x) * Math.cos(z * 0.7);
    const shape = grid(60, 60, height);
    const { triangles, outcome } = await cookZone(sceneOf({ Ground: { shape } }), { ...SEATED, pixelsPerDegree: 5 });
    const [source, result] = [
      new Rays(shape.positions as number[], shape.indices as Uint32Array),
      raysOf(triangles.get('Ground')),
    ];
    expect(outcome.totals?.zone?.trianglesAfter).toBeLessThan(7200);
    for (let i = 0; i < 400; i++) {
      const turn = i * 2.4;
      const [x, z] = [Math.cos(turn) * (i / 100), Math.sin(turn) * (i / 100)];
      const below = source.nearest([x, 9, z], [0, -1, 0]).t;
      // At 4 m a pixel of eyes that see 5 of them a degree covers 1.4 cm.
      expect(Math.abs(result.nearest([x, 9, z], [0, -1, 0]).t - below)).toBeLessThan(0.014);
    }
  });

  test('what the zone stands inside stays, and what it hides goes', async () => {
    // A dome that is seen from outside in its source, and is drawn from both sides.
    const dome: Placed = { shape: box([-20, -1, -20], [20, 30, 20]) };
    const { left } = await cookZone(sceneOf({ Dome: dome, Beyond: { shape: box([50, 0, 0], [60, 9, 9]) } }), SEATED);
    expect(left).toEqual({ Dome: 12 });
  });

  test('an object that cuts through the zone stays whole around the eyes', async () => {
    const beam: Placed = { shape: box([-5, 1.4, -0.1], [5, 1.6, 0.1]) };
    const { left } = await cookZone(sceneOf({ Room: ROOM, Beam: beam }), SEATED);
    expect(left).toEqual({ Room: 12, Beam: 12 });
  });

  const hidden = [100, 0, 0];
  const closed = (more: SceneInput): SceneInput => {
    const material = more.materials?.length ?? 0;
    const mesh = more.meshes?.length ?? 0;
    return {
      ...more,
      meshes: [...(more.meshes ?? []), { name: 'Room', primitives: [{ ...room(false), material }] }],
      materials: [...(more.materials ?? []), { name: 'Room' }],
      nodes: [...(more.nodes ?? []), { name: 'Room', mesh }],
    };
  };

  test('a skinned figure stays whole, even where nobody sees it', async () => {
    const figure = character({ armature: { translation: hidden } });
    const plain = byMaterial(await cookFiles({ 'scene.glb': buildGlb(figure) }));
    // The two accessors of the room stand before those of the skin and its clip.
    const glb = buildGlb(closed(figure), ({ skins, animations }) => {
      skins[0].inverseBindMatrices += 2;
      for (const sampler of animations[0].samplers) {
        sampler.input += 2;
        sampler.output += 2;
      }
    });
    const cooked = byMaterial(await cookFiles({ 'scene.glb': glb }, { viewerZone: SEATED }));
    const { left, scene, outcome, clips } = cooked;
    expect(left).toEqual({ Room: 12, ...plain.left });
    expect(scene.skins?.length).toBe(1);
    expect(clips.size).toBe(1);
    expect(outcome.totals?.zone?.whole).toBe(1);
  });

  test('a morphing head stays whole with its targets', async () => {
    const face = {
      ...rectangles([
        [0, 0, -2],
        [1, 0, -2],
        [1, 1, -2],
        [0, 1, -2],
      ]),
      material: 0,
    };
    const head: SceneInput = {
      meshes: [
        {
          primitives: [{ ...face, targets: [{ POSITION: new Array(12).fill(0.1) }] }],
          weights: [0],
          extras: { targetNames: ['smile'] },
        },
      ],
      materials: [{ name: 'Head' }],
      nodes: [{ name: 'Head', mesh: 0 }],
    };
    const settings = {
      viewerZone: SEATED,
      rig: { animations: 'all', keepKeys: false, animateNodes: false, morphs: 'all' },
    } as const;
    const { left, scene } = byMaterial(await cookFiles({ 'scene.glb': buildGlb(closed(head)) }, settings));
    expect(left).toEqual({ Head: 2, Room: 12 });
    expect(scene.morphs?.map(({ name }) => name)).toEqual(['smile']);
  });

  test('what a clip moves stays as it is', async () => {
    const scene = closed({
      meshes: [{ name: 'Door', primitives: [{ ...box([0, 0, 0], [1, 2, 0.1]), material: 0 }] }],
      materials: [{ name: 'Door' }],
      nodes: [
        { name: 'Hinge', translation: hidden, children: [1] },
        { name: 'Door', mesh: 0 },
      ],
    });
    // Accessors of meshes come first: two of the door, and two of the room.
    const clip = {
      accessors: [
        { data: [0, 1], type: 'SCALAR' },
        { data: [0, 0, 0, 1, 0, 1, 0, 0], type: 'VEC4' },
      ],
      root: {
        animations: [
          {
            name: 'Open',
            samplers: [{ input: 4, output: 5 }],
            channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
          },
        ],
      },
    };
    const { left, outcome } = await cookZone({ ...scene, ...clip }, SEATED);
    expect(left).toEqual({ Door: 12, Room: 12 });
    expect(outcome.totals?.zone?.whole).toBe(1);
  });

  test('a tagged object stays as it is', async () => {
    const shape = grid(8, 2, () => 0);
    const tagged = { shape, node: { translation: hidden, extras: { untold_tile_policy: 'always_loaded' } } };
    const { left, outcome } = await cookZone(
      sceneOf({ Room: ROOM, Tagged: tagged, Plain: { shape, node: { translation: hidden } } }),
      SEATED,
    );
    expect(left).toEqual({ Room: 12, Tagged: 128 });
    const { zone: figures, trianglesOut } = outcome.totals ?? {};
    // The room's twelve, and 128 of each grid.
    expect(figures).toMatchObject({
      whole: 1,
      trianglesWhole: 128,
      trianglesBefore: 140,
      trianglesKept: 12,
      trianglesAfter: 12,
    });
    expect(trianglesOut).toBe(140);
  });
});

describe('colours of vertices', () => {
  /** Squares beside each other at 6 m, each of one colour, which share a material. */
  const squares = (count: number, color: (i: number, corner: number) => readonly number[]): SceneInput => ({
    meshes: Array.from({ length: count }, (_, i) => {
      const [x, y] = [(i % 20) * 0.4 - 4, Math.floor(i / 20) * 0.2];
      const shape = rectangles([
        [x, y, -6],
        [x + 0.3, y, -6],
        [x + 0.3, y + 0.15, -6],
        [x, y + 0.15, -6],
      ]);
      const colors = [0, 1, 2, 3].flatMap((corner) => [...color(i, corner), 1]);
      return { primitives: [{ ...shape, attributes: { COLOR_0: colors }, material: 0 }] };
    }),
    materials: [{ name: 'Paint' }],
  });
  const own = (i: number) => [(i % 20) / 20, Math.floor(i / 20) / 20, 0.5];

  test('stay those of each object in a palette', async () => {
    const { scene, codes, left } = await cookZone(squares(4, own), SEATED);
    expect(codes).not.toContain('UC2013');
    expect(left).toEqual({ Paint: 8 });
    expect(scene.textures.map(({ name }) => /palette/.test(name))).toEqual([true]);
  });

  test('are in several meshes where one palette is too small', async () => {
    const { scene, codes, left } = await cookZone(squares(400, own), { ...SEATED, draws: 1 });
    // Nothing says that colours are not drawn.
    expect(codes).not.toContain('UC2013');
    expect(Object.values(left)).toEqual([512, 288]);
    expect(scene.meshes.length).toBe(2);
  });

  test('that change within triangles spoil no others', async () => {
    const mixed = squares(5, (i, corner) => (i === 4 ? [corner / 4, 0, 0] : own(i)));
    const { codes, scene } = await cookZone(mixed, { ...SEATED, draws: 1 });
    // A palette, and a texture of the colours that change.
    expect(codes).not.toContain('UC2013');
    expect(scene.textures.length).toBe(2);
    expect(scene.meshes.length).toBe(2);
  });
});

describe('figures and their limits', () => {
  test('materials are merged: an object of each material in each sector', async () => {
    const posts = Object.fromEntries(
      Array.from({ length: 24 }, (_, i) => {
        const turn = ((i + 0.5) / 24) * 2 * Math.PI;
        const [x, z] = [Math.cos(turn) * 8, Math.sin(turn) * 8];
        return [`Post${i}`, { shape: box([x - 0.1, 0, z - 0.1], [x + 0.1, 2, z + 0.1]) }];
      }),
    );
    const meshes = Object.values(posts).map(({ shape }) => ({ primitives: [{ ...shape, material: 0 }] }));
    const shared: SceneInput = { meshes, materials: [{ name: 'Wood' }] };
    const usual = await cookZone(shared, SEATED);
    expect(usual.scene.meshes.length).toBe(8);
    expect(usual.left.Wood).toBe(24 * 12);
    const few = await cookZone(shared, { ...SEATED, draws: 3 });
    expect(few.scene.meshes.length).toBe(3);
    expect(few.outcome.totals?.zone?.sectors).toBe(3);
  });

  /** A lumpy wall of 3,200 triangles in front of the eyes. */
  const lumps: Placed = {
    shape: grid(40, 8, (x, z) => 0.05 * Math.sin(x * 9) * Math.cos(z * 11)),
    node: { translation: [0, 1.5, -6], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
  };

  test.each([
    ['UC2283: what does not fit is simplified further, and the error is told', { triangles: 1000 }],
    ['UC2283: so it is where too much lies in one view', { visibleTriangles: 1000 }],
  ])('%s', async (_, budget) => {
    const free = await cookZone(sceneOf({ Lumps: lumps }), { ...SEATED, pixelsPerDegree: 4 });
    expect(free.codes).toEqual([]);
    expect(free.left.Lumps).toBeGreaterThan(1000);
    const bound = await cookZone(sceneOf({ Lumps: lumps }), { ...SEATED, pixelsPerDegree: 4, ...budget });
    expect(bound.codes).toEqual(['UC2283']);
    expect(bound.left.Lumps).toBeLessThanOrEqual(1000);
    const figures = bound.outcome.totals?.zone;
    expect(figures?.error).toBeGreaterThan(0.5);
    expect(figures?.trianglesAfter).toBe(bound.left.Lumps);
    expect(bound.outcome.diagnostics[0].message).toContain(`simplified up to ${figures?.error.toFixed(1)} pixels`);
  });

  test('what stays as it is takes its part of the budget', async () => {
    const tagged = { shape: grid(16, 1, () => 0), node: { extras: { untold_tile_policy: 'always_loaded' } } };
    const { left, outcome } = await cookZone(sceneOf({ Lumps: lumps, Tagged: tagged }), { ...SEATED, triangles: 1600 });
    expect(left.Tagged).toBe(512);
    expect(left.Lumps).toBeLessThanOrEqual(1600 - 512);
    expect(outcome.totals?.zone).toMatchObject({ trianglesAfter: left.Lumps, trianglesWhole: 512 });
  });

  test('it takes its part of the triangles in view, too, and none of a view that it is not in', async () => {
    const tagged = (z: number) => ({
      shape: grid(16, 1, () => 0),
      node: { translation: [0, 0, z], extras: { untold_tile_policy: 'always_loaded' } },
    });
    const cookedWith = (z: number, visibleTriangles: number | null) =>
      cookZone(sceneOf({ Lumps: lumps, Tagged: tagged(z) }), { ...SEATED, pixelsPerDegree: 4, visibleTriangles });
    const beside = await cookedWith(-4, 1600);
    expect(beside.left).toMatchObject({ Tagged: 512 });
    expect(beside.left.Lumps).toBeLessThanOrEqual(1600 - 512);
    const behind = await cookedWith(40, 1600);
    expect(behind.left.Lumps).toBeLessThanOrEqual(1600);
    expect(behind.left.Lumps).toBeGreaterThan(1600 - 512);
  });

  test('meshes that are placed in turn stay at all their places', async () => {
    const posts = [box([-0.1, 0, -0.1], [0.1, 2, 0.1]), box([-0.2, 0, -0.2], [0.2, 1, 0.2])];
    const scene: SceneInput = {
      meshes: posts.map((shape, material) => ({ primitives: [{ ...shape, material }] })),
      materials: [{ name: 'High' }, { name: 'Low' }],
      nodes: Array.from({ length: 10 }, (_, i) => ({ mesh: i % 2, translation: [i - 4.5, 0, -5] })),
    };
    const { left, outcome } = await cookZone(scene, SEATED);
    expect(left).toEqual({ High: 60, Low: 60 });
    expect(outcome.totals?.zone?.objects.map(({ kept }) => kept)).toEqual(new Array(10).fill(12));
  });

  test('UC2283: what cannot be made to fit is told too', async () => {
    const { codes, outcome, left } = await cookZone(sceneOf({ Lumps: lumps }), { ...SEATED, triangles: 10 });
    expect(codes).toEqual(['UC2283']);
    expect(outcome.diagnostics[0].message).toBe(
      `surfaces were simplified up to 7.3 pixels, so that ${left.Lumps} triangles are left, still more than the device is advised to have`,
    );
  });

  test('UC2285: a crowd of which every eye sees other triangles', async () => {
    // 1,800 triangles in some ten pixels.
    const crowd: Placed = {
      shape: grid(30, 4, () => 0),
      node: { translation: [0, 1.5, -20], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
    };
    const { codes, outcome } = await cookZone(sceneOf({ Crowd: crowd }), { ...SEATED, pixelsPerDegree: 0.25 });
    expect(codes).toEqual(['UC2285']);
    expect(outcome.totals?.zone?.rounds).toBe(16);
    expect(outcome.totals?.zone?.newShare).toBeGreaterThan(1e-4);
  });

  test('UC2286: what has textures over two sets of UVs stays as it is', async () => {
    const square = rectangles([
      [-1, 0, -5],
      [1, 0, -5],
      [1, 2, -5],
      [-1, 2, -5],
    ]);
    const png = new Uint8Array(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
        'base64',
      ),
    );
    const painted: Placed = {
      shape: { ...square, attributes: { TEXCOORD_1: [0, 0, 1, 0, 1, 1, 0, 1] } },
      material: {
        pbrMetallicRoughness: { baseColorTexture: { index: 0 } },
        emissiveTexture: { index: 0, texCoord: 1 },
        emissiveFactor: [1, 1, 1],
      },
    };
    const objects = { Painted: painted, Other: { ...painted, node: { translation: [900, 0, 0] } } };
    const scene = { ...sceneOf(objects), textures: [{ source: 0 }], images: [png] };
    const { left, codes, outcome } = await cookZone(scene, SEATED);
    expect(codes).toEqual(['UC2286']);
    expect(left).toEqual({ Painted: 2 });
    expect(outcome.totals?.zone?.trianglesAfter).toBe(2);
  });
});

describe('what cannot be', () => {
  const failed = async (scene: SceneInput, settings = SEATED) => {
    const { outcome } = await cookZone(scene, settings);
    expect(outcome.status).toBe('failed');
    return outcome.diagnostics.map(({ code, path, message }) => [code, path, message]);
  };
  const scene = sceneOf({ Room: ROOM }, { nodes: [{ name: 'Empty' }] });

  test('UC2281: a prim that is not there, or has no bounds', async () => {
    expect(await failed(scene, zone({ prims: ['/Seats'] }))).toEqual([
      ['UC2281', '--viewer-zone', 'there is no /Seats'],
    ]);
    expect(await failed(scene, zone({ prims: ['Empty'] }))).toEqual([
      ['UC2281', '--viewer-zone', 'nothing at Empty has bounds'],
    ]);
    expect(await failed(scene, { ...SEATED, portals: ['/Pane'] })).toEqual([
      ['UC2281', '--portal', 'there is no /Pane'],
    ]);
  });

  test('UC2287: a window without width', async () => {
    const line: Placed = { shape: { positions: [3, 1, 0, 3, 2, 0, 3, 1.5, 0], indices: [0, 1, 2] } };
    expect(await failed(sceneOf({ Room: ROOM, Line: line }), { ...SEATED, portals: ['Line'] })).toEqual([
      ['UC2287', '--portal', 'Line spans no rectangle'],
    ]);
  });

  test('UC2289: nothing in sight', async () => {
    const tiny: Placed = { shape: box([0, 0, 0], [0.001, 0.001, 0.001]), node: { translation: [500, 0, 0] } };
    expect(await failed(sceneOf({ Tiny: tiny }))).toEqual([['UC2289', '--viewer-zone', 'nothing can be seen from it']]);
  });
});
