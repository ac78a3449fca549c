// The textures of an output as they may be made smaller: each with the files that it becomes without its first mips. Levels are
// drawn with such files already, so that a file of an output is a texture and a number of mips that it lacks.

import { sha256Hex } from '../../bytes/sha256.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { describeUtex } from '../../formats/utex/read.ts';
import { smallerUtex } from '../../formats/utex/smaller.ts';
import type { OutputFacts } from '../check/facts.ts';

/** A file that a texture may become. */
export interface TextureSize {
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  /** On the GPU, with all mips. */
  readonly bytes: number;
}

/** A texture with the files that it may become, the whole one first. */
export interface TextureFamily {
  /** Its path in the first output, relative to the output's folder. */
  readonly path: string;
  readonly sizes: readonly TextureSize[];
}

/** A file of an output: its texture, and how many mips it lacks. */
export interface FamilyMember {
  readonly family: TextureFamily;
  readonly dropped: number;
}

function sizeOf(bytes: Uint8Array, path: string): TextureSize {
  const { width, height, gpuBytes } = describeUtex(bytes, path).description;
  return { sha256: sha256Hex(bytes), width, height, bytes: gpuBytes };
}

/** The textures of full detail among `paths`; what is no cooked texture cannot be made smaller. */
export function familiesOf(paths: readonly string[], facts: OutputFacts): TextureFamily[] {
  const families: TextureFamily[] = [];
  const known = new Set<string>();
  for (const path of [...new Set(paths)].sort()) {
    const bytes = facts.textureFile(path);
    if (!isUtex(bytes)) continue;
    const sizes = [bytes, ...smallerUtex(bytes).map((file) => file.bytes)].map((file) => sizeOf(file, path));
    if (known.has(sizes[0].sha256)) continue;
    known.add(sizes[0].sha256);
    families.push({ path, sizes });
  }
  return families;
}

/** Which texture each file is, by its content. */
export class FamilyMembers {
  readonly #bySha = new Map<string, FamilyMember>();
  readonly #byPath = new Map<string, FamilyMember | null>();

  constructor(families: readonly TextureFamily[]) {
    // A whole texture that equals a smaller one of another is itself.
    for (const family of families) {
      for (const [dropped, { sha256 }] of family.sizes.entries()) {
        if (dropped === 0 || !this.#bySha.has(sha256)) this.#bySha.set(sha256, { family, dropped });
      }
    }
  }

  /** Null: it is none of these, as a texture that the cook has painted. */
  of(path: string, facts: OutputFacts): FamilyMember | null {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const member = this.#bySha.get(sha256Hex(facts.textureFile(path))) ?? null;
    this.#byPath.set(path, member);
    return member;
  }

  /** Another output names its files anew. */
  forgetPaths(): void {
    this.#byPath.clear();
  }
}
