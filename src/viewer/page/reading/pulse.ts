// Whether the server is still there: a page that has read all of a set would not notice.

import { SERVER } from '../trouble.ts';
import type { Attempts } from './attempts.ts';

/** Seconds between two questions. */
const PULSE = 5;

/** Asks the server again and again whether it is there, while somebody looks. */
export async function watchServer(attempts: Attempts): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PULSE * 1000));
    for (let tries = 0; !document.hidden; tries++) {
      const status = await fetch(SERVER, { method: 'HEAD', cache: 'no-store' }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) break;
      await attempts.pause(SERVER, status, tries);
    }
    attempts.end(SERVER);
  }
}
