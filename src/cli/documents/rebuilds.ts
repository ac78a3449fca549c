// Why sources were cooked again, in words: tiles with the same reason in one line, and sources with the same reasons once.

import { count, plural } from '../terminal/words.ts';

/** Tiles of one reason that have a line each; of more the first are named. */
const MAX_ALIKE = 5;
const NAMED = 3;
/** Sources with the same reasons that have them told. */
const MAX_EQUAL = 3;

/** `tile_0_0_0: material Blue`: a part of the source, and why. */
const PART = /^(\S+(?: levels| HLOD)?): (.+)$/;

/** The lines of one source; what many of its parts have alike is one. */
export function rebuildLines(rebuilt: readonly string[]): string[] {
  const parts = new Map<string, string[]>();
  for (const line of rebuilt) {
    const [, part, why] = PART.exec(line) ?? [];
    if (part !== undefined) parts.set(why, [...(parts.get(why) ?? []), part]);
  }
  const told = new Set<string>();
  return rebuilt.flatMap((line) => {
    const why = PART.exec(line)?.[2];
    const alike = (why !== undefined && parts.get(why)) || [];
    if (why === undefined || alike.length <= MAX_ALIKE) return [line];
    if (told.has(why)) return [];
    told.add(why);
    return [`${alike.slice(0, NAMED).join(', ')} and ${count(alike.length - NAMED)} more: ${why}`];
  });
}

/** The reasons of the sources of a call. */
export class Rebuilds {
  readonly #sources = new Map<string, number>();

  /** The lines that are told of a source; none where others with the same reasons were told of. */
  of(rebuilt: readonly string[]): readonly string[] {
    // Which parts are cooked follows from the reasons, and differs from source to source.
    const key = rebuilt.filter((line) => !PART.test(line)).join('; ');
    const before = this.#sources.get(key) ?? 0;
    this.#sources.set(key, before + 1);
    return key === '' || before < MAX_EQUAL ? rebuildLines(rebuilt) : [];
  }

  /** The reasons that more sources have than were told of. */
  get summary(): string[] {
    return [...this.#sources].flatMap(([reasons, sources]) =>
      reasons === '' || sources <= MAX_EQUAL ? [] : [`${plural(sources, 'source')} cooked again: ${reasons}`],
    );
  }
}
