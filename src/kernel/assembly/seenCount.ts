// Counts in how many pixels of a picture each triangle is seen (seen.ts).

import { PIXELS, PLANE, SeenView, TILE, TILE_BYTES, tileAt, tilesAcross } from './seenTiles.ts';
import { setWord } from './words.ts';

/** Pixels that follow each other and show the same triangle: its number, and how many there are. */
let runNumber: u32 = 0;
let run: u32 = 0;

/** Adds the pixels of the last number; gives how many they are. */
function endRun(counts: usize): u32 {
  if (runNumber === 0) return 0;
  const at = runNumber - 1;
  setWord(counts, at, load<u32>(counts + ((<usize>at) << 2)) + run);
  return run;
}

/**
 * Counts the pixels of each number that the view shows: adds to `counts`, uint32 for each number from 1 on, and gives how many
 * pixels show a surface.
 */
export function countSeen(view: SeenView, counts: usize): u32 {
  const tiles = tilesAcross(view) * tilesAcross(view);
  let shown: u32 = 0;
  runNumber = 0;
  run = 0;
  for (let i: u32 = 0; i < tiles; i++) {
    const tile = tileAt(view, i);
    if (tile.state === PLANE) shown += countRun(counts, tile.number, TILE * TILE);
    if (tile.state !== PIXELS) continue;
    const begin = view.numbers + <usize>tile.slot * TILE_BYTES;
    for (let at = begin; at < begin + TILE_BYTES; at += 4) {
      const own = load<u32>(at);
      if (own === runNumber) run++;
      else shown += countRun(counts, own, 1);
    }
  }
  return shown + endRun(counts);
}

/** Goes on with so many pixels of a number; gives how many the last one had, if it was another. */
function countRun(counts: usize, own: u32, pixels: u32): u32 {
  if (own === runNumber) {
    run += pixels;
    return 0;
  }
  const ended = endRun(counts);
  runNumber = own;
  run = pixels;
  return ended;
}
