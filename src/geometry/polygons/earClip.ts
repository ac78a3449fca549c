// Ear clipping of one polygon in its plane, for triangulate.ts: simple polygons of any shape, with keyholes and
// collinear corners, in about n log n steps. Ear clipping after Meisters 1975; corners that could lie in an ear are kept
// in a uniform grid, as in FIST (Held 2001), so that an ear looks at its neighbourhood only.

/** An ear's doubled area counts as positive above this share of the product of its two edges: float64 noise. */
const FLAT = 1e-14;

/** Most grid cells along an axis. */
const MAX_CELLS = 1024;

/** How much an ear may touch: nothing; corners on its boundary; anything, when it is flat. */
type Strictness = 0 | 1 | 2;

/**
 * Reusable scratch for polygons of up to `capacity` corners. Fill `x` and `y`, then call `clip`. The work of all calls
 * together is bounded by `budget` steps (visits of a corner or a grid cell); a polygon is refused when none are left.
 */
export class EarClipper {
  x: Float64Array;
  y: Float64Array;
  #budget: number;
  #previous: Int32Array;
  #next: Int32Array;
  /** 0 clipped, 1 convex, 2 reflex or flat (may lie in another corner's ear). */
  #kind: Uint8Array;
  #queue: Int32Array;
  /** 0 not queued, 1 queued, 2 queued and its neighbours have changed since. */
  #queued: Uint8Array;
  #cellStart = new Int32Array(0);
  #cellCount = new Int32Array(0);
  #cellItems: Int32Array;
  #cells = 1;
  #x0 = 0;
  #y0 = 0;
  #perX = 0;
  #perY = 0;

  constructor(capacity: number, budget: number) {
    this.#budget = budget;
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.#previous = new Int32Array(capacity);
    this.#next = new Int32Array(capacity);
    this.#kind = new Uint8Array(capacity);
    this.#queue = new Int32Array(capacity);
    this.#queued = new Uint8Array(capacity);
    this.#cellItems = new Int32Array(capacity);
  }

  /** Whether the corners 0..n-1 turn left everywhere and a fan from corner 0 has positive triangles only. */
  isConvex(n: number): boolean {
    for (let i = 0; i < n; i++) {
      const b = i + 1 < n ? i + 1 : i + 1 - n;
      const c = b + 1 < n ? b + 1 : 0;
      if (this.#area(i, b, c) < 0) return false;
      if (i > 0 && i + 1 < n && !this.#isPositive(0, i, i + 1)) return false;
    }
    return true;
  }

  /**
   * Triangulates the counter-clockwise polygon of corners 0..n-1 (n >= 3), which isConvex() has refused, and writes
   * (n - 2) * 3 corner numbers at `out[at]`. False when the triangles do not tile it, because its outline crosses itself
   * or the budget is spent; what no ear was found for is a fan then.
   */
  clip(n: number, out: Uint32Array, at: number): boolean {
    this.#link(n);
    // An outline that is not convex and yet turns left everywhere goes round more than once.
    const simple = this.#fillGrid(n) > 0;
    let left = n;
    let strictness: Strictness = 0;
    let clipped = false;
    let head = 0;
    let waiting = this.#refill(0);
    let last = 0;
    while (left > 3) {
      if (waiting === 0) {
        // A corner refused before may be free now that others are gone. When nothing moved, ask for less.
        if (!clipped) {
          if (strictness === 2 || this.#budget <= 0) {
            this.#fan(last, left, out, at);
            return false;
          }
          strictness = strictness === 0 ? 1 : 2;
        }
        clipped = false;
        head = 0;
        waiting = this.#refill(last);
      }
      const i = this.#queue[head];
      head = head + 1 < n ? head + 1 : 0;
      waiting--;
      const state = this.#queued[i];
      this.#queued[i] = 0;
      this.#budget--;
      const tail = head + waiting < n ? head + waiting : head + waiting - n;
      if (state === 2) {
        // The neighbour of this corner has just been clipped. Try others first, or the triangles become a fan of slivers.
        this.#queue[tail] = i;
        this.#queued[i] = 1;
        waiting++;
        continue;
      }
      if (!this.#isEar(i, strictness)) continue;
      const a = this.#previous[i];
      const c = this.#next[i];
      out[at++] = a;
      out[at++] = i;
      out[at++] = c;
      this.#kind[i] = 0;
      this.#next[a] = c;
      this.#previous[c] = a;
      left--;
      clipped = true;
      last = a;
      this.#classify(a);
      this.#classify(c);
      let end = tail;
      for (let k = 0; k < 2; k++) {
        const corner = k === 0 ? a : c;
        if (this.#queued[corner] !== 0) {
          this.#queued[corner] = 2;
        } else {
          this.#queue[end] = corner;
          end = end + 1 < n ? end + 1 : 0;
          this.#queued[corner] = 1;
          waiting++;
        }
      }
    }
    this.#fan(last, left, out, at);
    const b = this.#next[last];
    const c = this.#next[b];
    return simple && this.#area(last, b, c) >= -this.#noise(last, b, c);
  }

  #link(n: number): void {
    for (let i = 0; i < n; i++) {
      this.#previous[i] = i > 0 ? i - 1 : n - 1;
      this.#next[i] = i + 1 < n ? i + 1 : 0;
      this.#queued[i] = 0;
    }
    for (let i = 0; i < n; i++) this.#classify(i);
  }

  #classify(i: number): void {
    this.#kind[i] = this.#isPositive(this.#previous[i], i, this.#next[i]) ? 1 : 2;
  }

  /** Queues every corner left, in order from `start`; gives their number. */
  #refill(start: number): number {
    let count = 0;
    let i = start;
    do {
      this.#queue[count++] = i;
      this.#queued[i] = 1;
      i = this.#next[i];
    } while (i !== start);
    return count;
  }

  #fan(start: number, left: number, out: Uint32Array, at: number): void {
    let b = this.#next[start];
    for (let k = 2; k < left; k++) {
      const c = this.#next[b];
      out[at++] = start;
      out[at++] = b;
      out[at++] = c;
      b = c;
    }
  }

  /** Sorts the corners that may lie in an ear into cells; gives their number. */
  #fillGrid(n: number): number {
    let x0 = Infinity;
    let y0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let reflex = 0;
    for (let i = 0; i < n; i++) {
      x0 = Math.min(x0, this.x[i]);
      x1 = Math.max(x1, this.x[i]);
      y0 = Math.min(y0, this.y[i]);
      y1 = Math.max(y1, this.y[i]);
      if (this.#kind[i] === 2) reflex++;
    }
    const cells = Math.max(1, Math.min(MAX_CELLS, Math.ceil(Math.sqrt(reflex))));
    if (this.#cellStart.length < cells * cells + 1) {
      this.#cellStart = new Int32Array(cells * cells + 1);
      this.#cellCount = new Int32Array(cells * cells);
    }
    this.#cells = cells;
    this.#x0 = x0;
    this.#y0 = y0;
    this.#perX = x1 > x0 ? cells / (x1 - x0) : 0;
    this.#perY = y1 > y0 ? cells / (y1 - y0) : 0;
    const start = this.#cellStart.fill(0, 0, cells * cells + 1);
    const count = this.#cellCount.fill(0, 0, cells * cells);
    for (let i = 0; i < n; i++) if (this.#kind[i] === 2) start[this.#cellOf(i) + 1]++;
    for (let k = 0; k < cells * cells; k++) start[k + 1] += start[k];
    for (let i = 0; i < n; i++) {
      if (this.#kind[i] !== 2) continue;
      const cell = this.#cellOf(i);
      this.#cellItems[start[cell] + count[cell]++] = i;
    }
    return reflex;
  }

  #column(x: number): number {
    return Math.min(this.#cells - 1, Math.floor((x - this.#x0) * this.#perX));
  }

  #row(y: number): number {
    return Math.min(this.#cells - 1, Math.floor((y - this.#y0) * this.#perY));
  }

  #cellOf(i: number): number {
    return this.#row(this.y[i]) * this.#cells + this.#column(this.x[i]);
  }

  /** Doubled signed area. */
  #area(a: number, b: number, c: number): number {
    const { x, y } = this;
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  }

  #isPositive(a: number, b: number, c: number): boolean {
    return this.#area(a, b, c) > this.#noise(a, b, c);
  }

  #noise(a: number, b: number, c: number): number {
    const { x, y } = this;
    const first = Math.abs(x[b] - x[a]) + Math.abs(y[b] - y[a]);
    const second = Math.abs(x[c] - x[b]) + Math.abs(y[c] - y[b]);
    return FLAT * first * second;
  }

  #isEar(i: number, strictness: Strictness): boolean {
    const a = this.#previous[i];
    const c = this.#next[i];
    if (this.#kind[i] === 2) {
      // A flat corner makes a triangle without area: harmless, but a last resort, as it leaves a T-junction.
      return strictness === 2 && Math.abs(this.#area(a, i, c)) <= this.#noise(a, i, c);
    }
    if (this.#budget <= 0) return false;
    const { x, y } = this;
    const column0 = this.#column(Math.min(x[a], x[i], x[c]));
    const column1 = this.#column(Math.max(x[a], x[i], x[c]));
    const row0 = this.#row(Math.min(y[a], y[i], y[c]));
    const row1 = this.#row(Math.max(y[a], y[i], y[c]));
    for (let row = row0; row <= row1; row++) {
      this.#budget -= column1 - column0 + 1;
      for (let cell = row * this.#cells + column0; cell <= row * this.#cells + column1; cell++) {
        const start = this.#cellStart[cell];
        let k = start;
        while (k < start + this.#cellCount[cell]) {
          const p = this.#cellItems[k];
          if (this.#kind[p] !== 2) {
            // Clipped, or convex by now: it never blocks an ear again.
            this.#cellItems[k] = this.#cellItems[start + --this.#cellCount[cell]];
            continue;
          }
          k++;
          this.#budget--;
          if (p !== a && p !== c && this.#blocks(p, a, i, c, strictness)) return false;
        }
      }
    }
    return true;
  }

  /** Whether corner p keeps triangle (a, b, c) from being an ear. */
  #blocks(p: number, a: number, b: number, c: number, strictness: Strictness): boolean {
    const ab = this.#area(a, b, p);
    const bc = this.#area(b, c, p);
    const ca = this.#area(c, a, p);
    if (ab < 0 || bc < 0 || ca < 0) return false;
    if (strictness > 0) return ab > 0 && bc > 0 && ca > 0;
    const { x, y } = this;
    // Keyholes repeat corners. One on top of a corner of the ear blocks it only when the outline goes inside from there.
    if (x[p] === x[a] && y[p] === y[a]) return this.#entersCone(p, a, b, c);
    if (x[p] === x[b] && y[p] === y[b]) return this.#entersCone(p, b, c, a);
    if (x[p] === x[c] && y[p] === y[c]) return this.#entersCone(p, c, a, b);
    return true;
  }

  /** Whether a neighbour of p, which lies on q, is strictly between the directions q -> from and q -> to. */
  #entersCone(p: number, q: number, from: number, to: number): boolean {
    const before = this.#previous[p];
    const after = this.#next[p];
    return (
      (this.#area(q, from, before) > 0 && this.#area(q, before, to) > 0) ||
      (this.#area(q, from, after) > 0 && this.#area(q, after, to) > 0)
    );
  }
}
