// The layout of a .ani file as one table of records (Urho3D, "Custom file formats", binary animation format). Values replace
// the transform of a bone relative to its parent; what a track lacks stays as the bone has it.

import { f32, list, record, rows, text, u8, type ValueOf } from '../bytes/parts.ts';

const track = record({
  /** The name of the bone. */
  bone: text,
  keys: rows(
    u8,
    'UC3902',
    { name: 'time', scalar: 'f32' },
    {
      position: { bit: 1, count: 3 },
      /** w x y z. */
      rotation: { bit: 2, count: 4 },
      scale: { bit: 4, count: 3 },
    },
  ),
});

/** What follows the identifier. */
export const ANIMATION_BODY = record({
  name: text,
  /** Seconds. */
  length: f32,
  tracks: list(track),
});

/** A .ani file as values. */
export type Animation = ValueOf<typeof ANIMATION_BODY>;
export type Track = Animation['tracks'][number];
