// Time and memory of a run.

import { readFileSync } from 'node:fs';
import type { Clock } from '../terminal/host.ts';

export interface Run {
  readonly seconds: number;
  readonly peakBytes: number;
  /** With --timing only. */
  readonly phases?: readonly PhaseTime[];
}

/** What a phase took over all sources, added up: of sources that are cooked side by side too. */
export interface PhaseTime {
  readonly phase: string;
  readonly seconds: number;
  /** Memory of the process at its peak until the last end of the phase. */
  readonly peakBytes: number;
}

/** Time and memory so far. */
export function measure(started: number, clock: Clock): Run {
  return { seconds: Math.round(clock.now() - started) / 1000, peakBytes: peakMemory() };
}

/** Bytes of memory at the peak. On Linux maxRSS also counts the process that started this one; VmHWM does not. */
export function peakMemory(): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (peak) return Number(peak[1]) * 1024;
  } catch {
    // No such file: not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

/** Adds up what each phase takes, over all sources: side by side they take more than the time of the run. */
export class PhaseTimes {
  readonly #seconds = new Map<string, number>();
  readonly #peaks = new Map<string, number>();
  #phase: string | null = null;
  #since = 0;

  /** A phase begins, or goes on. `time`: milliseconds since 1970, with fractions. */
  enter(phase: string, time: number): void {
    if (phase === this.#phase) return;
    this.end(time);
    this.#phase = phase;
    this.#since = time;
  }

  /** The phase that was entered last ends. */
  end(time: number): void {
    const phase = this.#phase;
    if (phase === null) return;
    this.#seconds.set(phase, (this.#seconds.get(phase) ?? 0) + (time - this.#since) / 1000);
    this.#peaks.set(phase, peakMemory());
    this.#phase = null;
  }

  /** In the order in which the phases first began. */
  get list(): readonly PhaseTime[] {
    return [...this.#seconds].map(([phase, seconds]) => ({
      phase,
      seconds: Math.round(seconds * 1000) / 1000,
      peakBytes: this.#peaks.get(phase) ?? 0,
    }));
  }
}
