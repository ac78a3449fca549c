// The rewritten line of a cook: how much of all work is done, for how long, and how long it will take.

import type { SourceProgress } from '../../index.ts';
import { plural, shortened, steps } from './words.ts';

/**
 * The share of each phase in the time of one source, in order: a guess for scenes with levels and textures, on which only the
 * bar depends.
 */
const SHARES: Readonly<Record<SourceProgress['phase'], number>> = {
  read: 0.08,
  textures: 0.3,
  cook: 0.22,
  levels: 0.3,
  write: 0.05,
  verify: 0.05,
};

/** How much of one source is done when `done` of `total` steps of a phase are, from 0 to 1. */
function shareOf({ phase, done, total }: SourceProgress): number {
  let before = 0;
  for (const [name, share] of Object.entries(SHARES)) {
    if (name === phase) return before + (total > 0 ? share * Math.min(1, done / total) : 0);
    before += share;
  }
  return before;
}

/** Seconds as "0:07", "12:40" or "1:02:03". */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Cells of the bar. */
const CELLS = 10;

/** Before this the time left is a guess that jumps. */
const SECONDS_BEFORE_A_GUESS = 2;

export interface ProgressBar {
  /** The line for the newest progress after `seconds`, of at most `room` characters. */
  line(progress: SourceProgress, seconds: number, room: number): string;
}

/** A bar that never goes back, although sources and phases that are left out are only noticed when they are passed. */
export function progressBar(threads: number): ProgressBar {
  let reached = 0;
  return {
    line(progress, seconds, room) {
      const { source, index, count, phase, done, total } = progress;
      reached = Math.max(reached, Math.min(1, (index + shareOf(progress)) / count));
      const filled = Math.floor(reached * CELLS);
      const left = (seconds / reached) * (1 - reached);
      const time =
        seconds < SECONDS_BEFORE_A_GUESS || reached < 0.02 ? clock(seconds) : `${clock(seconds)}, ${clock(left)} left`;
      const parts = [
        ...(count > 1 ? [`[${index + 1}/${count}]`] : []),
        `${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${String(Math.floor(reached * 100)).padStart(3)}%`,
        time,
        steps(phase, done, total),
      ];
      const head = parts.join('  ');
      const withThreads = `${head}, ${plural(threads, 'thread')}`;
      // The name of the source needs some room; the threads never change.
      const start = withThreads.length + 2 + Math.min(source.length, 20) <= room ? withThreads : head;
      const name = shortened(source, room - start.length - 2);
      return name.length < 4 ? head : `${start}  ${name}`;
    },
  };
}
