// The tables of a crate that values and specs point into: tokens, strings, paths. An entry is written once.

/** The first token, as OpenUSD writes it: the element of a property is the negative of its token, and 0 has none. */
const NO_ELEMENT = ';-)';

/** Indexes by text, in the order of the first use. */
class TextTable {
  readonly items: string[] = [];
  readonly #indexes = new Map<string, number>();

  of(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.items.length);
    return this.items.push(text) - 1;
  }
}

export class Tokens extends TextTable {
  constructor() {
    super();
    this.of(NO_ELEMENT);
  }

  /** NUL ends a token in the file, so that none can hold it. */
  override of(text: string): number {
    return super.of(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
  }
}

/** Strings, each the index of a token. */
export class Strings {
  readonly tokens: number[] = [];
  readonly #indexes = new Map<number, number>();
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  of(text: string): number {
    const token = this.#tokens.of(text);
    const known = this.#indexes.get(token);
    if (known !== undefined) return known;
    this.#indexes.set(token, this.tokens.length);
    return this.tokens.push(token) - 1;
  }
}

/** The last element of a path, and what it is appended to. */
interface LastElement {
  readonly parent: string;
  readonly element: string;
  readonly isProperty: boolean;
}

function lastElement(path: string): LastElement {
  if (path.endsWith(']') || path.endsWith('}')) {
    const [open, close] = path.endsWith(']') ? ['[', ']'] : ['{', '}'];
    let depth = 0;
    let at = path.length - 1;
    for (; at > 0; at--) {
      if (path[at] === close) depth++;
      else if (path[at] === open && --depth === 0) break;
    }
    return { parent: path.slice(0, at), element: path.slice(at), isProperty: false };
  }
  let at = path.length - 1;
  while (at > 0 && !'/.}]'.includes(path[at])) at--;
  const isAppended = path[at] === '}' || path[at] === ']';
  const parent = isAppended ? path.slice(0, at + 1) : path.slice(0, at);
  return { parent: parent === '' ? '/' : parent, element: path.slice(at + 1), isProperty: path[at] === '.' };
}

/** The runs of the PATHS section: the tree of the paths, each before what is below it. */
export interface PathTree {
  readonly indexes: Int32Array;
  /** Tokens of the last elements, negative for properties. */
  readonly elements: Int32Array;
  /** The distance of the next sibling; 0: it follows; -1: there is none, and a child follows; -2: neither. */
  readonly jumps: Int32Array;
}

const JUMP_SIBLING = 0;
const JUMP_CHILD = -1;
const JUMP_LEAF = -2;

export class Paths {
  readonly items: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #elements: number[] = [];
  readonly #children: number[][] = [];
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#add('/', -1, 0);
  }

  #add(path: string, parent: number, element: number): number {
    const index = this.items.push(path) - 1;
    this.#indexes.set(path, index);
    this.#parents.push(parent);
    this.#elements.push(element);
    this.#children.push([]);
    if (parent >= 0) this.#children[parent].push(index);
    return index;
  }

  /** The index of an absolute path as crates spell it; of '', the empty path. The paths above it are added. */
  of(path: string): number {
    const known = this.#indexes.get(path);
    if (known !== undefined) return known;
    // The empty path stands in the table alone, not in the tree.
    if (path === '') return this.#add('', -1, 0);
    const missing: (LastElement & { readonly path: string })[] = [];
    let above = path;
    let index = this.#indexes.get(above);
    while (index === undefined) {
      const last = lastElement(above);
      missing.push({ ...last, path: above });
      above = last.parent;
      index = this.#indexes.get(above);
    }
    for (const { path: own, element, isProperty } of missing.reverse()) {
      const token = this.#tokens.of(element);
      index = this.#add(own, index, isProperty ? -token : token);
    }
    return index;
  }

  /** The tree; what lies below one path stands in the order of `specs`, as some readers take the children of a prim from it. */
  tree(specs: readonly number[]): PathTree {
    const ranks = new Float64Array(this.items.length).fill(Infinity);
    specs.forEach((path, i) => {
      ranks[path] = Math.min(ranks[path], i);
    });
    const order: number[] = [];
    const pending = [0];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      order.push(next);
      const below = this.#children[next];
      below.sort((a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a] - ranks[b]));
      for (let i = below.length - 1; i >= 0; i--) pending.push(below[i]);
    }
    /** Nodes of the tree from each path down. */
    const sizes = new Int32Array(this.items.length).fill(1);
    for (let i = order.length - 1; i > 0; i--) sizes[this.#parents[order[i]]] += sizes[order[i]];
    const hasSibling = new Uint8Array(this.items.length);
    for (const below of this.#children) for (let i = 0; i + 1 < below.length; i++) hasSibling[below[i]] = 1;
    return {
      indexes: Int32Array.from(order),
      elements: Int32Array.from(order, (index) => this.#elements[index]),
      jumps: Int32Array.from(order, (index) => {
        const isLeaf = sizes[index] === 1;
        if (hasSibling[index] === 1) return isLeaf ? JUMP_SIBLING : sizes[index];
        return isLeaf ? JUMP_LEAF : JUMP_CHILD;
      }),
    };
  }
}
