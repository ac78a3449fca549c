// The picture of a chart from its samples (textures/atlas/chartPicture.ts says what it is).

import { rounded } from './grid.ts';
import { ImageLevel, NONE, Painting, Sampling, Source } from './layout.ts';
import { word } from './words.ts';

/** What `paintPicture` gives: no sample shows anything; all texels are as the mean; they differ; a level of an image is missing. */
const NOTHING: u32 = 0;
const PLAIN: u32 = 1;
const PICTURE: u32 = 2;
const MISSING: u32 = 3;

/** Rings of texels around those with samples that take their colours from their neighbours; beyond is the mean. */
const RINGS: u8 = 2;

/** A picture whose bytes differ by no more from their mean is one colour: sRGB, emission as a share of the largest. */
const UNSEEN_SPREAD: i32 = 2;

/** Bytes a texel while samples are added, in float64: colour, emission, samples. */
const SUM_BYTES: usize = 56;

/** A Source, with its end aligned for the next one. */
const SOURCE_BYTES: usize = 64;

/** Steps of the table of sRGB bytes. */
const ENCODE_STEPS: f64 = 65535;

/** Paints the picture of samples, of which there are width * samples in each row. */
export function paintPicture(painting: Painting, shown: Sampling): u32 {
  const across = painting.width + 2 * painting.gutter;
  const texels = <usize>across * <usize>(painting.height + 2 * painting.gutter);
  memory.fill(painting.sums, 0, <usize>painting.width * <usize>painting.height * SUM_BYTES);
  if (!addSamples(painting, shown)) return MISSING;
  if (!findMean(painting)) return NOTHING;
  const mean = painting.mean;
  const light = mean + 24;
  const isLit = load<f64>(light) > 0 || load<f64>(light, 8) > 0 || load<f64>(light, 16) > 0;

  // 1. The texels that have samples.
  memory.fill(painting.colors, 0, texels * 12);
  if (isLit) memory.fill(painting.emission, 0, texels * 12);
  memory.fill(painting.ring, 0, texels);
  findTexels(painting, across, isLit);
  const ring = painting.ring;
  const highest = load<f64>(mean, 48);
  const isPlain =
    (painting.width === 1 && painting.height === 1) ||
    (isOneColor(painting, painting.colors, mean, 1, texels) &&
      (!isLit || isOneColor(painting, painting.emission, light, highest, texels)));
  if (isPlain) return PLAIN;

  // 2. All others, from their neighbours.
  const down = <u32>(texels / across);
  if (isLit) {
    memory.copy(ring + texels, ring, texels);
    dilate(painting.emission, ring + texels, light, across, down);
  }
  dilate(painting.colors, ring, mean, across, down);
  for (let i: usize = 0; i < texels * 3; i++) {
    store<u8>(painting.bytes + i, colorByte(painting, <f64>load<f32>(painting.colors + (i << 2))));
  }
  return PICTURE;
}

/** Adds the colours of all samples to their texels; false where a level of an image is missing. */
function addSamples(painting: Painting, shown: Sampling): bool {
  const width = painting.width;
  const samples = painting.samples;
  const triangles = shown.triangles;
  let sample: usize = 0;
  for (let line: u32 = 0; line < painting.height * samples; line++) {
    let to = painting.sums + <usize>(line / samples) * <usize>width * SUM_BYTES;
    for (let x: u32 = 0; x < width; x++, to += SUM_BYTES) {
      for (let k: u32 = 0; k < samples; k++, sample += 4) {
        const triangle = load<u32>(triangles + sample);
        if (triangle === NONE) continue;
        const source = changetype<Source>(painting.sources + <usize>word(painting.sourceOf, triangle) * SOURCE_BYTES);
        const image = source.colorImage;
        if (!addColor(painting, shown, sample, image, source.red, source.green, source.blue, to)) return false;
        if (source.isLit) {
          const light = source.lightImage;
          const isAdded = addColor(
            painting,
            shown,
            sample,
            light,
            source.redLight,
            source.greenLight,
            source.blueLight,
            to + 24,
          );
          if (!isAdded) return false;
        }
        store<f64>(to, load<f64>(to, 48) + 1, 48);
      }
    }
  }
  return true;
}

/** Adds what a sample shows of an image times a colour; false where the image's level is missing. */
function addColor(
  painting: Painting,
  shown: Sampling,
  sample: usize,
  image: usize,
  red: f64,
  green: f64,
  blue: f64,
  to: usize,
): bool {
  if (image !== 0) {
    // The finest level of which the sample spans about a texel. An area that is not finite comes of UVs or a triangle without.
    const area = <f64>load<f32>(shown.uvArea + sample);
    let level = changetype<ImageLevel>(image + 4);
    for (let left = load<u32>(image); left > 1; left--) {
      if (area * <f64>level.width * <f64>level.height <= 2) break;
      level = changetype<ImageLevel>(changetype<usize>(level) + offsetof<ImageLevel>());
    }
    if (level.texels === 0) {
      painting.missing = changetype<usize>(level);
      return false;
    }
    const x = texelAt(<f64>load<f32>(shown.u + sample), level.width);
    const y = texelAt(1 - <f64>load<f32>(shown.v + sample), level.height);
    const texel = level.texels + ((<usize>y * <usize>level.width + <usize>x) << 2);
    red *= linearOf(painting, texel);
    green *= linearOf(painting, texel + 1);
    blue *= linearOf(painting, texel + 2);
  }
  store<f64>(to, load<f64>(to) + red);
  store<f64>(to, load<f64>(to, 8) + green, 8);
  store<f64>(to, load<f64>(to, 16) + blue, 16);
  return true;
}

/** The texel at a coordinate of an image that repeats; the first where the coordinate is not finite. */
function texelAt(coordinate: f64, size: u32): u32 {
  const at = (coordinate - floor<f64>(coordinate)) * <f64>size;
  return at >= 0 ? min<u32>(size - 1, <u32>at) : 0;
}

function linearOf(painting: Painting, byte: usize): f64 {
  return load<f64>(painting.linearOfByte + ((<usize>load<u8>(byte)) << 3));
}

/** Writes the mean of the texels that have samples; false where none has. */
function findMean(painting: Painting): bool {
  const mean = painting.mean;
  const end = painting.sums + <usize>painting.width * <usize>painting.height * SUM_BYTES;
  for (let k: usize = 0; k < SUM_BYTES; k += 8) {
    let sum: f64 = 0;
    for (let at = painting.sums + k; at < end; at += SUM_BYTES) sum += load<f64>(at);
    store<f64>(mean + k, sum);
  }
  const weight = load<f64>(mean, 48);
  if (weight === 0) return false;
  for (let at = mean; at < mean + 48; at += 8) store<f64>(at, load<f64>(at) / weight);
  store<f64>(mean, 0, 48);
  return true;
}

/** Writes the texels that have samples, and the most emission. */
function findTexels(painting: Painting, across: u32, isLit: bool): void {
  const gutter = painting.gutter;
  const emission = painting.emission;
  let highest: f64 = 0;
  let from = painting.sums;
  for (let y: u32 = 0; y < painting.height; y++) {
    let texel = <usize>(y + gutter) * <usize>across + <usize>gutter;
    for (let x: u32 = 0; x < painting.width; x++, texel++, from += SUM_BYTES) {
      const samples = load<f64>(from, 48);
      if (samples === 0) continue;
      store<u8>(painting.ring + texel, 1);
      for (let c: usize = 0; c < 3; c++) {
        const to = texel * 12 + (c << 2);
        store<f32>(painting.colors + to, <f32>(load<f64>(from + (c << 3)) / samples));
        if (!isLit) continue;
        const light = <f32>(load<f64>(from + (c << 3), 24) / samples);
        store<f32>(emission + to, light);
        if (<f64>light > highest) highest = <f64>light;
      }
    }
  }
  store<f64>(painting.mean, highest, 48);
}

/** Whether values from 0 to `highest` of all shown texels have nearly the bytes of their mean. */
function isOneColor(painting: Painting, values: usize, mean: usize, highest: f64, texels: usize): bool {
  for (let c: usize = 0; c < 3; c++) {
    const middle = <i32>colorByte(painting, load<f64>(mean + (c << 3)) / highest);
    for (let i: usize = 0; i < texels; i++) {
      if (load<u8>(painting.ring + i) === 0) continue;
      const byte = <i32>colorByte(painting, <f64>load<f32>(values + i * 12 + (c << 2)) / highest);
      if (abs<i32>(byte - middle) > UNSEEN_SPREAD) return false;
    }
  }
  return true;
}

/** Linear to an sRGB byte. */
function colorByte(painting: Painting, linear: f64): u8 {
  // What is no number is dark.
  const clamped = linear > 0 ? min<f64>(1, linear) : 0;
  return load<u8>(painting.byteOfLinear + <usize>rounded(clamped * ENCODE_STEPS));
}

/**
 * Gives texels that show nothing the mean of their neighbours, ring by ring, and the mean of all beyond. `ring`: 1 for those
 * that show something, 0 for others; it is written to.
 */
function dilate(values: usize, ring: usize, mean: usize, across: u32, down: u32): void {
  for (let now: u8 = 2; now < 2 + RINGS; now++) {
    for (let y: u32 = 0, i: usize = 0; y < down; y++) {
      for (let x: u32 = 0; x < across; x++, i++) {
        if (load<u8>(ring + i) !== 0) continue;
        takeMean(values, ring, i, across, y > 0, y + 1 < down, x > 0, x + 1 < across, now);
      }
    }
  }
  for (let i: usize = 0; i < <usize>across * <usize>down; i++) {
    if (load<u8>(ring + i) !== 0) continue;
    const to = values + i * 12;
    store<f32>(to, <f32>load<f64>(mean));
    store<f32>(to, <f32>load<f64>(mean, 8), 4);
    store<f32>(to, <f32>load<f64>(mean, 16), 8);
  }
}

/** Gives a texel the mean of those around it that have colours from before ring `now`. */
function takeMean(
  values: usize,
  ring: usize,
  i: usize,
  across: u32,
  hasAbove: bool,
  hasBelow: bool,
  hasLeft: bool,
  hasRight: bool,
  now: u8,
): void {
  const texel = values + i * 12;
  let count: f32 = 0;
  const top = hasAbove ? i - across : i;
  const bottom = hasBelow ? i + across : i;
  for (let row = top; row <= bottom; row += across) {
    const end = row + <usize>hasRight;
    for (let other = row - <usize>hasLeft; other <= end; other++) {
      const beside = load<u8>(ring + other);
      if (beside === 0 || beside === now) continue;
      const from = values + other * 12;
      for (let c: usize = 0; c < 12; c += 4) {
        store<f32>(texel + c, <f32>(<f64>load<f32>(texel + c) + <f64>load<f32>(from + c)));
      }
      count++;
    }
  }
  if (count === 0) return;
  store<u8>(ring + i, now);
  for (let c: usize = 0; c < 12; c += 4) store<f32>(texel + c, <f32>(<f64>load<f32>(texel + c) / <f64>count));
}
