// What keeps the page from showing a set: asked ten times a second, told in the middle of the picture.

import type { Attempts } from './reading/attempts.ts';

/** The name under which attempts at the server itself are kept. */
export const SERVER = 'view.json';

/** What is wrong. */
export interface Trouble {
  /** Names what is wrong: what has been hidden stays hidden until it differs. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  /** Seconds to the next attempt; null: none will be made. */
  readonly seconds: number | null;
}

const files = (count: number): string => (count === 1 ? 'A file' : `${count} files`);

/** Null: all is well. `unreadable`: files that have come, and that no reader takes. */
export function troubleOf(attempts: Attempts, unreadable: number): Trouble | null {
  const { missing } = attempts;
  const statuses = [...missing.values()].map(({ status }) => status);
  const seconds = attempts.secondsLeft;
  if (statuses.includes(0)) {
    return {
      key: 'gone',
      title: 'The server does not answer',
      text: 'It has ended, or the connection is lost. What has been read stays. A new `untold view` prints another address.',
      seconds,
    };
  }
  const server = missing.get(SERVER);
  if (server) {
    return {
      key: 'another',
      title: 'Another server is at this address',
      text: 'Open the address that `untold view` has printed last.',
      seconds,
    };
  }
  if (missing.size > 0) {
    return {
      key: `missing ${missing.size}`,
      title: `${files(missing.size)} of the set cannot be had`,
      text: `The server answers ${[...new Set(statuses)].sort().join(', ')}. If the set has been cooked again meanwhile, reload the page.`,
      seconds,
    };
  }
  if (unreadable > 0) {
    return {
      key: `unreadable ${unreadable}`,
      title: `${files(unreadable)} of the set cannot be read`,
      text: '“Messages” says why. What can be read is shown.',
      seconds: null,
    };
  }
  return null;
}
