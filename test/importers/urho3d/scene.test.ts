// Scenes and prefabs as literal text: where models, lights and cameras stand, and what is said of all else.

import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { type Limits, LimitWatch } from '../../../src/diagnostics/limits.ts';
import { writeAnimation } from '../../../src/formats/urho3d/animation/write.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importSource } from '../../../src/importers/index.ts';
import { withBoneNodes } from '../../../src/importers/urho3d/boneNodes.ts';
import { identity, transformPoint } from '../../../src/scene/matrix.ts';
import { limb, mdl, wave } from './models.ts';

const FOLDER = resolve('/town');
const encode = (text: string) => new TextEncoder().encode(text);
const material = (color: string) =>
  `<material><technique name="Techniques/PBR/PBRNoTexture.xml"/><parameter name="MatDiffColor" value="${color}"/></material>`;

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'Data/Models/Square.mdl': mdl(),
  'Data/Models/Limb.mdl': mdl(limb()),
  'Data/Materials/Red.xml': material('1 0 0 1'),
  'Data/Materials/Blue.xml': material('0 0 1 1'),
};

interface Asked {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly path?: string;
  readonly options?: ImportOptions;
  readonly limits?: Partial<Limits>;
  readonly folders?: readonly string[];
}

async function imported(text: string, { files = {}, path = 'Data/Scenes/town.xml', ...asked }: Asked = {}) {
  const diagnostics = new Diagnostics();
  const all = Object.entries({ ...FILES, ...files, [path]: text });
  const table = all.map(([name, content]) => [
    join(FOLDER, name),
    typeof content === 'string' ? encode(content) : content,
  ]);
  const limits = new LimitWatch({ ...new LimitWatch().limits, ...asked.limits });
  const disk = memoryFiles(Object.fromEntries(table), null, limits);
  const folders = (asked.folders ?? []).map((folder) => join(FOLDER, folder));
  const given = { ...disk, ...(folders.length > 0 ? { search: { folders, remaps: [] } } : {}) };
  const scene = await importSource(join(FOLDER, path), path, {
    files: given,
    diagnostics,
    options: { keepsRigs: true, ...asked.options },
  });
  return { scene, said: diagnostics.list.map(({ code, path: element, message }) => `${code} ${element} ${message}`) };
}

const codeOf = (text: string, asked?: Asked): Promise<string> =>
  imported(text, asked).then(
    () => 'none',
    (error: Error) => error.message,
  );

const attribute = (name: string, value: string) => `<attribute name="${name}" value="${value}" />`;
const model = (type = 'StaticModel', name = 'Square', materials = 'Materials/Red.xml', more = '') =>
  `<component type="${type}">${attribute('Model', `Model;Models/${name}.mdl`)}${attribute('Material', `Material;${materials}`)}${more}</component>`;
const prefab = (name: string, path = '') =>
  `<component type="PrefabReference">${attribute('Prefab', `PrefabResource;${name}`)}${path === '' ? '' : attribute('Path', path)}</component>`;
const node = (content: string, id = '') => `<node${id === '' ? '' : ` id="${id}"`}>${content}</node>`;
const at = (position: string) => attribute('Position', position);
const rounded = (values: Iterable<number>) => [...values].map((value) => Math.round(value * 1e6) / 1e6 + 0);
/** Where the origin of a node is. */
const placeOf = ({ world }: { readonly world: Float64Array }) => rounded(world.subarray(12, 15));

describe('models', () => {
  test('stand where all nodes above them put them, mirrored at Z', async () => {
    // Half a turn around Y, twice as large, 3 m up and 5 m along +Z of Urho3D, which is -Z of the engine.
    const { scene, said } = await imported(
      `<scene id="1">${attribute('Name', 'town')}<component type="Octree"/>${node(
        `${at('0 3 5')}${attribute('Rotation', '0 0 1 0')}${attribute('Scale', '2 2 2')}${node(
          attribute('Name', 'child') + at('1 0 2') + model(),
        )}`,
      )}</scene>`,
    );
    expect(scene.nodes.map(({ name, parent, mesh, path }) => [path, name, parent, mesh])).toEqual([
      ['nodes/0', '', -1, -1],
      ['nodes/1', 'child', 0, 0],
    ]);
    // (1, 0, 2) is turned to (-1, 0, -2), scaled, and moved to (-2, 3, 1).
    expect(rounded(scene.nodes[1].world)).toEqual([-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -2, 0, -2, 3, -1, 1]);
    expect([scene.kind, scene.upAxis, scene.metersPerUnit, said]).toEqual(['scene', 'Y', 1, []]);
    const mesh = await scene.meshes[0].primitives[0].read();
    // The far corner of the square, at (1, 1, 0).
    expect(rounded(transformPoint(scene.nodes[1].world, [mesh.points[3], mesh.points[4], mesh.points[5]]))).toEqual([
      -4, 5, -1,
    ]);
    expect(scene.materials.map(({ name, baseColor }) => [name, baseColor])).toEqual([['Red', [1, 0, 0, 1]]]);
  });

  test('and what stands at the scene itself do not take its transform to the nodes below', async () => {
    const moved = at('5 0 0') + attribute('Scale', '2 2 2');
    const below = `${node(at('1 0 0') + model())}`;
    for (const content of ['', model(), prefab('Objects/One.xml')]) {
      const { scene } = await imported(`<scene>${moved}${content}${below}</scene>`, {
        files: { 'Data/Objects/One.xml': node(model() + node(at('1 0 0') + model())) },
      });
      const placed = scene.nodes.map((one) => [one.parent, placeOf(one)]);
      const one = [-1, [1, 0, 0]];
      const own = content === '' ? [] : [[-1, [5, 0, 0]]];
      expect(placed).toEqual([...own, ...(content.includes('Prefab') ? [one] : []), one]);
    }
  });

  test('take as many materials as they have geometries: what is named beyond these is not looked at', async () => {
    const materials = `Materials/Red.xml;../outside.xml${';Materials/Blue.xml'.repeat(100)}`;
    const { scene, said } = await imported(`<scene>${node(model('StaticModel', 'Square', materials))}</scene>`);
    expect([scene.materials.map(({ name }) => name), said]).toEqual([['Red'], []]);
  });

  test('that are equal share a mesh; other materials make another, and a second model of a node hangs below it', async () => {
    const { scene } = await imported(
      `<scene>${node(model())}${node(model() + model('StaticModel', 'Square', 'Materials/Blue.xml'))}</scene>`,
    );
    expect(scene.nodes.map(({ parent, mesh }) => [parent, mesh])).toEqual([
      [-1, 0],
      [-1, 0],
      [1, 1],
    ]);
    expect(scene.meshes.map(({ primitives: [{ material: of }] }) => scene.materials[of].name)).toEqual(['Red', 'Blue']);
  });

  test('are not drawn at nodes and as components that are off; what is below such a node is', async () => {
    const off = attribute('Is Enabled', 'false');
    const { scene } = await imported(
      `<scene>${node(off + model() + node(model()))}${node(`<component type="StaticModel">${off}${attribute('Model', 'Model;no.mdl')}</component>`)}</scene>`,
    );
    expect(scene.nodes.map(({ mesh }) => mesh)).toEqual([-1, 0, -1]);
  });

  test('of a mirroring node keep the sign of their scale', async () => {
    const { scene } = await imported(`<scene>${node(attribute('Scale', '-1 2 1') + model())}</scene>`);
    expect(scene.nodes[0].scale).toEqual([-1, 2, 1]);
    expect(rounded(scene.nodes[0].world.subarray(0, 6))).toEqual([-1, 0, 0, 0, 0, 2]);
  });

  test('of a group stand at the nodes that it lists, also at later ones, and not at its own', async () => {
    const list = '<attribute name="Instance Nodes">'
      .concat(...['3', '4', '5', '9'].map((value) => `<variant type="Int" value="${value}" />`))
      .concat('</attribute>');
    const { scene, said } = await imported(
      `<scene>${node(at('9 9 9') + model('StaticModelGroup', 'Square', 'Materials/Red.xml', list), '2')}${node(at('1 0 0'), '4')}${node(
        at('2 0 0') + attribute('Is Enabled', 'false'),
        '5',
      )}</scene>`,
    );
    expect(scene.nodes.map((one) => [placeOf(one), one.mesh])).toEqual([
      [[9, 9, -9], -1],
      [[1, 0, 0], 0],
      [[2, 0, 0], -1],
    ]);
    expect(said).toEqual(['UC2488  instances of groups at nodes that are not there']);
  });

  test('without materials take the list beside them, or are white', async () => {
    const bare = `<scene>${node(model('StaticModel', 'Square', ''))}</scene>`;
    const listed = await imported(bare, { files: { 'Data/Models/Square.txt': 'Materials/Blue.xml\n' } });
    expect(listed.scene.materials.map(({ name }) => name)).toEqual(['Blue']);
    const white = await imported(bare);
    expect(white.scene.materials.map(({ name }) => name)).toEqual(['Square_0']);
    expect(white.said).toEqual(['UC2455  there is no Square.txt: its materials are white']);
    const gone = await imported(`<scene>${node(model('StaticModel', 'Square', 'Materials/None.xml'))}</scene>`);
    expect(gone.said).toEqual(['UC2458 nodes/0 "Materials/None.xml" is not found: it is white']);
  });
});

describe('resources', () => {
  test.each([
    ['in a folder Data beside the scene', 'scene.xml', {}],
    ['in CoreData beside Data', 'Data/Scenes/town.xml', { 'CoreData/Models/Core.mdl': mdl() }],
  ])('are found %s', async (_, path, files) => {
    const name = Object.keys(files).length > 0 ? 'Core' : 'Square';
    const { scene } = await imported(`<scene>${node(model('StaticModel', name))}</scene>`, { path, files });
    expect(scene.nodes[0].mesh).toBe(0);
  });

  test('are found in folders of --search-path', async () => {
    const asked = { files: { 'Else/Models/Far.mdl': mdl() }, folders: ['Else'] };
    const { scene } = await imported(`<scene>${node(model('StaticModel', 'Far'))}</scene>`, asked);
    expect(scene.meshes.map(({ name }) => name)).toEqual(['Far']);
  });

  test('that are not found are all named, with the place where one could be', async () => {
    const models =
      node(model('StaticModel', 'A')) + node(model('AnimatedModel', 'B')) + node(model('StaticModel', 'A'));
    const message = await codeOf(`<scene>${models}${node(prefab('Objects/C.xml'))}</scene>`);
    const expected = (name: string) => `"${name}" is not found, as in ${join(FOLDER, 'Data', name)}`;
    // The third node names the first file again.
    for (const [i, name] of [
      [0, 'Models/A.mdl'],
      [1, 'Models/B.mdl'],
      [3, 'Objects/C.xml'],
    ] as const)
      expect(message).toContain(`UC2485 ${join(FOLDER, 'Data/Scenes/town.xml')} nodes/${i}: ${expected(name)}`);
    expect(message.match(/UC2485/g)?.length).toBe(3);
  });

  test.each(['../x', '/x', 'a//b', 'c:/x', 'a\\b'])('named %j lead outside', async (name) => {
    expect(await codeOf(`<scene>${node(model('StaticModel', name))}</scene>`)).toContain('UC3974');
    expect(await codeOf(`<scene>${node(model('StaticModel', 'Square', `${name}.xml`))}</scene>`)).toContain('UC3974');
    expect(await codeOf(`<scene>${node(prefab(name))}</scene>`)).toContain('UC3974');
  });
});

describe('models that move', () => {
  const two = `<scene>${node(at('1 0 0') + model('AnimatedModel', 'Limb'))}${node(at('0 0 4') + model('AnimatedModel', 'Limb'))}</scene>`;

  test('have a skeleton and a mesh of their own wherever they stand', async () => {
    const { scene, said } = await imported(two);
    expect(scene.skeletons?.map(({ root }) => rounded(root.subarray(12, 15)))).toEqual([
      [1, 0, 0],
      [0, 0, -4],
    ]);
    expect(scene.skins?.map(({ skeleton }) => skeleton)).toEqual([0, 1]);
    expect(scene.nodes.map(({ mesh }) => scene.meshes[mesh].primitives[0].bound?.skin)).toEqual([0, 1]);
    expect(said).toEqual([]);
  });

  test('count with their joints, the last one too', async () => {
    expect(await codeOf(two, { limits: { prims: 5 } })).toMatch(
      /UC1209 .*nodes\/1: up to here it has 2 nodes and 4 joints; --max-prims allows 5/,
    );
    expect(await codeOf(two, { limits: { prims: 6 } })).toBe('none');
  });

  test('look once for the nodes of their bones where many stand at one node', () => {
    let looks = 0;
    const nodes = Array.from({ length: 500 }, (_, i) => ({
      get name() {
        looks++;
        return i === 499 ? 'Arm' : '';
      },
      path: '',
      parent: i === 0 ? -1 : 0,
      local: identity(),
      world: identity(),
      mesh: -1,
    }));
    const joint = { name: 'Arm', path: '/Arm', parent: -1, rest: identity() };
    const skeletons = Array.from({ length: 500 }, () => ({ name: '', path: '', root: identity(), joints: [joint] }));
    const rigged = skeletons.map(() => 0);
    const found = withBoneNodes(skeletons, rigged, nodes);
    expect(new Set(found.skeletons.map(({ joints }) => joints[0].node))).toEqual(new Set([499]));
    expect(looks).toBeLessThan(1000);
  });

  test('stand still in tiles, as those do whose component does not move', async () => {
    const { scene, said } = await imported(two, { options: { keepsRigs: false } });
    expect([scene.skeletons, scene.meshes.length]).toEqual([undefined, 1]);
    expect(said).toEqual(['UC2453 bones 2 bones left out']);
    const still = await imported(`<scene>${node(model('StaticModel', 'Limb'))}</scene>`);
    expect([still.scene.skeletons, still.said]).toEqual([undefined, []]);
    expect(still.scene.meshes[0].primitives.some(({ bound }) => bound)).toBe(false);
  });

  test('have nodes for their bones, which say so where they stand as bones do elsewhere', async () => {
    const bones = (turn: string) =>
      node(
        attribute('Name', 'Arm') +
          at('0 0 0.1') +
          node(attribute('Name', 'Fore') + at('0 1 0') + attribute('Rotation', turn) + node(model())),
      );
    const rest = await imported(
      `<scene>${node(model('AnimatedModel', 'Limb') + bones('0.965926 0 0 0.258819'))}</scene>`,
    );
    expect(rest.scene.skeletons?.[0].joints.map(({ name, node: of }) => [name, of])).toEqual([
      ['Arm', 1],
      ['Fore', 2],
    ]);
    expect(rest.said).toEqual([]);
    const posed = await imported(`<scene>${node(model('AnimatedModel', 'Limb') + bones('1 0 0 0'))}</scene>`);
    expect(posed.scene.skeletons?.[0].joints.map(({ node: of }) => of)).toEqual([1, undefined]);
    expect(posed.said).toEqual(['UC2488  poses of bones']);
  });
});

describe('animations that a scene plays', () => {
  const states = (...names: string[]) =>
    ['<attribute name="Animation States">', `<variant type="Int" value="${names.length}"/>`]
      .concat(
        names.map((name) => `<variant type="ResourceRef" value="Animation;${name}"/><variant type="String" value=""/>`),
      )
      .concat('</attribute>')
      .join('');
  const limbWith = (...names: string[]) =>
    node(model('AnimatedModel', 'Limb', 'Materials/Red.xml', names.length > 0 ? states(...names) : ''));
  const files = {
    'Data/Models/Walk.ani': writeAnimation({ ...wave(), name: 'Take 001' }),
    'Data/Models/Run.ani': writeAnimation({ ...wave(), name: 'Take 001' }),
  };

  test('are clips of the models that play them', async () => {
    const { scene, said } = await imported(
      `<scene>${limbWith('Models/Walk.ani', 'Models/Run.ani')}${limbWith()}${limbWith('Models/Run.ani', 'Models/Gone.ani')}</scene>`,
      { files },
    );
    const moved = scene.clips?.map(({ name, channels }) => [
      name,
      [...new Set(channels.map(({ target }) => (target.kind === 'joint' ? target.skeleton : -1)))],
    ]);
    expect(moved).toEqual([
      ['Walk', [0]],
      ['Run', [0, 2]],
    ]);
    expect(said).toEqual(['UC2488  animations that are not found: "Models/Gone.ani"']);
  });

  test('are named where bones move no vertex of the model', async () => {
    const square = model('AnimatedModel', 'Square', 'Materials/Red.xml', states('Models/Walk.ani'));
    const { scene, said } = await imported(`<scene>${node(square)}</scene>`, { files });
    expect(scene.clips).toBeUndefined();
    expect(said).toEqual(['UC2488  animations of models of which bones move no vertex, left out']);
  });

  test('decide whether a model that is sheared has bones', async () => {
    // An eighth of a turn about X inside twice the depth.
    const sheared = (content: string) =>
      `<scene>${node(attribute('Scale', '1 1 2') + node(attribute('Rotation', '0.92388 0.382683 0 0') + content))}</scene>`;
    const [still, rest] = await Promise.all(
      ['StaticModel', 'AnimatedModel'].map((type) => imported(sheared(model(type, 'Limb')))),
    );
    expect(rest.scene.skeletons).toBeUndefined();
    expect(rest.scene.nodes).toEqual(still.scene.nodes);
    const points = async ({ scene }: typeof rest) => [...(await scene.meshes[0].primitives[0].read()).points];
    expect(await points(rest)).toEqual(await points(still));
    expect(rest.said).toEqual(['UC2488  bones of models that are sheared and play nothing, left out']);
    const played = await imported(
      sheared(model('AnimatedModel', 'Limb', 'Materials/Red.xml', states('Models/Walk.ani'))),
      { files },
    );
    expect([played.scene.skeletons?.length, played.said]).toEqual([
      1,
      ['UC2488  motion of models whose scale differs by axis'],
    ]);
  });

  test('are none in tiles, nor below names that lead outside', async () => {
    const { scene } = await imported(`<scene>${limbWith('Models/Walk.ani')}</scene>`, {
      files,
      options: { keepsRigs: false },
    });
    expect(scene.clips).toBeUndefined();
    expect(await codeOf(`<scene>${limbWith('../Walk.ani')}</scene>`, { files })).toContain('UC3974');
  });
});

describe('morphs', () => {
  const morph = (name: string, vertex: number[], position: number[]) => ({
    name,
    buffers: [
      {
        vertexBuffer: 0,
        deltas: {
          vertex: Uint32Array.from(vertex),
          position: Float32Array.from(position),
          normal: null,
          tangent: null,
        },
      },
    ],
  });
  const files = {
    'Data/Models/Face.mdl': mdl({ morphs: [morph('Tall', [2], [0, 5, 0]), morph('Deep', [2, 3], [0, 0, 1, 0, 0, 1])] }),
  };
  const face = (type: string, weights: string) =>
    `<scene>${node(model(type, 'Face', 'Materials/Red.xml', attribute('Morphs', weights)))}</scene>`;

  test('stand at the weights of the scene, bytes of which 255 is 1', async () => {
    const { scene, said } = await imported(face('AnimatedModel', '51 255'), { files });
    const [{ morphs, bounds, read }] = scene.meshes[0].primitives;
    expect(morphs?.targets).toEqual([
      { name: 'Tall', weight: 0.2 },
      { name: 'Deep', weight: 1 },
    ]);
    // (1, 1, 0) is 0.2 * 5 higher and 1 deeper, which is -1 here.
    expect([bounds, said]).toEqual([{ min: [0, 0, -1], max: [1, 2, 0] }, []]);
    expect(rounded((await read()).points.slice(3, 6))).toEqual([1, 2, -1]);
    expect((await morphs!.read()).map(({ vertices }) => [...vertices])).toEqual([[1], [1, 3]]);
  });

  test('move nothing of a static model, nor of one whose weights are 0 or missing', async () => {
    for (const [type, weights, names] of [
      ['StaticModel', '255 255', undefined],
      ['AnimatedModel', '', ['Tall', 'Deep']],
      ['AnimatedModel', '0', ['Tall', 'Deep']],
    ] as const) {
      const { scene } = await imported(face(type, weights), { files });
      const [{ morphs, bounds }] = scene.meshes[0].primitives;
      expect([morphs?.targets.map(({ name }) => name), bounds?.max]).toEqual([names, [1, 1, 0]]);
    }
  });

  test.each(['256', '-1', '0.5', 'x', '0x10'])('have no weight %s', async (weight) => {
    expect(await codeOf(face('AnimatedModel', weight), { files })).toMatch(/UC3971 .*Morphs has .*no byte/);
  });
});

describe('prefabs', () => {
  const box = `<node id="1">${attribute('Name', 'Box') + at('9 9 9') + model()}${node(at('0 1 0') + model())}</node>`;

  test('are sources of their own', async () => {
    const { scene } = await imported(box, { path: 'Data/Objects/Box.xml' });
    expect(scene.nodes.map((one) => [one.name, placeOf(one), one.parent])).toEqual([
      ['Box', [9, 9, -9], -1],
      ['', [9, 10, -9], 0],
    ]);
  });

  test('stand at the nodes of their references, in the space of these', async () => {
    const { scene, said } = await imported(
      `<scene>${node(at('0 0 2') + attribute('Name', 'Here') + prefab('Objects/Box.xml') + model(), '7')}</scene>`,
      { files: { 'Data/Objects/Box.xml': box } },
    );
    // Name and position of the root are those of the node; its model comes first, the other of the node hangs below.
    expect(scene.nodes.map((one) => [one.name, one.parent, placeOf(one), one.mesh])).toEqual([
      ['Here', -1, [0, 0, -2], 0],
      ['', 0, [0, 1, -2], 0],
      ['Here', 0, [0, 0, -2], 0],
    ]);
    expect(said).toEqual([]);
  });

  test('are not there where the reference or its node is off', async () => {
    const off = attribute('Is Enabled', 'false');
    const { scene } = await imported(
      `<scene>${node(off + prefab('Objects/None.xml'))}${node(prefab('Objects/None.xml').replace('>', `>${off}`))}</scene>`,
    );
    expect(scene.nodes.map(({ mesh }) => mesh)).toEqual([-1, -1]);
  });

  test('that are scenes give their first node, and a path leads to a node below', async () => {
    const files = {
      'Data/Objects/Scene.xml': `<scene>${node(model() + node(attribute('Name', 'Lid') + at('0 1 0') + node(at('0 2 0') + model())))}${node(model())}</scene>`,
    };
    const placed = async (path: string) => {
      const { scene, said } = await imported(`<scene>${node(prefab('Objects/Scene.xml', path))}</scene>`, { files });
      return [scene.nodes.filter(({ mesh }) => mesh >= 0).map(placeOf), said];
    };
    expect(await placed('')).toEqual([
      [
        [0, 0, 0],
        [0, 3, 0],
      ],
      [],
    ]);
    expect(await placed('Lid')).toEqual([[[0, 2, 0]], []]);
    expect(await placed('#0/#0')).toEqual([[[0, 0, 0]], []]);
    expect(await placed('Lid/None')).toEqual([[], ['UC2488  references to prefabs without such a node']]);
  });

  test('have numbers of nodes of their own', async () => {
    const group = (...ids: string[]) =>
      model(
        'StaticModelGroup',
        'Square',
        'Materials/Red.xml',
        `<attribute name="Instance Nodes"><variant value="${ids.length}"/>${ids.map((id) => `<variant value="${id}"/>`).join('')}</attribute>`,
      );
    const { scene, said } = await imported(
      `<scene>${node(prefab('Objects/Group.xml') + node(attribute('Name', 'outer'), '4'), '3')}${node(group('4'), '5')}</scene>`,
      {
        files: {
          'Data/Objects/Group.xml': node(group('4') + node(attribute('Name', 'inner') + at('1 0 0'), '4'), '1'),
        },
      },
    );
    expect(scene.nodes.filter(({ mesh }) => mesh >= 0).map(({ name }) => name)).toEqual(['inner', 'outer']);
    expect(said).toEqual([]);
  });

  test('that name files that are not found are named with these', async () => {
    const files = { 'Data/Objects/A.xml': node(model('StaticModel', 'Gone')) };
    expect(await codeOf(`<scene>${node(prefab('Objects/A.xml'))}</scene>`, { files })).toContain(
      `UC2485 ${join(FOLDER, 'Data/Objects/A.xml')} nodes/0: "Models/Gone.mdl" is not found`,
    );
  });

  test('that hold themselves, or stand in too many others, are refused', async () => {
    const inner = (name: string) => node(node(prefab(`Objects/${name}.xml`)));
    const pair = { 'Data/Objects/A.xml': inner('B'), 'Data/Objects/B.xml': inner('A') };
    expect(await codeOf(`<scene>${node(prefab('Objects/A.xml'))}</scene>`, { files: pair })).toContain(
      'nodes/2: the prefab "Objects/A.xml" holds itself',
    );
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, i) => [
          `Data/Objects/${i + 1}.xml`,
          i + 1 < length ? inner(String(i + 2)) : node(model()),
        ]),
      );
    const first = `<scene>${node(prefab('Objects/1.xml'))}</scene>`;
    expect((await imported(first, { files: chain(16) })).scene.nodes.at(-1)?.mesh).toBe(0);
    expect(await codeOf(first, { files: chain(17) })).toContain(
      `UC2489 ${join(FOLDER, 'Data/Objects/16.xml')} nodes/16: the prefab "Objects/17.xml" stands in 16 others`,
    );
  });

  test('of many elements or bytes are not looked at without an end', async () => {
    const files = {
      'Data/Objects/Wide.xml': `<node>${'<attribute/>'.repeat(400_000)}</node>`,
      'Data/Objects/Long.xml': `<node>${attribute('Name', 'x'.repeat(20 * 2 ** 20))}</node>`,
    };
    const many = (name: string) => `<scene>${node(prefab(name)).repeat(20)}</scene>`;
    expect(await codeOf(many('Objects/Wide.xml'), { files })).toMatch(
      /UC3960 .*nodes\/12: .*bring in more than 5000000 elements/,
    );
    expect(await codeOf(many('Objects/Long.xml'), { files })).toMatch(
      /UC3960 .*nodes\/12: .*bring in more than 268435456 bytes/,
    );
  });

  test('that multiply each other end at a limit', async () => {
    const double = (name: string) => node(node(prefab(`Objects/${name}.xml`)).repeat(8));
    const files = Object.fromEntries([
      ...Array.from({ length: 10 }, (_, i) => [`Data/Objects/${i}.xml`, double(String(i + 1))] as const),
      ['Data/Objects/10.xml', '<node/>'] as const,
    ]);
    const asked = { files, limits: { prims: 5000 } };
    expect(await codeOf(`<scene>${node(prefab('Objects/0.xml'))}</scene>`, asked)).toMatch(
      /UC1209 .*up to here it has 5001 nodes; --max-prims allows 5000/,
    );
  });
});

describe('lights and cameras', () => {
  const light = (...attributes: string[]) =>
    `<scene>${node(`<component type="Light">${attributes.join('')}</component>`)}</scene>`;

  test('have the defaults of the engine', async () => {
    const { scene, said } = await imported(
      `<scene>${node(`${attribute('Name', 'lamp')}${at('1 2 3')}<component type="Light"/><component type="Camera"/>`)}</scene>`,
    );
    const [lamp] = scene.lights ?? [];
    expect([lamp.name, lamp.kind, lamp.color, lamp.range, lamp.cone, lamp.castsShadow]).toEqual([
      'lamp',
      'point',
      [1, 1, 1],
      10,
      null,
      false,
    ]);
    // One watt a steradian in all directions.
    expect(lamp.intensity).toBeCloseTo(4 * Math.PI, 12);
    expect(placeOf(lamp)).toEqual([1, 2, -3]);
    const [camera] = scene.cameras ?? [];
    expect(rounded([camera.fovY, camera.near, camera.far])).toEqual([45, 0.1, 1000]);
    expect(said).toEqual(['UC2488  how lights fade with distance']);
  });

  test('look along -Z where they look along +Z there, whatever the scale of their node', async () => {
    // A quarter turn about X of Urho3D: +Z is turned to -Y, down.
    const { scene } = await imported(
      `<scene>${node(`${attribute('Rotation', '0.70710678 0.70710678 0 0')}${attribute('Scale', '3 3 3')}<component type="Light">${attribute('Light Type', 'Directional')}${attribute('Brightness Multiplier', '2')}${attribute('Color', '0.5 1 0.25 1')}</component>`)}</scene>`,
    );
    const [sun] = scene.lights ?? [];
    expect(rounded(transformPoint(sun.world, [0, 0, -1]))).toEqual([0, -1, 0]);
    expect([sun.kind, sun.intensity, sun.color, sun.range]).toEqual(['directional', 2, [0.5, 1, 0.25], 0]);
  });

  test('that are brighter than white are brighter, and spots have their angle', async () => {
    const { scene, said } = await imported(
      light(
        attribute('Light Type', 'Spot'),
        attribute('Spot FOV', '60'),
        attribute('Color', '2 1 0'),
        attribute('Range', '5'),
      ),
    );
    const [spot] = scene.lights ?? [];
    expect([spot.color, spot.cone, spot.range]).toEqual([[1, 0.5, 0], { inner: 0, outer: 30 }, 5]);
    expect(spot.intensity).toBeCloseTo(8 * Math.PI, 12);
    expect(said).toEqual(['UC2488  how lights fade with distance, how spots fade towards their edge']);
  });

  test.each([
    [attribute('Brightness Multiplier', '-1'), 'lights that darken, left out'],
    [attribute('Color', '-1 0 0'), 'lights that darken, left out'],
    [attribute('Brightness Multiplier', '3e38'), 'lights whose brightness does not fit 32 bits, left out'],
  ])('of %s are left out', async (value, what) => {
    const { scene, said } = await imported(light(value));
    expect([scene.lights, said]).toEqual([[], [`UC2488  ${what}`]]);
  });

  test.each([
    ['directional', 'directional', []],
    ['SPOT', 'spot', ['how lights fade with distance', 'how spots fade towards their edge']],
    ['constructor', 'point', ['how lights fade with distance', 'lights of an unknown type, which are points']],
    ['', 'point', ['how lights fade with distance', 'lights of an unknown type, which are points']],
  ])('of the type %j are %s', async (type, kind, what) => {
    const { scene, said } = await imported(light(attribute('Light Type', type)));
    expect(scene.lights?.map((one) => one.kind)).toEqual([kind]);
    expect(said).toEqual(what.length > 0 ? [`UC2488  ${what.join(', ')}`] : []);
  });

  test('have the last of several attributes of one name', async () => {
    const { scene } = await imported(light(attribute('Range', '5'), attribute('Range', '7')));
    expect(scene.lights?.map(({ range }) => range)).toEqual([7]);
  });

  test('that state more than light has are named', async () => {
    const { said } = await imported(
      light(
        attribute('Light Type', 'Directional'),
        attribute('Use Physical Values', 'true'),
        attribute('Attenuation Texture', 'Texture2D;Textures/Ramp.png'),
      ),
    );
    expect(said).toEqual(['UC2488  temperatures and lumens of lights, textures of lights']);
  });

  test.each([
    [attribute('Orthographic', 'true'), 'parallel cameras, left out'],
    [attribute('Near Clip', '2000'), 'cameras out of range, left out'],
    [attribute('Zoom', '0'), 'cameras out of range, left out'],
    [attribute('FOV', '0'), 'cameras out of range, left out'],
  ])('of cameras, %s is left out', async (value, what) => {
    const { scene, said } = await imported(`<scene>${node(`<component type="Camera">${value}</component>`)}</scene>`);
    expect([scene.cameras, said]).toEqual([[], [`UC2488  ${what}`]]);
  });

  test('zoom makes the field of view narrower', async () => {
    const { scene } = await imported(
      `<scene>${node(`<component type="Camera">${attribute('FOV', '90')}${attribute('Zoom', '2')}${attribute('Auto Aspect Ratio', 'false')}</component>`)}</scene>`,
    );
    const [camera] = scene.cameras ?? [];
    expect(camera.fovY).toBeCloseTo((2 * Math.atan(0.5) * 180) / Math.PI, 10);
    expect(camera.aspectRatio).toBe(1);
  });
});

describe('what has no place', () => {
  test('is named once a kind, with its number', async () => {
    const { said } = await imported(
      `<scene><component type="PhysicsWorld"/>${node('<component type="Terrain"/><component type="RigidBody"/><component/>')}${node(
        `<component type="RigidBody"/>${model('StaticModel', 'Square', 'Materials/Red.xml', attribute('Draw Distance', '20'))}`,
      )}</scene>`,
    );
    expect(said).toEqual([
      'UC2486  left out: Terrain',
      'UC2487  left out: PhysicsWorld, RigidBody (2), a component without a type',
      'UC2488  draw distances',
    ]);
  });
});

describe('hostile documents', () => {
  const deep = (depth: number) => `<scene>${'<node>'.repeat(depth)}${'</node>'.repeat(depth)}</scene>`;
  const entities = '<!DOCTYPE scene [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><scene><node name="&b;"/></scene>';

  test.each([
    ['entities', entities, /UC3971 .*document type|UC1201/],
    ['an entity that is not known', '<scene><node id="&b;"/></scene>', /UC3971/],
    ['nodes in nodes', deep(64), /UC3960 .*nested deeper than 64/],
    ['a cut document', '<scene><node>', /UC3971/],
    [
      'text for numbers',
      `<scene>${node(at('1 x 2'))}</scene>`,
      /UC3971 .*nodes\/0: .*Position is "1 x 2", not 3 numbers/,
    ],
    ['too few numbers', `<scene>${node(attribute('Rotation', '1 0 0'))}</scene>`, /Rotation is "1 0 0", not 4 numbers/],
    ['a million numbers', `<scene>${node(at('1 '.repeat(1e6)))}</scene>`, /UC3971/],
    ['numbers beyond 32 bits', `<scene>${node(at('1e39 0 0'))}</scene>`, /UC3971 .*not 3 numbers/],
    ['hexadecimal numbers', `<scene>${node(at('0x10 0 0'))}</scene>`, /UC3971/],
    [
      'scales that multiply beyond 32 bits',
      `<scene>${node(attribute('Scale', '1e20 1 1') + node(attribute('Scale', '1e20 1 1')))}</scene>`,
      /UC3971 .*nodes\/1: .*do not fit 32 bits/,
    ],
    [
      'a number of a light',
      `<scene>${node(`<component type="Light">${attribute('Range', 'far')}</component>`)}</scene>`,
      /Range is "far", not a number/,
    ],
  ])('%s have a code', async (_, text, words) => {
    expect(await codeOf(text)).toMatch(words);
  });

  test('attributes without names or values, and elements of others, are passed over', async () => {
    const { scene, said } = await imported(
      `<scene><attribute/><attribute value="1"/><thing/>${node('<attribute name="Name"/><component type="StaticModel"/><component type="StaticModelGroup"/>')}</scene>`,
    );
    expect([scene.nodes.map(({ name, mesh }) => [name, mesh]), said]).toEqual([[['', -1]], []]);
  });
});
