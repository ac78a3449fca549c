// Variants of materials (KHR_materials_variants): a GLB keeps them, other outputs say that they have one look.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinedScene } from '../../../src/scene/joined.ts';
import { joinedVariants } from '../../../src/scene/variants.ts';
import { buildGlb, type Json, load, type SceneInput } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { rgb } from '../../textures/fixture.ts';
import { openGlb } from './glb.ts';
import { expectValid } from './khronos.ts';

const folder = temporaryFolder();
const mappings = (...list: [material: number, ...variants: number[]][]) => ({
  mappings: list.map(([material, ...variants]) => ({ material, variants })),
});

/** Two triangles: the first is red, and green by day or blue by night; the second is red always. */
const SHOES: SceneInput = {
  meshes: [0, 3].map((x, i) => ({
    name: `shoe${i}`,
    primitives: [{ positions: [x, 0, 0, x + 1, 0, 0, x, i + 1, 0], uvs: [0, 0, 1, 0, 0, 1], material: 0 }],
  })),
  materials: ['red', 'green', 'blue'].map((name, i) => ({
    name,
    pbrMetallicRoughness: { baseColorFactor: [0, 1, 2].map((k) => (k === i ? 1 : 0)).concat(1) },
    ...(i === 2 ? { emissiveTexture: { index: 0 }, emissiveFactor: [1, 1, 1] } : {}),
  })),
  textures: [{ source: 0 }],
  images: [rgb([[0, 0, 255]])],
  root: {
    extensionsUsed: ['KHR_materials_variants'],
    extensions: { KHR_materials_variants: { variants: ['day', 'night', 'dusk'].map((name) => ({ name })) } },
  },
};

const shoes = (edit: (json: Json) => void = () => {}) =>
  buildGlb(SHOES, (json) => {
    json.meshes[0].primitives[0].extensions = { KHR_materials_variants: mappings([1, 0], [2, 1, 2]) };
    edit(json);
  });

let count = 0;

async function cook(source: Uint8Array, out: string, ...args: string[]) {
  const input = put(folder, `in${count++}.glb`, source);
  const run = await untold(folder, ['cook', input, '--out', out, '--no-cache', ...args]);
  expect(run.code, run.stderr).toBe(0);
  return run.stderr + run.stdout;
}

async function cookGlb(source: Uint8Array, ...args: string[]) {
  const name = `out${count++}.glb`;
  const text = await cook(source, name, ...args);
  const file = new Uint8Array(readFileSync(join(folder, name)));
  await expectValid(file);
  return { text, json: openGlb(file).json };
}

/** By the name of a mesh, its material and the names of those of variants. */
function looksOf({ extensions, meshes, materials }: Json): Record<string, Json> {
  const variants = extensions?.KHR_materials_variants.variants.map(({ name }: Json) => name) ?? [];
  return Object.fromEntries(
    meshes.map(({ name, primitives: [{ material, extensions: own }] }: Json) => [
      name,
      {
        own: materials[material].name,
        ...Object.fromEntries(
          (own?.KHR_materials_variants.mappings ?? []).flatMap((mapping: Json) =>
            mapping.variants.map((number: number) => [variants[number], materials[mapping.material].name]),
          ),
        ),
      },
    ]),
  );
}

test('a GLB has all variants with their materials and textures', async () => {
  const { text, json } = await cookGlb(shoes());
  expect(text).not.toMatch(/UC\d{4}/);
  expect(looksOf(json)).toEqual({
    shoe0: { own: 'red', day: 'green', night: 'blue', dusk: 'blue' },
    shoe1: { own: 'red' },
  });
  expect(json.materials).toHaveLength(3);
  expect(json.images).toHaveLength(1);
});

test('a chosen variant is the only one', async () => {
  const { text, json } = await cookGlb(shoes(), '--material-variant', 'night');
  expect(text).not.toMatch(/UC\d{4}/);
  expect(looksOf(json)).toEqual({ shoe0: { own: 'blue' }, shoe1: { own: 'red' } });
  expect(json.extensionsUsed ?? []).not.toContain('KHR_materials_variants');
});

test('in another output variants are lost with a warning (UC1366)', async () => {
  const text = await cook(shoes(), 'shoes.untold');
  expect(text).toContain('warning UC1366');
  expect(text).toContain('the file also has the variants "day", "night", "dusk"');
  expect(await cook(shoes(), 'day.untold', '--material-variant', 'day')).not.toContain('UC1366');
});

test('meshes that are equal but for their variants stay two', async () => {
  const same = buildGlb(
    { ...SHOES, meshes: [0, 1].map((i) => ({ name: `shoe${i}`, primitives: SHOES.meshes?.[0].primitives ?? [] })) },
    (json) => {
      json.nodes[1].translation = [5, 0, 0];
      json.meshes[1].primitives[0].extensions = { KHR_materials_variants: mappings([1, 0]) };
    },
  );
  const { json } = await cookGlb(same);
  expect(looksOf(json)).toEqual({ shoe0: { own: 'red' }, shoe1: { own: 'red', day: 'green' } });
});

test('equal materials are one in variants, too', async () => {
  const { json } = await cookGlb(
    shoes((json) => {
      json.materials[2] = { ...json.materials[1] };
    }),
  );
  expect(looksOf(json).shoe0).toEqual({ own: 'red', day: 'green', night: 'green', dusk: 'green' });
  expect(json.materials).toHaveLength(2);
});

test('variants of converted materials are left out (UC2476)', async () => {
  const { text, json } = await cookGlb(
    shoes((json) => {
      json.materials[1] = {
        name: 'green',
        extensions: { KHR_materials_pbrSpecularGlossiness: { diffuseFactor: [0, 1, 0, 1] } },
      };
      json.extensionsUsed.push('KHR_materials_pbrSpecularGlossiness');
    }),
  );
  expect(text).toContain('UC2476');
  expect(looksOf(json).shoe0).toEqual({ own: 'red', night: 'blue', dusk: 'blue' });
});

test('scenes that are joined share variants of one name', async () => {
  const options = { keepsMaterials: true };
  const { scene } = await load(shoes(), options);
  const other = await load(
    shoes((json) => {
      json.extensions.KHR_materials_variants.variants = ['dawn', 'day', 'noon'].map((name) => ({ name }));
    }),
    options,
  );
  const joined = joinedScene('both', [
    { name: 'a', scene },
    { name: 'b', scene: other.scene },
  ]);
  expect(joined.materialVariants).toEqual(['day', 'night', 'dusk', 'dawn', 'noon']);
  const [a, , b] = joined.meshes.map(({ primitives: [{ variants }] }) => variants);
  expect(a).toEqual([
    { material: 1, variants: [0] },
    { material: 2, variants: [1, 2] },
  ]);
  expect(b).toEqual([
    { material: 4, variants: [3] },
    { material: 5, variants: [0, 4] },
  ]);
});

test('variants of one name in one scene stay apart when scenes are joined', async () => {
  const named = (...names: string[]) => ({ materialVariants: names });
  const { names, numbers } = joinedVariants([named('red', 'red'), named('blue', 'red'), named('red', 'red', 'red')]);
  expect(names).toEqual(['red', 'red', 'blue', 'red']);
  expect(numbers).toEqual([
    [0, 1],
    [2, 0],
    [0, 1, 3],
  ]);
  const same = (json: Json) => {
    json.extensions.KHR_materials_variants.variants = ['day', 'day', 'dusk'].map((name) => ({ name }));
  };
  const inputs = [shoes(same), shoes()].map((source) => put(folder, `in${count++}.glb`, source));
  const out = `out${count++}.glb`;
  const run = await untold(folder, ['cook', ...inputs, '--as-one', 'both', '--out', out, '--no-cache']);
  expect(run.code, run.stderr).toBe(0);
  await expectValid(new Uint8Array(readFileSync(join(folder, out))));
});

test('a mapping without a variant and a variant that is named twice are left out (UC2479)', async () => {
  for (const [list, night] of [
    [[[1, 0], [2, 1, 2], [1]], 'blue'],
    [
      [
        [1, 0, 0],
        [2, 1, 2],
      ],
      'blue',
    ],
    [
      [
        [2, 0, 1],
        [1, 0, 1],
        [2, 2, 2],
      ],
      'green',
    ],
  ] as const) {
    const source = shoes((json) => {
      const own = list.map(([material, ...variants]) => ({ material, variants }));
      json.meshes[0].primitives[0].extensions.KHR_materials_variants.mappings = own;
    });
    const { text, json } = await cookGlb(source);
    expect(text).toContain('UC2479');
    expect(looksOf(json).shoe0).toEqual({ own: 'red', day: 'green', night, dusk: 'blue' });
    // Of several that name one variant, the option takes the same.
    const { json: chosen } = await cookGlb(source, '--material-variant', 'night');
    expect(looksOf(chosen).shoe0).toEqual({ own: night });
  }
});

test('normal maps of variants on other texture coordinates leave tangents to viewers (UC2478)', async () => {
  const place = (texCoord: number, transform: Json) => ({
    normalTexture: {
      index: 0,
      texCoord,
      ...(transform ? { extensions: { KHR_texture_transform: transform } } : {}),
    },
  });
  const build = (night: Json, attributes: Record<string, number[]> = {}) =>
    buildGlb(
      {
        ...SHOES,
        meshes: [
          {
            primitives: [
              {
                positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
                normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
                uvs: [0, 0, 1, 0, 0, 1],
                attributes: { TEXCOORD_1: [0, 0, 0, 1, -1, 0], ...attributes },
                material: 0,
              },
            ],
          },
        ],
        materials: [{ name: 'day', ...place(0, null) }, { name: 'plain' }, { name: 'night', ...night }],
        images: [rgb([[128, 128, 255]])],
      },
      (json) => {
        json.extensionsUsed.push('KHR_texture_transform');
        json.meshes[0].primitives[0].extensions = { KHR_materials_variants: mappings([1, 0], [2, 1]) };
      },
    );
  const tangent = { TANGENT: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1] };
  for (const [source, isTorn, hasTangents] of [
    [build(place(0, { offset: [0.5, 0] })), false, true],
    [build(place(1, null)), true, false],
    [build(place(0, { rotation: 1 })), true, false],
    [build(place(1, null), tangent), false, true],
  ] as const) {
    const name = `out${count++}.glb`;
    expect((await cook(source, name, '-v')).includes('info UC2478')).toBe(isTorn);
    const file = new Uint8Array(readFileSync(join(folder, name)));
    await expectValid(file, isTorn ? ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'] : []);
    const [{ attributes }] = openGlb(file).json.meshes[0].primitives;
    expect('TANGENT' in attributes).toBe(hasTangents);
  }
});
