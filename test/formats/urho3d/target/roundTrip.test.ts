// Sources cooked to Urho3D, as one model and as tiles, read back and compared with `.untold` of the same cook.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../../src/formats/untold/read.ts';
import { readAnimation } from '../../../../src/formats/urho3d/animation/read.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { readMaterial } from '../../../../src/formats/urho3d/xml/material.ts';
import { readMaterialList } from '../../../../src/formats/urho3d/xml/materialList.ts';
import { decodeImageFile } from '../../../../src/textures/encode/png.ts';
import { character } from '../../../animation/characters.ts';
import { trianglesOf } from '../../../cook/cooked.ts';
import { buildGlb, TRIANGLE } from '../../../importers/gltf/build.ts';
import { bytesOf, cook, expectAlike, fileOf, ofUntold, SAMPLES, sorted, toUntold } from '../../glb/cooking.ts';
import { trianglesOfModel } from './meshes.ts';
import { BAKE, expectSameSet, expectSound, filesBelow, toModel } from './sets.ts';

const COURTYARD = join(SAMPLES, 'courtyard.usdz');
const MUSEUM = resolve(import.meta.dirname, '../../../../../shared/assets/usd/museum');

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

test('a building of the world as tiles', async (context) => {
  const files = existsSync(MUSEUM) ? [...(await import('node:fs')).readdirSync(MUSEUM)] : [];
  const file = files.find((name) => /\.usd[acz]?$/.test(name));
  if (!file) return context.skip('shared assets are not here');
  await expectSameSet('museum', join(MUSEUM, file), { tileSize: 10 });
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
