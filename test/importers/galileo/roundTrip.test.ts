// By way of .gali: what comes out of the file is what comes out of its source, but for what docs/formats.md lists.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readGalileo } from '../../../src/formats/galileo/read.ts';
import { writeGalileo } from '../../../src/formats/galileo/write.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { type Drawn, drawnOfUntold, expectSameDrawing } from '../../formats/compare.ts';
import { channelsGltf } from '../../formats/galileo/channelsGltf.ts';
import { mesh, TRIANGLE } from '../../formats/galileo/meshes.ts';
import { toGali } from '../../formats/galileo/sameAsUntold.ts';
import { bytesOf, fileOf, SAMPLES, toGlb, toUntold, useFolder } from '../../formats/glb/cooking.ts';
import { drawnTriangles, type Opened, openGlb } from '../../formats/glb/glb.ts';

useFolder();

const SOURCES = { courtyard: join(SAMPLES, 'courtyard.usdz'), sprout: join(SAMPLES, 'glb/sprout.glb'), leaf: '' };
const BAKE = { instances: 'bake', flatten: true } as const;
const names = Object.keys(SOURCES) as readonly (keyof typeof SOURCES)[];

beforeAll(async () => {
  writeFileSync(fileOf('leaf.gltf'), channelsGltf());
  for (const name of names) {
    await toGali(SOURCES[name] || fileOf('leaf.gltf'), `${name}.gali`);
  }
});

test.each(names)('%s: .gali to .gali is the same file, byte by byte', async (name) => {
  mkdirSync(fileOf('again'), { recursive: true });
  await toGali(fileOf(`${name}.gali`), `again/${name}.gali`);
  expect(Buffer.compare(bytesOf(`again/${name}.gali`), bytesOf(`${name}.gali`))).toBe(0);
  // Called otherwise, it is another asset: its UUID follows from the name of the source. The 36 bytes end with a sum of the body.
  await toGali(fileOf(`again/${name}.gali`), 'again/other.gali');
  await toGali(fileOf('again/other.gali'), 'again/third.gali');
  const bodies = ['again/other.gali', 'again/third.gali'].map((file) => Buffer.from(bytesOf(file).subarray(24)));
  for (const body of bodies) expect(body.equals(Buffer.from(bytesOf(`${name}.gali`).subarray(24)))).toBe(true);
});

/** Texture coordinates of materials without a texture are not compared: those that repeat are left out of a .gali file. */
const withoutUvs = (triangles: readonly Drawn[], untextured: ReadonlySet<string>): Drawn[] =>
  triangles.map(({ corners, material }) => ({
    material,
    corners: untextured.has(material) ? corners.map((corner) => ({ ...corner, uv: [] })) : corners,
  }));

describe('the courtyard', () => {
  test('as .untold draws the same', async () => {
    await toUntold(SOURCES.courtyard, 'direct.untold', BAKE);
    await toUntold(fileOf('courtyard.gali'), 'way.untold', BAKE);
    const [direct, way] = await Promise.all(
      ['direct.untold', 'way.untold'].map((name) => readUntold(bytesOf(name), name)),
    );
    const untextured = direct.materials.filter(({ baseColorTexture }) => baseColorTexture >= 2 ** 31);
    const bare = new Set(untextured.map(({ name }) => name));
    expect([bare.size > 0, bare.size < direct.materials.length]).toEqual([true, true]);
    expect(
      expectSameDrawing(withoutUvs(drawnOfUntold(way), bare), drawnOfUntold(direct), { cut: true }),
    ).toBeGreaterThan(300);
  });

  test('as GLB draws the same', async () => {
    await toGlb(SOURCES.courtyard, 'direct.glb', BAKE);
    await toGlb(fileOf('courtyard.gali'), 'way.glb', BAKE);
    const [direct, way] = ['direct.glb', 'way.glb'].map((name) => openGlb(bytesOf(name)));
    const bare = new Set<string>(
      direct.json.materials.flatMap(
        ({ name, pbrMetallicRoughness }: { name: string; pbrMetallicRoughness?: object }) =>
          pbrMetallicRoughness && 'baseColorTexture' in pbrMetallicRoughness ? [] : [name],
      ),
    );
    const drawn = withoutUvs(drawnTriangles(way), bare);
    expect(expectSameDrawing(drawn, drawnTriangles(direct), { cut: true })).toBeGreaterThan(300);
  });
});

/** The values of each corner of all meshes, by attribute. */
function corners({ json, rows }: Opened): Map<string, number[][]> {
  const all = new Map<string, number[][]>();
  for (const { primitives } of json.meshes) {
    const [{ attributes, indices }] = primitives;
    for (const [name, index] of Object.entries(attributes)) {
      const values = rows(index as number);
      all.set(name, [...(all.get(name) ?? []), ...rows(indices).map(([vertex]) => values[vertex])]);
    }
  }
  return all;
}

/** The steps of a .gali file; directions are steps of 2^-24 of length 1. */
const ALLOWED: Readonly<Record<string, number>> = {
  TEXCOORD: 1 / 65535,
  WEIGHTS: 1 / 65535,
  NORMAL: 2e-7,
  TANGENT: 2e-7,
};

test.each(['sprout', 'leaf'] as const)('%s as GLB has each channel of each vertex', async (name) => {
  await toGlb(SOURCES[name] || fileOf('leaf.gltf'), `${name}.glb`, BAKE);
  await toGlb(fileOf(`${name}.gali`), `${name}-way.glb`, BAKE);
  const [direct, way] = [`${name}.glb`, `${name}-way.glb`].map((file) => corners(openGlb(bytesOf(file))));
  expect(direct.has('JOINTS_0')).toBe(true);
  const worst = new Map<string, number>();
  for (const [attribute, rows] of direct) {
    const others = way.get(attribute) ?? [];
    expect([attribute, others.length]).toEqual([attribute, rows.length]);
    const off = rows.flatMap((row, i) => row.map((value, k) => Math.abs(value - others[i][k])));
    worst.set(
      attribute,
      off.reduce((most, one) => Math.max(most, one), 0),
    );
  }
  for (const [attribute, off] of worst) {
    expect(off, attribute).toBeLessThanOrEqual(ALLOWED[attribute.split('_')[0]] ?? 0);
  }
});

test('the joints of a character keep names and parents, and stand at the origin', async () => {
  const skinOf = (file: string) => {
    const { json } = openGlb(bytesOf(file));
    const [{ joints }] = json.skins;
    return joints.map((joint: number) => ({
      name: json.nodes[joint].name,
      children: json.nodes[joint].children?.length ?? 0,
    }));
  };
  await toGlb(SOURCES.sprout, 'a.glb', BAKE);
  await toGlb(fileOf('sprout.gali'), 'b.glb', BAKE);
  expect(skinOf('b.glb')).toEqual(skinOf('a.glb'));
  const { json } = openGlb(bytesOf('b.glb'));
  for (const joint of json.skins[0].joints) expect(json.nodes[joint].translation ?? [0, 0, 0]).toEqual([0, 0, 0]);
});

test('numbered joints have a root in common in a GLB, and keep their numbers in .gali', async () => {
  const group = {
    ...TRIANGLE,
    joints: [Uint16Array.of(2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0)],
    weights: [Uint16Array.of(65535, 0, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0)],
  };
  writeFileSync(fileOf('numbered.gali'), await writeGalileo(mesh([group])));
  // The validator of Khronos asks for the common root.
  await toGlb(fileOf('numbered.gali'), 'numbered.glb', BAKE);
  const { json } = openGlb(bytesOf('numbered.glb'));
  const above = json.nodes.findIndex(({ children = [] }: { children?: number[] }) => children.length > 0);
  expect(json.nodes[above].children).toEqual(json.skins[0].joints);
  expect(json.skins[0].joints.map((joint: number) => json.nodes[joint].name)).toEqual([
    'joint_0',
    'joint_1',
    'joint_2',
  ]);
  expect(json.nodes[above].name).toBe('numbered');
  await toGali(fileOf('numbered.gali'), 'numbered-again.gali');
  const again = await readGalileo(bytesOf('numbered-again.gali'), 'numbered-again.gali');
  expect([...again.groups[0].joints[0]].filter((_, i) => i % 4 === 0)).toEqual([2, 2, 2]);
});
