// The sets of this process that are neither committed nor discarded. The library installs no handlers: a program that may
// end during a cook discards them itself, as the command line does. The next cook of a set removes what a killed process
// left of it.

const openSets = new Set<{ discard(): void }>();

export function noteOpen(set: { discard(): void }): void {
  openSets.add(set);
}

export function noteClosed(set: { discard(): void }): void {
  openSets.delete(set);
}

/**
 * Removes the staging folders and locks of all cooks that this process has not finished; synchronous, for a handler of the
 * process's `exit` event. Their targets stay as they were.
 */
export function discardUnfinished(): void {
  for (const set of [...openSets]) set.discard();
}
