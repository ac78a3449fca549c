// Looks for holes in what was cooked for a zone from places that the cook has not looked from, on its own: source and result are read
// from their files. One of opaque surfaces counts as in the cook (docs/zones.md).

import { lookFromAll, relative } from '../src/cook/zone/seenTriangles.ts';
import { ZoneParts } from '../src/cook/zone/zoneParts.ts';
import { importScene, type Scene } from '../src/index.ts';
import { eyeView } from '../src/zone/look.ts';
import { Looker, type NewParts } from '../src/zone/looker.ts';
import { innerEyes, middleOf, type Zone } from '../src/zone/zone.ts';

/** The numbers of its places begin behind those of all places of the cook. */
const FIRST_EYE = 200_000;

export interface FoundHoles {
  readonly holes: number;
  /** Pixels of the largest. */
  readonly largest: number;
}

async function read(file: string): Promise<Scene> {
  const { scene, diagnostics } = await importScene(file);
  if (scene === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return scene;
}

/** `error`: pixels that surfaces were simplified up to; `scale`: pixels for a tangent of 1. */
export async function holesFrom(
  { source, result }: { readonly source: string; readonly result: string },
  zone: Zone,
  { eyes, error, scale }: { readonly eyes: number; readonly error: number; readonly scale: number },
): Promise<FoundHoles> {
  const middle = middleOf(zone);
  const partsOf = (scene: Scene) => {
    const nodes = scene.nodes.flatMap(({ mesh }, i) => (mesh >= 0 ? [i] : []));
    return new ZoneParts(scene, nodes, middle);
  };
  const parts = partsOf(await read(source));
  const ofResult = partsOf(await read(result));
  await ofResult.load([...ofResult.parts.keys()]);
  const made = { parts: ofResult.parts, radius: Math.ceil(error) + 1 };
  const looker = new Looker();
  let version = 0;
  const news = (): NewParts => {
    const list = parts.since(version);
    version = parts.version;
    return list;
  };
  let holes = 0;
  let largest = 0;
  for (const eye of innerEyes(zone, FIRST_EYE, eyes)) {
    const view = eyeView(relative(eye, middle), scale, []);
    const [look] = await lookFromAll([view], parts, async (from) => looker.holes(from, news(), made));
    holes += look.holes.length;
    for (const { pixels } of look.holes) largest = Math.max(largest, pixels);
  }
  return { holes, largest };
}
