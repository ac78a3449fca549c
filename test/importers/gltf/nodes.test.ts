import { describe, expect, test } from 'vitest';
import { transformPoint } from '../../../src/scene/matrix.ts';
import type { Vec3 } from '../../../src/scene/types.ts';
import { buildGlb, load, loadAll, ONE_TRIANGLE, refusal, TRIANGLE } from './build.ts';

const near = (point: Vec3) => point.map((value) => expect.closeTo(value, 9));

describe('transforms', () => {
  test('scale, then rotation, then translation; parents last', async () => {
    const { scene } = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        nodes: [
          { name: 'Yard', translation: [100, 0, 0], children: [1] },
          // A quarter turn about z: x becomes y.
          { name: 'Post', translation: [0, 0, 7], rotation: [0, 0, 0.5, 0.5], scale: [2, 3, 4], mesh: 0 },
        ],
      }),
    );
    const [yard, post] = scene.nodes;
    expect([yard.parent, post.parent, post.path, post.mesh]).toEqual([-1, 0, 'nodes/1', 0]);
    expect(transformPoint(post.local, [1, 0, 0])).toEqual(near([0, 2, 7]));
    expect(transformPoint(post.local, [0, 1, 0])).toEqual(near([-3, 0, 7]));
    expect(transformPoint(post.world, [0, 0, 1])).toEqual(near([100, 0, 11]));
  });

  test('a matrix is column-major and kept as given: sheared, mirrored, singular', async () => {
    const sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1];
    const flat = [-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const { scene } = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        nodes: [
          { mesh: 0, matrix: sheared, children: [1] },
          { mesh: 0, matrix: flat },
        ],
      }),
    );
    expect([...scene.nodes[0].world]).toEqual(sheared);
    expect(transformPoint(scene.nodes[0].world, [0, 2, 0])).toEqual([11, 22, 30]);
    // Parent times child, in that order: the shear sees a point that is flattened already.
    expect(transformPoint(scene.nodes[1].world, [1, 5, 2])).toEqual([9, 20, 32]);
  });

  test('what is no affine transform is an error; what rounding left is not', async () => {
    const matrix = (last: number[]) => [1, 0, 0, last[0], 0, 1, 0, last[1], 0, 0, 1, last[2], 0, 0, 0, last[3]];
    const item = await refusal(
      load(buildGlb({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, matrix: matrix([0, 0, 0.5, 1]) }] })),
    );
    expect(item).toMatchObject({ code: 'UC1324', path: 'nodes/0' });
    const { scene } = await load(
      buildGlb({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, matrix: matrix([0, 1e-9, 0, 1.0000001]) }] }),
    );
    expect([3, 7, 11, 15].map((i) => scene.nodes[0].world[i])).toEqual([0, 0, 0, 1]);
    const huge = buildGlb({
      ...ONE_TRIANGLE,
      nodes: [
        { scale: [1e200, 1, 1], children: [1] },
        { scale: [1e200, 1, 1], mesh: 0 },
      ],
    });
    expect((await refusal(load(huge))).code).toBe('UC1324');
  });

  test('a rotation of zeros is said and taken as none', async () => {
    const { scene, codes } = await load(buildGlb({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, rotation: [0, 0, 0, 0] }] }));
    expect(codes).toEqual(['UC1326']);
    expect(scene.nodes[0].world[0]).toBe(1);
  });

  test('a rotation of another length than 1 is said and brought to it; what eight bits round is not', async () => {
    const of = (rotation: number[]) => load(buildGlb({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, rotation }] }));
    const long = await of([0, 0, 1.2, 1.2]);
    expect(long.codes).toEqual(['UC2467']);
    expect(Math.hypot(...long.scene.nodes[0].world.slice(0, 3))).toBeCloseTo(1, 12);
    expect((await of([0, 0, 90 / 127, 90 / 127])).codes).toEqual([]);
  });
});

describe('hierarchy', () => {
  test('parents stand before children, in the order of the file; a mesh placed twice is one mesh', async () => {
    const { scene } = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        nodes: [{ name: 'c', mesh: 0 }, { name: 'b', mesh: 0 }, { name: 'a', children: [1, 0] }, { name: 'd' }],
      }),
    );
    expect(scene.nodes.map(({ name, parent, mesh }) => [name, parent, mesh])).toEqual([
      ['a', -1, -1],
      ['b', 0, 0],
      ['c', 0, 0],
      ['d', -1, -1],
    ]);
    expect(scene.meshes.length).toBe(1);
  });

  test.each([
    ['a child of two nodes', [{ children: [2] }, { children: [2] }, {}], 'UC1320', 'nodes/2'],
    ['its own child', [{ children: [0] }], 'UC1321', 'nodes/0'],
    ['a circle beside a root', [{}, { children: [2] }, { children: [1] }], 'UC1321', 'nodes/1'],
    ['a child that is not there', [{ children: [7] }], 'UC1308', 'nodes/0'],
    ['a mesh that is not there', [{ mesh: 4 }], 'UC1308', 'nodes/0'],
  ])('%s', async (_, nodes, code, path) => {
    const item = await refusal(load(buildGlb({ ...ONE_TRIANGLE, nodes, scenes: [{ nodes: [0] }] })));
    expect(item).toMatchObject({ code, path });
  });

  describe('nodes that a scene or a parent lists too often are drawn once', () => {
    const of = async (nodes: object[], listed: number[]) => {
      const { scene, diagnostics, codes } = await load(
        buildGlb({ ...ONE_TRIANGLE, nodes, scenes: [{ nodes: listed }] }),
      );
      const drawn = scene.nodes.map(({ name, parent, world }) => [name, parent, world[12]]);
      return { drawn, codes, messages: diagnostics.list.map(({ message }) => message) };
    };
    const chain = [
      { name: 'a', translation: [1, 0, 0], children: [1] },
      { name: 'b', translation: [10, 0, 0], children: [2] },
      { name: 'c', translation: [100, 0, 0], mesh: 0 },
    ];

    test.each([[[0, 1, 2]], [[2, 1, 0]], [[0, 2]]])(
      'below its parent where the scene draws that: %s',
      async (listed) => {
        const { drawn, codes } = await of(chain, listed);
        expect(drawn).toEqual([
          ['a', -1, 1],
          ['b', 0, 11],
          ['c', 1, 111],
        ]);
        expect(codes).toEqual(['UC1328']);
      },
    );

    test('as a root where the scene draws none of its ancestors', async () => {
      const { drawn, codes, messages } = await of(chain, [1]);
      expect(drawn).toEqual([
        ['b', -1, 10],
        ['c', 0, 110],
      ]);
      expect(codes).toEqual(['UC1328']);
      expect(messages).toEqual(['nodes that the scene lists beside their parents, drawn once: "b"']);
    });

    test('twice in one list', async () => {
      const { drawn, codes, messages } = await of(
        [
          { name: 'a', children: [1, 1] },
          { name: 'b', mesh: 0 },
        ],
        [0, 0],
      );
      expect(drawn).toEqual([
        ['a', -1, 0],
        ['b', 0, 0],
      ]);
      expect(codes).toEqual(['UC1328', 'UC1328']);
      expect(messages).toEqual([
        'nodes that list a child twice, drawn once: "a"',
        'nodes that the scene lists twice, drawn once: "a"',
      ]);
    });

    test('joints below such a root are where the scene has them', async () => {
      const { read } = await loadAll(
        buildGlb({
          meshes: [
            {
              primitives: [
                {
                  ...TRIANGLE,
                  attributes: {
                    JOINTS_0: new Uint8Array(12),
                    WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
                  },
                },
              ],
            },
          ],
          nodes: [{ translation: [1, 0, 0], children: [1] }, { translation: [10, 0, 0] }, { mesh: 0, skin: 0 }],
          scenes: [{ nodes: [1, 2] }],
          root: { skins: [{ joints: [1] }] },
        }),
      );
      expect([...read[0].points].slice(0, 3)).toEqual([10, 0, 0]);
    });
  });

  test('10,000 levels and 100,000 nodes', async () => {
    const chain = Array.from({ length: 10000 }, (_, i) =>
      i < 9999 ? { translation: [1, 0, 0], children: [i + 1] } : { mesh: 0 },
    );
    const deep = await load(buildGlb({ ...ONE_TRIANGLE, nodes: chain, scenes: [{ nodes: [0] }] }));
    expect(deep.scene.nodes[9999].world[12]).toBe(9999);
    const wide = Array.from({ length: 100000 }, () => ({ mesh: 0 }));
    expect(
      (await load(buildGlb({ ...ONE_TRIANGLE, nodes: wide, scenes: [{ nodes: wide.map((_, i) => i) }] }))).scene.nodes
        .length,
    ).toBe(100000);
  });

  test('invisible nodes are left out with all below them', async () => {
    const hide = { extensions: { KHR_node_visibility: { visible: false } } };
    const { scene, codes } = await load(
      buildGlb({
        meshes: [{ primitives: [TRIANGLE] }, { primitives: [TRIANGLE] }],
        nodes: [{ name: 'off', ...hide, children: [1] }, { mesh: 0 }, { name: 'on', mesh: 1 }],
      }),
    );
    expect(scene.nodes.map((node) => node.name)).toEqual(['on']);
    expect(scene.meshes.map((mesh) => mesh.path)).toEqual(['meshes/1']);
    expect(codes).toEqual(['UC1325']);
  });
});

describe('scenes', () => {
  const file = buildGlb({
    ...ONE_TRIANGLE,
    nodes: [{ name: 'first' }, { name: 'second' }, { name: 'third' }],
    scenes: [
      { name: 'Day', nodes: [0] },
      { name: 'Night', nodes: [1] },
      { name: '0', nodes: [2] },
    ],
    root: { scene: 1 },
  });
  const names = async (scene?: string) =>
    (await load(file, scene === undefined ? {} : { scene })).scene.nodes.map((node) => node.name);

  test('the default, by name, by index; a name wins over an index', async () => {
    expect(await names()).toEqual(['second']);
    expect(await names('Day')).toEqual(['first']);
    expect(await names('1')).toEqual(['second']);
    expect(await names('0')).toEqual(['third']);
  });

  test('without a default the first is taken', async () => {
    const bytes = buildGlb(
      { nodes: [{ name: 'a' }, { name: 'b' }], scenes: [{ nodes: [1] }, { nodes: [0] }] },
      (json) => {
        delete json.scene;
      },
    );
    expect((await load(bytes)).scene.nodes.map((node) => node.name)).toEqual(['b']);
  });

  test('an unknown one is an error of the command line that lists what there is', async () => {
    for (const asked of ['Dusk', '3', '-1', '1e0']) {
      const item = await refusal(load(file, { scene: asked }));
      expect(item.code).toBe('UC1322');
      expect(item.message).toContain('0 "Day", 1 "Night", 2 "0"');
    }
  });

  test('a file without scenes gives all roots, with a warning', async () => {
    const bytes = buildGlb({ nodes: [{ name: 'a', children: [1] }, { name: 'b' }, { name: 'c' }] }, (json) => {
      delete json.scene;
      delete json.scenes;
    });
    const { scene, codes } = await load(bytes);
    expect(scene.nodes.map((node) => node.name)).toEqual(['a', 'b', 'c']);
    expect(codes).toEqual(['UC1323']);
  });
});

describe('EXT_mesh_gpu_instancing', () => {
  const instanced = (attributes: object) => ({
    mesh: 0,
    name: 'Tree',
    translation: [0, 100, 0],
    extensions: { EXT_mesh_gpu_instancing: { attributes } },
  });
  const accessors = [
    { type: 'VEC3', data: [1, 0, 0, 2, 0, 0] },
    { type: 'VEC4', data: new Int16Array([0, 0, 0, 32767, 0, 0, 23170, 23170]), normalized: true },
    { type: 'VEC3', data: [1, 1, 1, 5, 5, 5] },
  ];

  test('one node an instance, below the node that places them', async () => {
    const { scene } = await load(
      buildGlb({ ...ONE_TRIANGLE, accessors, nodes: [instanced({ TRANSLATION: 1, ROTATION: 2, SCALE: 3, _ID: 1 })] }),
    );
    expect(scene.nodes.map(({ name, path, parent, mesh }) => [name, path, parent, mesh])).toEqual([
      ['Tree', 'nodes/0', -1, -1],
      ['Tree', 'nodes/0/instances/0', 0, 0],
      ['Tree', 'nodes/0/instances/1', 0, 0],
    ]);
    expect(transformPoint(scene.nodes[1].world, [1, 0, 0])).toEqual(near([2, 100, 0]));
    // Scaled by 5, turned a quarter about z, moved by (2, 0, 0), then as the node says.
    expect(transformPoint(scene.nodes[2].world, [1, 0, 0])).toEqual(near([2, 105, 0]));
  });

  test('rotations are made unit; one of zeros is said and taken as none', async () => {
    const turns = { type: 'VEC4', data: [0, 0, 3, 3, 0, 0, 0.001, 0.001, 0, 0, 0, 0] };
    const bytes = new Int8Array([0, 0, 90, 90, 0, 0, 127, 0]);
    const floats = await load(buildGlb({ ...ONE_TRIANGLE, accessors: [turns], nodes: [instanced({ ROTATION: 1 })] }));
    const at = (scene: typeof floats.scene, i: number) => transformPoint(scene.nodes[i].world, [1, 0, 0]);
    expect(at(floats.scene, 1)).toEqual(near([0, 101, 0]));
    expect(at(floats.scene, 2)).toEqual(near([0, 101, 0]));
    expect(at(floats.scene, 3)).toEqual(near([1, 100, 0]));
    expect(floats.codes).toEqual(['UC1326']);
    const quantised = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        accessors: [{ type: 'VEC4', data: bytes, normalized: true }],
        nodes: [instanced({ ROTATION: 1 })],
      }),
    );
    // 90 of 127 twice is √½ twice once it is made unit: exactly a quarter about z, then half a turn.
    expect(at(quantised.scene, 1)).toEqual(near([0, 101, 0]));
    expect(at(quantised.scene, 2)).toEqual(near([-1, 100, 0]));
  });

  test('without translation, rotation and scale it is drawn once', async () => {
    const { scene, codes } = await load(buildGlb({ ...ONE_TRIANGLE, accessors, nodes: [instanced({ _ID: 1 })] }));
    expect(scene.nodes.map(({ mesh, world }) => [mesh, world[13]])).toEqual([
      [-1, 100],
      [0, 100],
    ]);
    expect(codes).toEqual([]);
  });

  test('counts that differ, wrong types, and instances without data', async () => {
    const of = (attributes: object, more: (typeof accessors)[number][] = []) =>
      refusal(load(buildGlb({ ...ONE_TRIANGLE, accessors: [...accessors, ...more], nodes: [instanced(attributes)] })));
    expect((await of({ TRANSLATION: 1, SCALE: 4 }, [{ type: 'VEC3', data: [1, 1, 1] }])).code).toBe('UC1313');
    expect((await of({ TRANSLATION: 2 })).code).toBe('UC1313');
    expect((await of({ TRANSLATION: 99 })).code).toBe('UC1308');
    const zeros = buildGlb({ ...ONE_TRIANGLE, accessors, nodes: [instanced({ TRANSLATION: 1 })] }, (json) => {
      json.accessors[1] = { componentType: 5126, type: 'VEC3', count: 400000000 };
    });
    expect(await refusal(load(zeros))).toMatchObject({ code: 'UC1316', path: 'nodes/0' });
  });
});

test('animations are named in one warning', async () => {
  const { diagnostics, codes } = await load(
    buildGlb({
      ...ONE_TRIANGLE,
      root: {
        animations: Array.from({ length: 7 }, (_, i) => ({ name: `Walk ${i}` })),
      },
    }),
  );
  expect(codes).toEqual(['UC1340']);
  expect(diagnostics.list.map((item) => item.message)).toEqual([
    'cooked at rest, without "Walk 0", "Walk 1", "Walk 2", "Walk 3", "Walk 4" and 2 more',
  ]);
});

test('extensions: unknown ones are an error when required, else one warning', async () => {
  const used = ['KHR_texture_transform', 'ACME_fog', 'ACME_rain'];
  const { diagnostics } = await load(buildGlb({ ...ONE_TRIANGLE, root: { extensionsUsed: used } }));
  expect(diagnostics.list).toMatchObject([{ code: 'UC1306' }]);
  expect(diagnostics.list[0].message).toContain('"ACME_fog", "ACME_rain"');
  const item = await refusal(load(buildGlb({ ...ONE_TRIANGLE, root: { extensionsRequired: used } })));
  expect(item).toMatchObject({ code: 'UC1305', message: 'the file requires "ACME_fog", "ACME_rain"' });
});
