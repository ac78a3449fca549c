// Models of Urho3D as sources: the model, its list and material, its animation, and the package around them, each damaged.

import { join, resolve } from 'node:path';
import { riggedScene } from '../../src/animation/rig.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { writeAnimation } from '../../src/formats/urho3d/animation/write.ts';
import { writePackage } from '../../src/formats/urho3d/package/write.ts';
import { memoryFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import { limb, mdl, wave } from '../importers/urho3d/models.ts';
import { damageBytes, type Mutator } from './mutators/bytes.ts';
import { codesOf, errorsOf } from './outcome.ts';
import type { Reader, Seed } from './reader.ts';
import { readSource } from './readSource.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const MATERIAL = encode(
  '<material><technique name="Techniques/PBR/PBRMetallicRoughDiffSpec.xml"/><parameter name="Roughness" value="0.5"/></material>',
);
const LIST = encode('Materials/a.xml\nMaterials/a.xml\n');
const PREFAB = encode(
  '<node id="1"><attribute name="Scale" value="2 2 2"/><component type="StaticModel"><attribute name="Model" value="Model;Models/a.mdl"/></component></node>',
);
/** A node of each kind that is read: a model that moves with a node for a bone, a group, a prefab, a light, a camera. */
const SCENE =
  encode(`<scene id="1"><node id="2"><attribute name="Position" value="1 2 3"/><component type="AnimatedModel">
<attribute name="Model" value="Model;Models/a.mdl"/><attribute name="Material" value="Material;Materials/a.xml;"/></component>
<node id="3"><attribute name="Name" value="Arm"/><attribute name="Rotation" value="0.5 0.5 0.5 0.5"/></node></node>
<node id="4"><attribute name="Scale" value="-1 1 1"/><component type="PrefabReference"><attribute name="Prefab" value="PrefabResource;Objects/b.xml"/></component></node>
<node id="5"><component type="StaticModelGroup"><attribute name="Model" value="Model;Models/a.mdl"/><attribute name="Instance Nodes">
<variant type="Int" value="2"/><variant type="Int" value="4"/><variant type="Int" value="6"/></attribute></component></node>
<node id="6"><component type="Light"><attribute name="Light Type" value="Spot"/><attribute name="Color" value="1 0.5 0 1"/></component>
<component type="Camera"><attribute name="FOV" value="60"/></component><component type="Terrain"/></node></scene>`);
const whole = () => ({
  'Models/a.mdl': mdl(limb()),
  'Models/a.txt': LIST,
  'Materials/a.xml': MATERIAL,
  'Objects/b.xml': PREFAB,
  'Scenes/a.xml': SCENE,
});
type Name = keyof ReturnType<typeof whole>;

/** A source of which one file is damaged. */
const sourceReader = (name: string, file: Name, damage: Mutator, main: Name = 'Models/a.mdl'): Reader => ({
  name,
  seeds: () => [{ name: file, bytes: whole()[file] }],
  damage,
  read: (input) => codesOf(() => readSource(input, main, { ...whole(), [file]: input.bytes }, 'gltf')),
});

const FOLDER = resolve('/fuzz');
const CLIP = join(FOLDER, 'a.ani');
const RIG = {
  animations: 'all',
  keepKeys: false,
  held: null,
  holdsWeights: true,
  animateNodes: false,
  morphs: 'all',
  subdivides: false,
} as const;

async function animated(bytes: Uint8Array): Promise<string[]> {
  const diagnostics = new Diagnostics();
  const inFolder = Object.entries(whole()).map(([name, content]) => [join(FOLDER, name), content] as const);
  const files = memoryFiles(Object.fromEntries([...inFolder, [CLIP, bytes]]), FOLDER);
  const context = { files: { ...files, search: { folders: [], remaps: [], animations: [CLIP] } }, diagnostics };
  const path = join(FOLDER, 'Models/a.mdl');
  const scene = await importSource(path, 'a.mdl', { ...context, options: { keepsRigs: true } });
  const { scene: posed } = await riggedScene(scene, RIG, diagnostics);
  for (const { primitives } of posed.meshes) for (const one of primitives) await one.read();
  return errorsOf(diagnostics.list);
}

async function packaged(bytes: Uint8Array): Promise<string[]> {
  const diagnostics = new Diagnostics();
  const files = memoryFiles({ [join(FOLDER, 'a.pak')]: bytes }, FOLDER);
  const scene = await importSource(join(FOLDER, 'a.pak/Models/a.mdl'), 'a.mdl', { files, diagnostics, options: {} });
  for (const { primitives } of scene.meshes) for (const one of primitives) await one.read();
  return errorsOf(diagnostics.list);
}

async function packages(): Promise<Seed[]> {
  const files = Object.entries(whole()).map(([name, bytes]) => ({ name, bytes }));
  return [
    { name: 'plain.pak', bytes: await writePackage({ format: 'UPAK', files }, 'a.pak') },
    { name: 'packed.pak', bytes: await writePackage({ format: 'ULZ4', files }, 'a.pak') },
  ];
}

export const urho3dReaders = (damageText: Mutator): readonly Reader[] => [
  sourceReader('mdl-source', 'Models/a.mdl', damageBytes),
  sourceReader('mdl-list', 'Models/a.txt', damageText),
  sourceReader('mdl-material', 'Materials/a.xml', damageText),
  sourceReader('scene-source', 'Scenes/a.xml', damageText, 'Scenes/a.xml'),
  sourceReader('prefab-source', 'Objects/b.xml', damageText, 'Scenes/a.xml'),
  {
    name: 'ani-source',
    seeds: () => [{ name: 'a.ani', bytes: writeAnimation(wave()) }],
    damage: damageBytes,
    read: ({ bytes }) => codesOf(() => animated(bytes)),
  },
  { name: 'pak-source', seeds: packages, damage: damageBytes, read: ({ bytes }) => codesOf(() => packaged(bytes)) },
];
