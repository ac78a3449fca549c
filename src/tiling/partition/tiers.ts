// The tier of an object, by the words of its names, then by those of its materials, then by its size. The rules are those
// of the engine's own exporter, but words are whole: "hall" is found in `Hall_2` and `entryHall`, not in `challenge`.

import type { PlannedObject, SemanticTier } from '../types.ts';

const words = (text: string): readonly string[] => text.split(' ');

const FINE_PROPS = words(
  'pipe duct tube conduit sprinkler sensor switch outlet handle knob hinge fastener fixture smallprop',
);
const ROOM_CONTENTS = words(
  'chair table desk sofa couch bed cabinet shelf lamp appliance sink toilet bathtub monitor tv plant furniture airterminal',
);
const EXTERIOR_SHELL = words(
  'facade curtain cladding balcony roof exterior outer windowwall curtainwall glazing glasswall',
);
const STRUCTURE = words(
  'wall floor ceiling slab beam column pillar stair shaft elevator corridor hall partition railing core door frame',
);
const BY_NAME: readonly (readonly [SemanticTier, ReadonlySet<string>])[] = [
  ['FineProps', new Set(FINE_PROPS)],
  ['RoomContents', new Set(ROOM_CONTENTS)],
  ['ExteriorShell', new Set(EXTERIOR_SHELL)],
  ['StructuralInterior', new Set(STRUCTURE)],
];
const EXTERIOR_MATERIAL = new Set(
  words('glass window facade roof metal concrete brick stone cladding aluminum aluminium steel'),
);
const ROOM_MATERIAL = new Set(words('wood fabric leather upholstery cabinet counter furniture'));

/** `WindowWall_02-frame` -> window, wall, frame: split at case, digits and signs, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Whether the word, its singular or it together with the next one is in the list. */
function names(found: readonly string[], list: ReadonlySet<string>): boolean {
  const has = (word: string) =>
    list.has(word) ||
    (word.endsWith('s') && list.has(word.slice(0, -1))) ||
    (word.endsWith('es') && list.has(word.slice(0, -2))) ||
    (word.endsWith('ies') && list.has(`${word.slice(0, -3)}y`)) ||
    (word.endsWith('ves') && list.has(`${word.slice(0, -3)}f`));
  return found.some((word, i) => has(word) || (i + 1 < found.length && has(word + found[i + 1])));
}

const REMEMBERED_NAMES = 10_000;

/**
 * `answerOf` with a memory. Names that differ only in their numbers have the same words, because numbers only separate
 * words, and scenes have thousands of such names: the answer is kept for all of them.
 */
function remembered<T>(answerOf: (words: readonly string[]) => T): (name: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  return (name) => {
    const pattern = name.replace(/[0-9]+/g, '0');
    let known = answers.get(pattern);
    if (!known) {
      known = { answer: answerOf(wordsOf(pattern)) };
      if (answers.size >= REMEMBERED_NAMES) answers.clear();
      answers.set(pattern, known);
    }
    return known.answer;
  };
}

/** The tier of an object with this name, by its words; null: none of the words is known. */
export const tierOfName: (name: string) => SemanticTier | null = remembered(tierOfWords);

function tierOfWords(found: readonly string[]): SemanticTier | null {
  for (const [tier, list] of BY_NAME) if (names(found, list)) return tier;
  return found.some((word) => word.startsWith('door')) ? 'StructuralInterior' : null;
}

const kindsOfMaterial = remembered((found) => ({
  exterior: names(found, EXTERIOR_MATERIAL),
  room: names(found, ROOM_MATERIAL),
}));

function tierOfMaterials(materialNames: readonly string[]): SemanticTier | null {
  let exterior = 0;
  let room = 0;
  for (const name of materialNames) {
    const kinds = kindsOfMaterial(name);
    if (kinds.exterior) exterior++;
    if (kinds.room) room++;
  }
  return exterior > room ? 'ExteriorShell' : room > exterior ? 'RoomContents' : null;
}

/** Metres and cubic metres. */
const FINE_LENGTH = 0.4;
const FINE_VOLUME = 0.03;
const ROOM_LENGTH = 2.5;
const ROOM_VOLUME = 3;

function tierOfSize({ bounds: { min, max } }: PlannedObject): SemanticTier {
  const [x, y, z] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
  const longest = Math.max(x, y, z);
  if (longest <= FINE_LENGTH && x * y * z <= FINE_VOLUME) return 'FineProps';
  // The exporter has this rule too, but gives it too little confidence for it ever to count.
  if (longest <= ROOM_LENGTH && x * y * z <= ROOM_VOLUME) return 'RoomContents';
  return 'StructuralInterior';
}

/** The object's tier. `untagged` is the tier of objects without an authored tag; null: the rules decide. */
export function tierOf(object: PlannedObject, untagged: SemanticTier | null): SemanticTier {
  return (
    object.tags?.semanticTier ??
    untagged ??
    tierOfName(object.name) ??
    tierOfMaterials(object.materialNames) ??
    tierOfSize(object)
  );
}

/** A scene is outdoors if its half-diagonal is at least this, in metres and in cells, */
const OUTDOOR_HALF_DIAGONAL = 150;
const OUTDOOR_CELLS = 8;
/** and if nearly all of its objects are structure, as in the exporter. */
const OUTDOOR_SHELL_SHARE = 0.1;
const OUTDOOR_STRUCTURE_SHARE = 0.65;
/** A scene is indoors only if at least this share of its objects have names of things that are found inside buildings. */
const INDOOR_NAME_SHARE = 0.2;

/**
 * Whether a scene shows buildings from inside. The exporter calls every scene indoor that is not large; that arms the
 * engine's floor gate in small towns. Here a scene is indoor only if the names of its objects are indoor ones.
 */
export function sceneProfile(
  objects: readonly PlannedObject[],
  tiers: readonly SemanticTier[],
  halfDiagonal: number,
  tileSize: number,
): 'indoor' | 'outdoor' {
  const share = (tier: SemanticTier) => tiers.filter((t) => t === tier).length / tiers.length;
  if (
    halfDiagonal >= Math.max(OUTDOOR_HALF_DIAGONAL, OUTDOOR_CELLS * tileSize) &&
    share('ExteriorShell') < OUTDOOR_SHELL_SHARE &&
    share('StructuralInterior') >= OUTDOOR_STRUCTURE_SHARE
  ) {
    return 'outdoor';
  }
  const inside = objects.filter((object) => {
    const tier = object.tags?.semanticTier ?? tierOfName(object.name);
    return tier !== null && tier !== 'ExteriorShell';
  });
  return inside.length >= INDOOR_NAME_SHARE * objects.length ? 'indoor' : 'outdoor';
}
