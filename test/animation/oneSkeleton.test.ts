// Meshes that share a skin share a skeleton in every output, also where joints at rest are not in the bind pose.

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { readModel } from '../../src/formats/urho3d/model/read.ts';
import { bytesOf, cook, fileOf, toGlb, toUntold, useFolder } from '../formats/glb/cooking.ts';
import { openGlb } from '../formats/glb/glb.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { inverted, mul, trs } from './arithmetic.ts';
import { character, globalsOf, LEG, tube } from './characters.ts';

useFolder();

/** What the tests change of a leg of five meshes, each of which follows one joint of the skin most. */
interface FiveOptions {
  /** By how much each joint at rest is off its bind pose, in metres. */
  readonly off: number;
  /** A skin for each mesh: of the same joints in the same pose, in the space of the mesh. */
  readonly apart?: boolean;
}

const COUNT = 5;

function five({ off, apart = false }: FiveOptions): SceneInput {
  const joints = LEG.map(({ t, ...joint }, j) => ({ ...joint, t: [t[0] + off * (j + 1), t[1], t[2]] }));
  const one = character({ joints, keys: [] });
  const binds = globalsOf(LEG).map(inverted);
  const mesh = tube(3);
  const vertices = mesh.positions.length / 3;
  const spaces = Array.from({ length: COUNT }, (_, m) => trs([0, 0, apart ? m : 0], [0, 0, 0, 1], [1, 1, 1]));
  const meshes = spaces.map((space, m) => ({
    name: `Part${m}`,
    primitives: [
      {
        ...mesh,
        positions: mesh.positions.map((value, i) => value - space[12 + (i % 3)]),
        attributes: {
          JOINTS_0: Uint8Array.from(Array.from({ length: vertices }, () => [m % 3, 0, 0, 0]).flat()),
          WEIGHTS_0: Array.from({ length: vertices }, () => [1, 0, 0, 0]).flat(),
        },
        material: 0,
      },
    ],
  }));
  const nodes = (one.nodes as object[]).slice(0, -1) as { children?: number[] }[];
  const first = nodes.length;
  nodes[0] = { ...nodes[0], children: [1, ...meshes.map((_, m) => first + m)] };
  return {
    ...one,
    meshes,
    nodes: [...nodes, ...meshes.map(({ name }, m) => ({ name, mesh: m, skin: apart ? m : 0 }))],
    accessors: spaces.map((space) => ({ data: binds.flatMap((bind) => mul(bind, space)), type: 'MAT4' })),
    root: {
      skins: spaces
        .slice(0, apart ? COUNT : 1)
        .map((_, m) => ({ joints: LEG.map((_, j) => j + 1), inverseBindMatrices: COUNT * 5 + m })),
    },
  };
}

/** The numbers of joints of each skeleton, by kind of output, and the codes of the cook to .untold. */
async function skeletons(name: string, scene: SceneInput) {
  writeFileSync(fileOf(`${name}_in.glb`), buildGlb(scene));
  const source = fileOf(`${name}_in.glb`);
  const { diagnostics } = await toUntold(source, `${name}.untold`);
  await toGlb(source, `${name}.glb`);
  await cook(source, { kind: 'file', path: fileOf(`${name}.mdl`) }, { format: 'urho3d' });
  const untold = await readUntold(bytesOf(`${name}.untold`), name);
  const { json } = openGlb(bytesOf(`${name}.glb`));
  const model = readModel(new Uint8Array(readFileSync(fileOf(`${name}.mdl`))), name);
  return {
    codes: diagnostics.map(({ code }) => code),
    untold: untold.skeletons?.map(({ joints }) => joints.length),
    skins: untold.skins?.length,
    glb: json.skins.map(({ joints }: { joints: number[] }) => joints.length),
    bones: model.bones.map((bone) => bone.name),
  };
}

const ONE = { untold: [3], skins: COUNT, glb: [3], bones: ['Hip', 'Knee', 'Foot'] };

describe('five meshes of one pose', () => {
  test('on one skin keep one skeleton where joints are 18 micrometres off', async () => {
    expect(await skeletons('near', five({ off: 18e-6 }))).toEqual({ ...ONE, codes: [] });
  });

  test('on one skin keep one skeleton where joints are a centimetre off, which is said', async () => {
    const { codes: said, ...found } = await skeletons('far', five({ off: 0.01 }));
    expect(found).toEqual(ONE);
    // The two meshes that follow the joint by which the pose is placed are where they are at rest.
    expect(said).toEqual(['UC2070', 'UC2070', 'UC2070']);
  });

  test('on a skin each, of the same joints in spaces of their own, keep one skeleton', async () => {
    const { codes: _, ...found } = await skeletons('apart', five({ off: 18e-6, apart: true }));
    expect(found).toEqual(ONE);
  });
});
