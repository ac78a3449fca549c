// The corners around one vertex and their groups, for tangents.ts: corners belong together when their triangles share an
// edge there and their orientations agree.

import { setWord, word } from './words.ts';

/** Corners around a vertex from which edges are looked up instead of compared in pairs. */
const MANY_CORNERS: u32 = 24;
const NONE: u32 = 0xffffffff;
/** Bytes of a slot of the tables of edges: the vertex, and the first corner of each orientation. */
const SLOT: usize = 16;

/** The arrays of a fan, a word for each corner; orientations are -1, 0 or 1. */
@unmanaged
export class Fan {
  /** Vertex after and before each corner in its triangle. */
  after: usize;
  before: usize;
  /** Orientation of its triangle; grouping changes it. */
  sign: usize;
  /** The orientation that stays. */
  own: usize;
  group: usize;
  parent: usize;
  /** Tables of edges: room for edgeTableBytes(). */
  leaving: usize;
  arriving: usize;
}

/** Bytes of each table of edges for fans of up to `highest` corners. */
export function edgeTableBytes(highest: u32): usize {
  return highest < MANY_CORNERS ? 0 : <usize>tableSlots(highest) * SLOT;
}

function tableSlots(n: u32): u32 {
  let size: u32 = 64;
  while (size < n * 2) size *= 2;
  return size;
}

function signOf(signs: usize, k: u32): i32 {
  return <i32>word(signs, k);
}

/** Groups `n` corners, numbers the groups from 0 in the order of their first corners, and gives how many there are. */
export function groupFan(fan: Fan, n: u32): u32 {
  return n < MANY_CORNERS ? groupFew(fan, n) : groupMany(fan, n);
}

/** Walks from one corner to those that share an edge. `parent` is the queue. */
function groupFew(fan: Fan, n: u32): u32 {
  const after = fan.after;
  const before = fan.before;
  const sign = fan.sign;
  const group = fan.group;
  const queue = fan.parent;
  let open: u32 = (1 << n) - 1;
  let made: u32 = 0;
  for (let seed: u32 = 0; open !== 0; seed++) {
    if ((open & (1 << seed)) === 0) continue;
    open &= ~(1 << seed);
    setWord(group, seed, made);
    let orientation = signOf(sign, seed);
    let waiting: u32 = 0;
    setWord(queue, waiting++, seed);
    for (let head: u32 = 0; head < waiting && open !== 0; head++) {
      const next = word(after, word(queue, head));
      const last = word(before, word(queue, head));
      for (let k = seed + 1; k < n; k++) {
        if ((word(before, k) !== next && word(after, k) !== last) || (open & (1 << k)) === 0) continue;
        const other = signOf(sign, k);
        if (orientation * other < 0) continue;
        if (orientation === 0) orientation = other;
        open &= ~(1 << k);
        setWord(group, k, made);
        setWord(queue, waiting++, k);
      }
    }
    made++;
  }
  return made;
}

/** The slot of a vertex, or the empty one where it belongs. */
function slotOf(table: usize, mask: u32, vertex: u32): usize {
  let slot = vertex * 0x9e3779b1;
  slot = (slot ^ (slot >>> 15)) & mask;
  let at = table + <usize>slot * SLOT;
  while (load<u32>(at) !== vertex && load<u32>(at) !== NONE) {
    slot = (slot + 1) & mask;
    at = table + <usize>slot * SLOT;
  }
  return at;
}

function setFirst(table: usize, mask: u32, vertex: u32, orientation: i32, corner: u32): void {
  const at = slotOf(table, mask, vertex);
  store<u32>(at, vertex);
  setWord(at, <u32>(orientation + 2), corner);
}

/** The first corner of this orientation at the edge to `vertex`; NONE: there is none. */
function firstAt(table: usize, mask: u32, vertex: u32, orientation: i32): u32 {
  return word(slotOf(table, mask, vertex), <u32>(orientation + 2));
}

/** Groups any number of corners, in linear time: each meets the first of each orientation at both of its edges. */
function groupMany(fan: Fan, n: u32): u32 {
  const after = fan.after;
  const before = fan.before;
  const own = fan.own;
  const group = fan.group;
  const parent = fan.parent;
  const leaving = fan.leaving;
  const arriving = fan.arriving;
  const slots = tableSlots(n);
  memory.fill(leaving, 0xff, <usize>slots * SLOT);
  memory.fill(arriving, 0xff, <usize>slots * SLOT);
  memory.copy(own, fan.sign, (<usize>n) << 2);
  for (let k = n; k-- > 0; ) {
    setWord(parent, k, k);
    setFirst(leaving, slots - 1, word(after, k), signOf(own, k), k);
    setFirst(arriving, slots - 1, word(before, k), signOf(own, k), k);
  }
  // Corners with an orientation first: those without then join the group that they are found by.
  for (let pass = 0; pass < 2; pass++) {
    for (let k: u32 = 0; k < n; k++) {
      const orientation = signOf(own, k);
      if ((orientation === 0) !== (pass === 1)) continue;
      for (let side = -1; side < 2; side++) {
        if (pass === 0 && side !== orientation) continue;
        join(fan, k, firstAt(arriving, slots - 1, word(after, k), side));
        join(fan, k, firstAt(leaving, slots - 1, word(before, k), side));
      }
    }
  }
  let made: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    // Roots are the smallest of their group.
    const root = rootOf(parent, k);
    setWord(group, k, root === k ? made++ : word(group, root));
  }
  return made;
}

function rootOf(parent: usize, k: u32): u32 {
  while (word(parent, k) !== k) {
    setWord(parent, k, word(parent, word(parent, k)));
    k = word(parent, k);
  }
  return k;
}

function join(fan: Fan, k: u32, other: u32): void {
  if (other === NONE) return;
  const sign = fan.sign;
  const parent = fan.parent;
  const a = rootOf(parent, k);
  const b = rootOf(parent, other);
  const signA = signOf(sign, a);
  if (a === b || signA * signOf(sign, b) < 0) return;
  const root = min(a, b);
  const joined = signA !== 0 ? signA : signOf(sign, b);
  setWord(parent, a, root);
  setWord(parent, b, root);
  setWord(sign, root, <u32>joined);
}
