// Chooses which textures get smaller, and by how much, so that those in memory at every measured place fit a limit: always the one
// with the most bytes for each pixel that it covers, first as far as nobody sees it.

import type { OutputFacts } from '../check/facts.ts';
import type { MeasuredLook, MeasuredPlace } from '../check/measure.ts';
import type { FamilyMembers, TextureFamily } from './families.ts';
import { type SeenTexture, texelsADegree } from './seen.ts';

/** A texture whose longer side has fewer pixels shows little more than a colour. */
const MIN_SIDE = 64;

/** By texture, how many of its mips are left out. Textures that stay whole are not in it. */
export type Dropped = ReadonlyMap<TextureFamily, number>;

export interface TextureWishes {
  /** Bytes of textures that the device holds. */
  readonly limit: number;
  /** Texels that a degree shows at most. */
  readonly pixelsADegree: number;
  readonly seen: ReadonlyMap<TextureFamily, SeenTexture>;
}

/** What is held of textures at the end of a look. */
interface HeldTextures {
  /** Those that no limit changes. */
  readonly fixed: number;
  /** Of each texture, the numbers of mips that its files lack. */
  readonly families: ReadonlyMap<TextureFamily, readonly number[]>;
}

function heldAt({ held }: MeasuredLook, members: FamilyMembers, facts: OutputFacts): HeldTextures {
  const families = new Map<TextureFamily, Set<number>>();
  let fixed = 0;
  for (const path of new Set(held.flatMap((payload) => payload.facts.textures))) {
    const member = members.of(path, facts);
    if (member === null) fixed += facts.textureBytes(path);
    else families.set(member.family, (families.get(member.family) ?? new Set()).add(member.dropped));
  }
  return { fixed, families: new Map([...families].map(([family, dropped]) => [family, [...dropped]])) };
}

/** Files that become equal count once. */
function bytesOf({ sizes }: TextureFamily, files: readonly number[], dropped: number): number {
  return [...new Set(files.map((own) => Math.max(own, dropped)))].reduce((sum, at) => sum + sizes[at].bytes, 0);
}

/** Bytes of the textures in memory then. */
function bytesAt({ fixed, families }: HeldTextures, dropped: Dropped): number {
  let sum = fixed;
  for (const [family, files] of families) sum += bytesOf(family, files, dropped.get(family) ?? 0);
  return sum;
}

/** The texels of a size that a degree shows; a texture of which nothing is seen has enough at any size. */
export function texelsOf(family: TextureFamily, dropped: number, seen: TextureWishes['seen']): number {
  const found = seen.get(family);
  return found === undefined ? Number.POSITIVE_INFINITY : texelsADegree(found, family.sizes[dropped]);
}

/** Bytes on the GPU for each pixel that it covers, whatever the pixels of the device are. */
function cost(family: TextureFamily, dropped: number, seen: TextureWishes['seen']): number {
  const { width, height, bytes } = family.sizes[dropped];
  return (bytes / (width * height)) * texelsOf(family, dropped, seen) ** 2;
}

/** The texture to be made smaller next; null: none is left that changes the place. */
function nextOf(place: HeldTextures, dropped: Dropped, { pixelsADegree, seen }: TextureWishes): TextureFamily | null {
  const able = [...place.families].flatMap(([family, files]) => {
    const now = dropped.get(family) ?? 0;
    const next = family.sizes[now + 1];
    const isLarge = next !== undefined && Math.max(next.width, next.height) >= MIN_SIDE;
    const gain = isLarge ? bytesOf(family, files, now) - bytesOf(family, files, now + 1) : 0;
    const isUnseen = isLarge && texelsOf(family, now + 1, seen) >= pixelsADegree;
    return gain > 0 ? [{ family, gain, isUnseen, cost: cost(family, now, seen) }] : [];
  });
  const unseen = able.filter(({ isUnseen }) => isUnseen);
  const from = unseen.length > 0 ? unseen : able;
  from.sort(
    (a, b) => (a.cost === b.cost ? 0 : b.cost - a.cost) || b.gain - a.gain || (a.family.path < b.family.path ? -1 : 1),
  );
  return from[0]?.family ?? null;
}

/**
 * Lowers textures, from what is left out of them already, until those in memory at every place fit the limit or nothing is left.
 */
export function lowerTextures(
  places: readonly MeasuredPlace[],
  before: Dropped,
  members: FamilyMembers,
  facts: OutputFacts,
  wishes: TextureWishes,
): Dropped {
  const held = places.flatMap(({ looks }) => looks.map((look) => heldAt(look, members, facts)));
  const dropped = new Map(before);
  // Places that stay over whatever is done.
  const stuck = new Set<HeldTextures>();
  for (;;) {
    let worst: HeldTextures | null = null;
    let most = wishes.limit;
    for (const place of held) {
      const bytes = stuck.has(place) ? 0 : bytesAt(place, dropped);
      if (bytes > most) [worst, most] = [place, bytes];
    }
    if (worst === null) return dropped;
    const next = nextOf(worst, dropped, wishes);
    if (next === null) stuck.add(worst);
    else dropped.set(next, (dropped.get(next) ?? 0) + 1);
  }
}

/** As CookSettings.textureLimits has it, in the order of the hashes. */
export function limitsOf(dropped: Dropped): Record<string, number> {
  const limits = [...dropped].map(([{ sizes }, count]): [string, number] => {
    const { width, height } = sizes[count];
    return [sizes[0].sha256, Math.max(width, height)];
  });
  return Object.fromEntries(limits.sort(([a], [b]) => (a < b ? -1 : 1)));
}
