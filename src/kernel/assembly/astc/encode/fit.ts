// The texels of a block, and straight lines through them: the end points' directions before anything is quantised.

import {
  block,
  CHANNEL,
  DIRECTIONS,
  IDEAL,
  INVERSE,
  LENGTHS,
  MASKS,
  ORIGIN,
  PIXELS,
  SCALE,
  sum,
  sums,
  TEXELS,
} from './state.ts';

/** Sums of products of two channels, each channel relative to its mean: four rows of four floats. And the means. */
const COVARIANCE: usize = memory.data(64, 16);
const MEAN: usize = memory.data(16, 16);
/** For each channel, and for none, which lanes stay when it is left out. */
const REST: usize = memory.data<u32>([0, ~0, ~0, ~0, ~0, 0, ~0, ~0, ~0, ~0, 0, ~0, ~0, ~0, ~0, 0, ~0, ~0, ~0, ~0]);

/** Where the line through a partition lies, for the search of the partition. */
const POSITIONS: usize = memory.data(CHANNEL, 16);

/** Splits the bytes of the texels into floats. `first`: a shift to the byte of channel 0; `step`: to that of the next. */
export function splitChannels(channels: u32, first: u32, last: u32): void {
  block.channels = channels;
  const end = (<usize>block.texels) << 2;
  const mask = i32x4.splat(0xff);
  const pixel = load<u32>(PIXELS);
  for (let c: u32 = 0; c < channels; c++) {
    // The last of two channels is not always the second byte.
    const shift = c === 0 ? first : c === channels - 1 ? last : c << 3;
    const origin = <f32>((pixel >> shift) & 0xff);
    const scale = load<f32>(SCALE + ((<usize>c) << 2));
    store<f32>(ORIGIN + ((<usize>c) << 2), origin);
    const to = TEXELS + c * CHANNEL;
    for (let at: usize = 0; at < end; at += 16) {
      const bytes = v128.and(i32x4.shr_u(v128.load(PIXELS + at), shift), mask);
      const relative = f32x4.sub(f32x4.convert_i32x4_s(bytes), f32x4.splat(origin));
      v128.store(to + at, f32x4.mul(relative, f32x4.splat(scale)));
    }
  }
}

/** Sets the weights of the channels: the factors of their squared errors are the squares of these. */
export function setScales(scales: v128): void {
  v128.store(SCALE, scales);
  v128.store(INVERSE, f32x4.div(f32x4.splat(1), scales));
}

/** Measures the texels of a partition. `count`: how many there are. */
export function measure(partition: u32, count: u32): void {
  const end = (<usize>block.texels) << 2;
  const channels = block.channels;
  const mask = MASKS + partition * CHANNEL;
  const zero = f32x4.splat(0);
  let a = zero;
  let b = zero;
  let c = zero;
  let d = zero;
  let aa = zero;
  let ab = zero;
  let ac = zero;
  let ad = zero;
  let bb = zero;
  let bc = zero;
  let bd = zero;
  let cc = zero;
  let cd = zero;
  let dd = zero;
  for (let at: usize = 0; at < end; at += 16) {
    const inside = v128.load(mask + at);
    const x = v128.and(v128.load(TEXELS + at), inside);
    a = f32x4.add(a, x);
    aa = f32x4.add(aa, f32x4.mul(x, x));
    if (channels < 2) continue;
    const y = v128.and(v128.load(TEXELS + at, CHANNEL), inside);
    b = f32x4.add(b, y);
    ab = f32x4.add(ab, f32x4.mul(x, y));
    bb = f32x4.add(bb, f32x4.mul(y, y));
    if (channels < 3) continue;
    const z = v128.and(v128.load(TEXELS + at, 2 * CHANNEL), inside);
    c = f32x4.add(c, z);
    ac = f32x4.add(ac, f32x4.mul(x, z));
    bc = f32x4.add(bc, f32x4.mul(y, z));
    cc = f32x4.add(cc, f32x4.mul(z, z));
    if (channels < 4) continue;
    const w = v128.and(v128.load(TEXELS + at, 3 * CHANNEL), inside);
    d = f32x4.add(d, w);
    ad = f32x4.add(ad, f32x4.mul(x, w));
    bd = f32x4.add(bd, f32x4.mul(y, w));
    cd = f32x4.add(cd, f32x4.mul(z, w));
    dd = f32x4.add(dd, f32x4.mul(w, w));
  }
  const mean = f32x4.div(sums(a, b, c, d), f32x4.splat(<f32>count));
  v128.store(MEAN, mean);
  const all = sums(a, b, c, d);
  v128.store(COVARIANCE, f32x4.sub(sums(aa, ab, ac, ad), f32x4.mul(all, lane0(mean))));
  v128.store(COVARIANCE, f32x4.sub(sums(ab, bb, bc, bd), f32x4.mul(all, lane1(mean))), 16);
  v128.store(COVARIANCE, f32x4.sub(sums(ac, bc, cc, cd), f32x4.mul(all, lane2(mean))), 32);
  v128.store(COVARIANCE, f32x4.sub(sums(ad, bd, cd, dd), f32x4.mul(all, lane3(mean))), 48);
}

/** Lane 0 of a vector in all lanes. */
function lane0(vector: v128): v128 {
  return v128.shuffle<f32>(vector, vector, 0, 0, 0, 0);
}

/** Lane 1 of a vector in all lanes. */
function lane1(vector: v128): v128 {
  return v128.shuffle<f32>(vector, vector, 1, 1, 1, 1);
}

/** Lane 2 of a vector in all lanes. */
function lane2(vector: v128): v128 {
  return v128.shuffle<f32>(vector, vector, 2, 2, 2, 2);
}

/** Lane 3 of a vector in all lanes. */
function lane3(vector: v128): v128 {
  return v128.shuffle<f32>(vector, vector, 3, 3, 3, 3);
}

/** The covariance times a vector, without the channels that `rest` leaves out. */
function applied(vector: v128, rest: v128): v128 {
  const kept = v128.and(vector, rest);
  const a = f32x4.mul(v128.load(COVARIANCE), lane0(kept));
  const b = f32x4.mul(v128.load(COVARIANCE, 16), lane1(kept));
  const c = f32x4.mul(v128.load(COVARIANCE, 32), lane2(kept));
  const d = f32x4.mul(v128.load(COVARIANCE, 48), lane3(kept));
  return v128.and(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), rest);
}

/** The squared distances of the measured texels from their mean, all channels but `except`. */
function variance(except: u32): f32 {
  let total: f32 = 0;
  for (let c: u32 = 0; c < block.channels; c++) if (c !== except) total += load<f32>(COVARIANCE + c * 20);
  return total;
}

function restOf(except: u32): v128 {
  return v128.load(REST + ((<usize>except) << 4));
}

/**
 * The direction in which the measured texels spread most, of length 1, by power iteration from the row of the greatest
 * variance. Its channels sum up to at least 0, so that the second end point is the brighter one.
 */
function direction(except: u32): v128 {
  const rest = restOf(except);
  let widest: usize = 0;
  let highest: f32 = -1;
  for (let c: u32 = 0; c < block.channels; c++) {
    const spread = load<f32>(COVARIANCE + c * 20);
    if (c === except || spread <= highest) continue;
    highest = spread;
    widest = c;
  }
  let vector = v128.and(v128.load(COVARIANCE + (widest << 4)), rest);
  if (!(highest > 0)) return f32x4.splat(0);
  // Rows are at most 64 × 255² × 3; three steps multiply at most by the cube of that.
  for (let i = 0; i < 3; i++) {
    const length = sum(f32x4.abs(vector));
    if (!(length > 0)) return f32x4.splat(0);
    vector = f32x4.mul(vector, f32x4.splat(1 / length));
    vector = applied(applied(applied(vector, rest), rest), rest);
  }
  const scaled = f32x4.mul(vector, f32x4.splat(1 / sum(f32x4.abs(vector))));
  const length: f32 = <f32>sqrt<f32>(sum(f32x4.mul(scaled, scaled)));
  const unit = f32x4.mul(scaled, f32x4.splat((sum(scaled) < 0 ? -1 : 1) / length));
  return length > 0 ? unit : f32x4.splat(0);
}

/** The squared distances of the measured texels from the line along `axis`. */
function distanceFrom(axis: v128, except: u32): f32 {
  const along = sum(f32x4.mul(axis, applied(axis, restOf(except))));
  return max<f32>(variance(except) - along, 0);
}

/** The error that the best line through the measured texels leaves in all channels but `except`. */
export function lineError(except: u32): f32 {
  return distanceFrom(direction(except), except);
}

/** Where the texels lie along the best line through the measured ones, relative to their mean. Gives their address. */
export function positionsAlong(except: u32): usize {
  project(direction(except));
  return POSITIONS;
}

function project(axis: v128): void {
  const end = (<usize>block.texels) << 2;
  const channels = block.channels;
  const offset = f32x4.splat(-sum(f32x4.mul(v128.load(MEAN), axis)));
  const a = lane0(axis);
  const b = lane1(axis);
  const c = lane2(axis);
  const d = lane3(axis);
  for (let at: usize = 0; at < end; at += 16) {
    let t = f32x4.add(offset, f32x4.mul(v128.load(TEXELS + at), a));
    if (channels > 1) t = f32x4.add(t, f32x4.mul(v128.load(TEXELS + at, CHANNEL), b));
    if (channels > 2) t = f32x4.add(t, f32x4.mul(v128.load(TEXELS + at, 2 * CHANNEL), c));
    if (channels > 3) t = f32x4.add(t, f32x4.mul(v128.load(TEXELS + at, 3 * CHANNEL), d));
    v128.store(POSITIONS + at, t);
  }
}

/** Lays the line of the first plane through the measured texels of a partition. Gives the error that it leaves. */
export function layLine(partition: u32, except: u32): f32 {
  const axis = direction(except);
  project(axis);
  layWeights(POSITIONS, partition, 0);
  return distanceFrom(axis, except);
}

/**
 * Lays the line from black through the measured texels of a partition, whose `count` it has. Gives the error that it leaves.
 * The direction is that of the greatest sum of squares, found from the mean by power iteration.
 */
export function layScaledLine(partition: u32, count: u32): f32 {
  const rest = restOf(3);
  const mean = v128.and(f32x4.add(v128.load(MEAN), v128.load(ORIGIN)), rest);
  let vector = mean;
  for (let i = 0; i < 3; i++) {
    const share = f32x4.splat(<f32>count * sum(f32x4.mul(mean, vector)));
    vector = f32x4.add(applied(vector, rest), f32x4.mul(mean, share));
    const length = sum(f32x4.abs(vector));
    if (!(length > 0)) return f32.MAX_VALUE;
    vector = f32x4.mul(vector, f32x4.splat(1 / length));
  }
  vector = f32x4.mul(vector, f32x4.splat(1 / <f32>sqrt<f32>(sum(f32x4.mul(vector, vector)))));
  v128.store(DIRECTIONS + ((<usize>partition) << 4), vector);
  project(vector);
  layWeights(POSITIONS, partition, 0);
  // What lies beside the direction: of the mean and of what is around it.
  const along = sum(f32x4.mul(mean, vector));
  const aside = <f32>count * max<f32>(sum(f32x4.mul(mean, mean)) - along * along, 0);
  return aside + distanceFrom(vector, 3);
}

/** Makes the weights of the second plane from its channel. */
export function layChannel(channel: u32): void {
  layWeights(TEXELS + channel * CHANNEL, 0, 1);
}

/** Weights from 0 to 1 between the least and the greatest position of a partition. */
function layWeights(positions: usize, partition: u32, plane: u32): void {
  const end = (<usize>block.texels) << 2;
  const mask = MASKS + partition * CHANNEL;
  let lowest = f32x4.splat(f32.MAX_VALUE);
  let highest = f32x4.splat(-f32.MAX_VALUE);
  for (let at: usize = 0; at < end; at += 16) {
    const inside = v128.load(mask + at);
    const t = v128.load(positions + at);
    lowest = f32x4.pmin(lowest, v128.bitselect(t, lowest, inside));
    highest = f32x4.pmax(highest, v128.bitselect(t, highest, inside));
  }
  lowest = f32x4.pmin(lowest, v128.shuffle<f32>(lowest, lowest, 2, 3, 0, 1));
  lowest = f32x4.pmin(lowest, v128.shuffle<f32>(lowest, lowest, 1, 0, 3, 2));
  highest = f32x4.pmax(highest, v128.shuffle<f32>(highest, highest, 2, 3, 0, 1));
  highest = f32x4.pmax(highest, v128.shuffle<f32>(highest, highest, 1, 0, 3, 2));
  const length = f32x4.extract_lane(highest, 0) - f32x4.extract_lane(lowest, 0);
  const factor = f32x4.splat(length > 0 ? 1 / length : 0);
  const squared = f32x4.splat(length * length);
  const ideal = IDEAL + plane * CHANNEL;
  const lengths = LENGTHS + plane * CHANNEL;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  for (let at: usize = 0; at < end; at += 16) {
    const inside = v128.load(mask + at);
    const t = f32x4.mul(f32x4.sub(v128.load(positions + at), lowest), factor);
    const weight = f32x4.pmax(zero, f32x4.pmin(one, t));
    v128.store(ideal + at, v128.bitselect(weight, v128.load(ideal + at), inside));
    v128.store(lengths + at, v128.bitselect(squared, v128.load(lengths + at), inside));
  }
}
