// Time and memory of a run.

import { readFileSync } from 'node:fs';

export interface Run {
  readonly seconds: number;
  readonly peakBytes: number;
}

/** Time and memory so far. */
export function measure(started: number): Run {
  return { seconds: Math.round(performance.now() - started) / 1000, peakBytes: peakMemory() };
}

/** Bytes of memory at the peak. On Linux maxRSS also counts the process that started this one; VmHWM does not. */
function peakMemory(): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (peak) return Number(peak[1]) * 1024;
  } catch {
    // No such file: not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
