// SHA-256 (FIPS 180-4) in plain code, for browsers: the readers hash bytes within a synchronous call, which the browser's
// own function does not allow.

const K = new Uint32Array(64);
const INITIAL = new Uint32Array(8);

/** The first 32 bits of the fractional part of a root of a prime. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);

for (let prime = 2, count = 0; count < 64; prime++) {
  let isPrime = true;
  for (let i = 2; i * i <= prime; i++) if (prime % i === 0) isPrime = false;
  if (!isPrime) continue;
  if (count < 8) INITIAL[count] = fraction(Math.sqrt(prime));
  K[count++] = fraction(Math.cbrt(prime));
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

export class Sha256 {
  readonly #state = INITIAL.slice();
  readonly #words = new Uint32Array(64);
  readonly #block = new Uint8Array(64);
  #held = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(64 - this.#held, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < 64) return this;
      this.#compress(this.#block, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) this.#compress(bytes, at);
    this.#block.set(bytes.subarray(at));
    this.#held = bytes.length - at;
    return this;
  }

  digest(): Uint8Array {
    const bits = this.#length * 8;
    const padding = new Uint8Array((this.#held < 56 ? 56 : 120) - this.#held + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits % 2 ** 32);
    this.update(padding);
    const digest = new Uint8Array(32);
    const out = new DataView(digest.buffer);
    for (const [i, word] of this.#state.entries()) out.setUint32(i * 4, word);
    return digest;
  }

  #compress(bytes: Uint8Array, at: number): void {
    const w = this.#words;
    for (let i = 0, from = at; i < 16; i++, from += 4) {
      w[i] = (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
    }
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    const state = this.#state;
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}
