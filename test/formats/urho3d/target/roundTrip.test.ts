// Sources cooked to Urho3D, as one model and as tiles, read back and compared with `.untold` of the same cook.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../../src/formats/untold/read.ts';
import { readAnimation } from '../../../../src/formats/urho3d/animation/read.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { readMaterial } from '../../../../src/formats/urho3d/xml/material.ts';
import { readMaterialList } from '../../../../src/formats/urho3d/xml/materialList.ts';
import { decodeImageFile, encodePng } from '../../../../src/textures/encode/png.ts';
import { character } from '../../../animation/characters.ts';
import { GltfPoses, partsOfGlb } from '../../../animation/gltfPoses.ts';
import { trianglesOf } from '../../../cook/cooked.ts';
import { buildGlb, TRIANGLE } from '../../../importers/gltf/build.ts';
import {
  bytesOf,
  cook,
  expectAlike,
  fileOf,
  ofUntold,
  SAMPLES,
  sorted,
  toUntold,
  useFolder,
} from '../../glb/cooking.ts';
import { trianglesOfModel } from './meshes.ts';
import { posedVertices } from './poses.ts';
import { BAKE, expectSameSet, expectSound, filesBelow, toModel } from './sets.ts';

useFolder();

const COURTYARD = join(SAMPLES, 'courtyard.usdz');
const MAN = resolve(import.meta.dirname, '../../../../../shared/assets/usd/usdz/CesiumMan/CesiumMan.usdz');

test('the courtyard as a model: the triangles of .untold, its materials and textures', async () => {
  await toUntold(COURTYARD, 'yard.untold', BAKE);
  const outcome = await toModel(COURTYARD, 'yard/yard.mdl');
  expect(outcome.diagnostics.map(({ code }) => code)).not.toContain('UC2310');
  const untold = await readUntold(bytesOf('yard.untold'), 'yard');
  expectAlike(sorted(trianglesOfModel(bytesOf('yard/yard.mdl'))), ofUntold(trianglesOf(untold)));
  expectSound('yard');
  const list = readMaterialList(bytesOf('yard/yard.txt'), 'yard') as string[];
  expect(list.length).toBe(readModel(bytesOf('yard/yard.mdl'), 'yard').geometries.length);
  const bricks = list.find((name) => name.includes('Bricks'))!;
  const { technique, textures, parameters } = readMaterial(bytesOf(`yard/${bricks}`), bricks);
  expect(technique).toBe('Techniques/PBR/PBRMetallicRoughDiffNormalSpecAO.xml');
  expect(textures.map(({ unit }) => unit)).toEqual(['diffuse', 'normal', 'specular', 'emissive']);
  // The shader adds these to the texels.
  expect(
    parameters.filter(({ name }) => name === 'Roughness' || name === 'Metallic').map(({ value }) => value),
  ).toEqual([[0], [0]]);
  // Roughness of the source is green and its metalness blue; here they are red and green.
  const source = untold.materials.find(({ name }) => name === 'Bricks')!;
  const orm = await decodeImageFile(new Uint8Array(readFileSync(fileOf(untold.textures[source.roughnessTexture].uri))));
  const packed = await decodeImageFile(bytesOf(`yard/${textures[2].name}`));
  expect(packed!.data.length).toBe(orm!.data.length);
  for (let at = 0; at < packed!.data.length; at += 4) {
    expect([packed!.data[at], packed!.data[at + 1]]).toEqual([
      Math.round(orm!.data[at + source.roughnessChannel] * source.roughnessFactor),
      Math.round(orm!.data[at + source.metallicChannel] * source.metallicFactor),
    ]);
  }
});

test('the courtyard as tiles: full detail, levels, distances and materials of the same cook', async () => {
  await expectSameSet('yard', COURTYARD, { tileSize: 5, lods: [0.5], hlod: 0.1 });
});

test('a walking man of the world: the triangles of .untold, on bones of one root', async (context) => {
  if (!existsSync(MAN)) return context.skip('the shared assets are not here');
  await toUntold(MAN, 'man.untold', BAKE);
  await toModel(MAN, 'man/man.mdl');
  const untold = await readUntold(bytesOf('man.untold'), 'man');
  expectAlike(sorted(trianglesOfModel(bytesOf('man/man.mdl'))), ofUntold(trianglesOf(untold)));
  expectSound('man');
  const { bones } = readModel(bytesOf('man/man.mdl'), 'man');
  expect(bones.length).toBe(untold.skeletons?.[0].joints.length);
});

test('the same bytes twice', async () => {
  const settings = { format: 'urho3d', tileSize: 5, lods: [0.5], hlod: 0.1 } as const;
  for (const name of ['once', 'twice']) {
    await cook(COURTYARD, { kind: 'folder', folder: fileOf(name), sceneName: 'yard' }, settings);
    await toModel(COURTYARD, `${name}-model/yard.mdl`);
  }
  expect(filesBelow('twice')).toEqual(filesBelow('once'));
  expect(filesBelow('twice-model')).toEqual(filesBelow('once-model'));
});

test('a set replaces the one before it, and nothing else', async () => {
  const target = { kind: 'folder', folder: fileOf('again'), sceneName: 'yard' } as const;
  await cook(COURTYARD, target, { format: 'urho3d', tileSize: 5 });
  const mine = 'Models/yard/mine.mdl';
  writeFileSync(fileOf(`again/${mine}`), 'mine');
  await cook(COURTYARD, target, { format: 'urho3d', tileSize: 100 });
  const record = JSON.parse(readFileSync(fileOf('again/yard.json'), 'utf8'));
  const listed = record.files.map(({ path }: { path: string }) => path);
  expect([...filesBelow('again').keys()].sort()).toEqual([...listed, mine, 'yard.json', 'yard.plan.svg'].sort());
});

test('a character: bones, weights and a file for each clip', async () => {
  writeFileSync(fileOf('hero.glb'), buildGlb(character()));
  await toModel(fileOf('hero.glb'), 'hero/hero.mdl');
  const { bones, vertexBuffers, geometries } = readModel(bytesOf('hero/hero.mdl'), 'hero');
  expect(bones.length).toBeGreaterThan(1);
  expect(bones.filter(({ parent }, i) => parent === i).length).toBe(1);
  expect(vertexBuffers[0].elements.map(({ semantic }) => semantic)).toContain('blendWeights');
  expect(geometries.every(({ boneMapping }) => boneMapping.length === 0)).toBe(true);
  const clips = [...filesBelow('hero').keys()].filter((name) => name.endsWith('.ani'));
  expect(clips.length).toBeGreaterThan(0);
  const names = new Set(bones.map(({ name }) => name));
  for (const clip of clips) {
    const { name, tracks } = readAnimation(bytesOf(`hero/${clip}`), clip);
    expect(name.startsWith('hero|')).toBe(true);
    expect(tracks.every(({ bone }) => names.has(bone))).toBe(true);
  }
  expectSound('hero');
  // A cook without clips takes the earlier ones away, and leaves those of other models.
  writeFileSync(fileOf('hero/hero_mine.ani'), 'mine');
  await toModel(fileOf('hero.glb'), 'hero/hero.mdl', {
    rig: { animations: 'none', keepKeys: false, animateNodes: false },
  });
  expect([...filesBelow('hero').keys()].filter((name) => name.endsWith('.ani'))).toEqual(['hero_mine.ani']);
});

/** The largest distance of a vertex from the nearest track of the other side, over all times. */
function farthest(a: readonly number[][][], b: readonly number[][][]): number {
  const off = (v: number, w: number) =>
    Math.max(...a.map((pose, t) => Math.hypot(...pose[v].map((x, k) => x - b[t][w][k]))));
  return Math.max(...[...a[0].keys()].map((v) => Math.min(...[...b[0].keys()].map((w) => off(v, w)))));
}

test('a character moves as its source does', async () => {
  const source = buildGlb(character());
  writeFileSync(fileOf('moving.glb'), source);
  await toModel(fileOf('moving.glb'), 'moving/moving.mdl');
  const model = readModel(bytesOf('moving/moving.mdl'), 'moving');
  const { json, bin } = partsOfGlb(source);
  const poses = new GltfPoses(json, bin);
  const clips = [...filesBelow('moving').keys()].filter((name) => name.endsWith('.ani'));
  for (const [i, { name }] of json.animations.entries()) {
    const clip = clips
      .map((file) => readAnimation(bytesOf(`moving/${file}`), file))
      .find((one) => one.name === `moving|${name}`)!;
    const [start, end] = poses.span(i);
    const shares = [0, 0.2, 0.5, 0.75, 1];
    const theirs = shares.map((share) => poses.pose(i, start + share * (end - start)));
    const ours = shares.map((share) => posedVertices(model, clip, share * (end - start)));
    expect(farthest(ours, theirs)).toBeLessThan(1e-3);
    expect(farthest(theirs, ours)).toBeLessThan(1e-3);
  }
});

test('what is lost is counted and said once a kind', async () => {
  const light = (type: string, more = {}) => ({ type, color: [1, 1, 1], intensity: 100, ...more });
  const lights = [light('point'), light('spot', { spot: { outerConeAngle: 0.5 } }), light('directional')];
  const scene = {
    meshes: [{ primitives: [TRIANGLE] }],
    nodes: [
      { mesh: 0 },
      ...lights.map((_, i) => ({ extensions: { KHR_lights_punctual: { light: i } } })),
      { camera: 0 },
    ],
  };
  writeFileSync(
    fileOf('lit.glb'),
    buildGlb(scene, (json) => {
      json.extensionsUsed = ['KHR_lights_punctual'];
      json.extensions = { KHR_lights_punctual: { lights } };
      json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.5, zfar: 200 } }];
    }),
  );
  const model = await toModel(fileOf('lit.glb'), 'lit/lit.mdl');
  expect(model.diagnostics.filter(({ code }) => code === 'UC2310').map(({ message }) => message)).toEqual([
    '3 lights and 1 camera',
  ]);
  const target = { kind: 'folder', folder: fileOf('lit-set'), sceneName: 'lit' } as const;
  const set = await cook(fileOf('lit.glb'), target, { format: 'urho3d' });
  expect(set.diagnostics.filter(({ code }) => code === 'UC2312').map(({ message }) => message)).toEqual(['2 lights']);
  const xml = readFileSync(fileOf('lit-set/Scenes/lit.xml'), 'utf8');
  for (const words of [
    '"Point"',
    '"Spot"',
    '"Directional"',
    'name="Near Clip" value="0.5"',
    'name="Far Clip" value="200"',
  ])
    expect(xml).toContain(words);
});

/** Two colours a texel: a test image of 2 x 1. */
const png = (...rgba: number[]) => encodePng(Uint8Array.from(rgba), rgba.length / 4, 1, true);

test('what the shaders cannot do is baked into texels, and an occlusion map beside emission is left out', async () => {
  const images = [
    await png(255, 255, 255, 100, 255, 255, 255, 200),
    await png(185, 128, 242, 255, 128, 128, 255, 255),
    await png(100, 50, 200, 255, 200, 150, 0, 255),
  ];
  const material = {
    pbrMetallicRoughness: {
      baseColorTexture: { index: 0 },
      baseColorFactor: [1, 1, 1, 1],
      metallicRoughnessTexture: { index: 2 },
      metallicFactor: 0.5,
      roughnessFactor: 1,
    },
    normalTexture: { index: 1, scale: 2 },
    occlusionTexture: { index: 2, strength: 0.5 },
    alphaMode: 'MASK',
    alphaCutoff: 0.75,
  };
  const lamp = { ...material, name: 'lamp', emissiveTexture: { index: 0 }, emissiveFactor: [1, 1, 1] };
  const uvs = { ...TRIANGLE, uvs: [0, 0, 1, 0, 0, 1] };
  writeFileSync(
    fileOf('baked.glb'),
    buildGlb(
      {
        meshes: [{ primitives: [{ ...uvs, material: 0 }] }, { primitives: [{ ...uvs, material: 1 }] }],
        nodes: [{ mesh: 0 }, { mesh: 1 }],
      },
      (json) => {
        json.materials = [{ ...material, name: 'wall' }, lamp];
        json.images = images.map((bytes) => ({
          uri: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
        }));
        json.textures = images.map((_, source) => ({ source }));
      },
    ),
  );
  const { diagnostics } = await toModel(fileOf('baked.glb'), 'baked/baked.mdl');
  expect(diagnostics.filter(({ code }) => code === 'UC2311').map(({ message }) => message)).toEqual(['1 material']);
  const list = readMaterialList(bytesOf('baked/baked.txt'), 'list') as string[];
  const textureOf = async (stem: string, unit: string) => {
    const name = list.find((one) => one.includes(stem))!;
    const found = readMaterial(bytesOf(`baked/${name}`), name).textures.find((texture) => texture.unit === unit)!;
    return [...(await decodeImageFile(bytesOf(`baked/${found.name}`)))!.data];
  };
  // 100/255 is below the cut-off of 0.75, 200/255 above: less and more than half.
  const alpha = await textureOf('wall', 'diffuse');
  expect([alpha[3] < 128, alpha[7] >= 128]).toEqual([true, true]);
  // A slope of 0.5 becomes one of 1: 45 degrees.
  const [x, y, z] = await textureOf('wall', 'normal');
  expect([Math.abs(x - z) < 4, Math.abs(y - 128) < 4]).toEqual([true, true]);
  // Roughness 50/255, metalness 200/255 times 0.5; occlusion half as strong.
  expect((await textureOf('wall', 'specular')).slice(0, 3)).toEqual([50, 100, 0]);
  expect((await textureOf('wall', 'emissive')).slice(0, 3)).toEqual([178, 178, 178]);
  expect((await textureOf('lamp', 'emissive')).slice(0, 3)).toEqual([255, 255, 255]);
  expectSound('baked');
});
