// The path table of a crate, as strings (OpenUSD, usd/crateFile.cpp, _ReadPaths). Paths are stored as a tree in
// depth-first order: up to version 0.3 as records with file offsets, from 0.4 on as three runs of integers. The walk
// uses an explicit stack, because chains of 10^5 siblings or descendants occur.

import type { Cursor } from './coding/cursor.ts';
import { corrupt, tooLarge } from './fault.ts';

/** The three runs of version 0.4 and later. */
export interface PathRuns {
  /** The index of each path. */
  readonly indexes: Uint32Array;
  /** The token of the last element of each path; negative for a property. */
  readonly elements: Int32Array;
  /**
   * > 0: the child is next, the sibling is `jump` further; 0: the sibling is next; -1: the child is next; -2: a leaf.
   */
  readonly jumps: Int32Array;
}

const JUMP_SIBLING = 0;
const JUMP_CHILD = -1;
const JUMP_LEAF = -2;

/** Bits of a path record in crates of version 0.3 and earlier. */
const HAS_CHILD = 1;
const HAS_SIBLING = 2;
const IS_PROPERTY = 4;

/** The limit of characters in all paths together. A chain of nested prims needs the square of its length. */
const MAX_PATH_CHARACTERS = 2 ** 29;

const BRACE_OPEN = 0x7b;
const BRACKET_OPEN = 0x5b;

/** The prefix of the paths of children: `/A/`, `/` or, for a variant, `/A{set=name}`. */
const childPrefix = (path: string): string => (path === '/' || path.endsWith('}') ? path : `${path}/`);

class PathTable {
  readonly paths: string[];
  readonly #tokens: readonly string[];
  #visits = 0;
  #characters = 0;

  constructor(n: number, tokens: readonly string[]) {
    this.paths = new Array<string>(n).fill('');
    this.#tokens = tokens;
  }

  /** Sets path `index` to the root, or to `parent` with one more element. `prefix` is childPrefix(parent). */
  set(index: number, parent: string | null, prefix: string, token: number, isProperty: boolean): string {
    if (index >= this.paths.length) corrupt(`path index ${index} of ${this.paths.length}`);
    // Each entry is set once. More visits than entries mean that the tree has a cycle.
    if (++this.#visits > this.paths.length) corrupt('the path tree visits a node twice');
    let path = '/';
    if (parent !== null) {
      if (token >= this.#tokens.length) corrupt(`path element is token ${token} of ${this.#tokens.length}`);
      const element = this.#tokens[token];
      const first = element.charCodeAt(0);
      if (isProperty) path = `${parent}.${element}`;
      else if (first === BRACE_OPEN || first === BRACKET_OPEN) path = parent + element;
      else path = prefix + element;
    }
    this.#characters += path.length;
    if (this.#characters > MAX_PATH_CHARACTERS) {
      tooLarge(`the paths have more than ${MAX_PATH_CHARACTERS} characters together`);
    }
    this.paths[index] = path;
    return path;
  }
}

function walkRuns(table: PathTable, runs: PathRuns): void {
  const { indexes, elements, jumps } = runs;
  const m = indexes.length;
  const siblings: number[] = [];
  const parents: string[] = [];
  let i = 0;
  let parent: string | null = null;
  let prefix = '';
  while (i < m) {
    const element = elements[i];
    const path = table.set(indexes[i], parent, prefix, Math.abs(element), element < 0);
    const jump = jumps[i];
    if (jump < JUMP_LEAF) corrupt(`path ${i} has jump ${jump}`);
    const root: boolean = parent === null;
    if (root && jump !== JUMP_CHILD && jump !== JUMP_LEAF) corrupt('the absolute root path has a sibling');
    if (jump === JUMP_SIBLING) {
      i++;
    } else if (jump === JUMP_LEAF) {
      const sibling = siblings.pop();
      if (sibling === undefined) return;
      i = sibling;
      parent = parents.pop() as string;
      prefix = childPrefix(parent);
    } else {
      if (jump > 0) {
        siblings.push(i + jump);
        parents.push(parent as string);
      }
      i++;
      parent = path;
      prefix = childPrefix(path);
    }
  }
  if (m > 0) corrupt(`the path tree runs past its ${m} nodes`);
}

function walkRecords(table: PathTable, cursor: Cursor, junk: number): void {
  const siblings: number[] = [];
  const parents: string[] = [];
  let parent: string | null = null;
  let prefix = '';
  for (;;) {
    cursor.take(junk);
    const index = cursor.u32();
    const token = cursor.u32();
    const bits = cursor.u8();
    cursor.take(3);
    const path = table.set(index, parent, prefix, token, (bits & IS_PROPERTY) !== 0);
    const hasChild = (bits & HAS_CHILD) !== 0;
    const hasSibling = (bits & HAS_SIBLING) !== 0;
    if (parent === null && hasSibling) corrupt('the absolute root path has a sibling');
    if (hasChild) {
      if (hasSibling) {
        const sibling = cursor.i64();
        if (!(sibling >= 0 && sibling < cursor.end)) corrupt(`a path record is at byte ${sibling}`);
        siblings.push(sibling);
        parents.push(parent as string);
      }
      parent = path;
      prefix = childPrefix(path);
    } else if (!hasSibling) {
      const sibling = siblings.pop();
      if (sibling === undefined) return;
      cursor.at = sibling;
      parent = parents.pop() as string;
      prefix = childPrefix(parent);
    }
  }
}

/**
 * The `n` paths by index. Entries that are not encoded are the empty path. For versions up to 0.3, `runs` is null and
 * `cursor` is at the first record; each record starts with `junk` unused bytes. Throws CrateFault.
 */
export function readPaths(
  cursor: Cursor,
  n: number,
  tokens: readonly string[],
  junk: number,
  runs: PathRuns | null,
): string[] {
  const table = new PathTable(n, tokens);
  if (runs) walkRuns(table, runs);
  else if (n > 0) walkRecords(table, cursor, junk);
  return table.paths;
}
