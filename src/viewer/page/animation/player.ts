// Plays clips: which one, where in it, how fast, and whether it goes on.

import type { Scene } from 'three';
import type { UntoldClip } from '../../../formats/untold/types.ts';
import type { ViewedClip } from '../../description.ts';
import type { LoadedPayload } from '../drawing/payloads.ts';
import { ReadFault, type Reading } from '../reading/client.ts';

export interface PlayerEvents {
  /** Something is to be drawn anew. */
  onPose(): void;
  onFault(fault: ReadFault): void;
}

export class Player {
  readonly clips: readonly ViewedClip[];
  readonly #reading: Reading;
  readonly #payloads: () => readonly LoadedPayload[];
  readonly #scene: Scene;
  readonly #events: PlayerEvents;
  /** By the number in `clips`. */
  readonly #read = new Map<number, Promise<UntoldClip | null>>();
  #chosen = -1;
  #clip: UntoldClip | null = null;
  #seconds = 0;
  #isPlaying = false;
  #showsJoints = false;
  speed = 1;

  constructor(
    clips: readonly ViewedClip[],
    reading: Reading,
    stage: { readonly scene: Scene; payloads(): readonly LoadedPayload[] },
    events: PlayerEvents,
  ) {
    this.clips = clips;
    this.#reading = reading;
    this.#scene = stage.scene;
    this.#payloads = stage.payloads;
    this.#events = events;
  }

  /** The number of the clip that is shown; -1: none, and vertices are as stored. */
  get chosen(): number {
    return this.#chosen;
  }

  get duration(): number {
    return this.#clip?.duration ?? 0;
  }

  /** Where in the clip. */
  get seconds(): number {
    return this.#seconds;
  }

  set seconds(value: number) {
    this.#seconds = Math.min(this.duration, Math.max(0, value));
    this.pose();
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  set isPlaying(value: boolean) {
    this.#isPlaying = value && this.#clip !== null;
  }

  get showsJoints(): boolean {
    return this.#showsJoints;
  }

  set showsJoints(value: boolean) {
    this.#showsJoints = value;
    this.pose();
  }

  /** Begins a clip, which goes on by itself unless whoever looks wants little motion. */
  async choose(number: number): Promise<void> {
    this.#chosen = number;
    const clip = await this.#clipAt(number);
    // Another one was chosen meanwhile.
    if (this.#chosen !== number) return;
    this.#clip = clip;
    this.#seconds = 0;
    this.isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.pose();
  }

  #clipAt(number: number): Promise<UntoldClip | null> {
    const viewed = this.clips[number];
    if (!viewed) return Promise.resolve(null);
    const known =
      this.#read.get(number) ??
      this.#reading.clips(viewed.path).then(
        (found) => found[viewed.index] ?? null,
        (error) => {
          if (!(error instanceof ReadFault)) throw error;
          this.#events.onFault(error);
          return null;
        },
      );
    this.#read.set(number, known);
    return known;
  }

  /** Goes on by so many seconds of the clock. True: the pose has changed. */
  step(seconds: number): boolean {
    if (!this.#isPlaying) return false;
    const { duration } = this;
    this.#seconds = duration > 0 ? (this.#seconds + seconds * this.speed) % duration : 0;
    this.pose();
    return true;
  }

  /** Puts all skeletons that are there in the pose. */
  pose(): void {
    for (const { rigs, group } of this.#payloads()) {
      for (const rig of rigs) {
        rig.show(this.#clip, this.#seconds);
        if (this.#showsJoints && group.parent) this.#scene.add(rig.lines);
        else rig.lines.removeFromParent();
      }
    }
    this.#events.onPose();
  }
}
