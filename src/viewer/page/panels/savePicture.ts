// Saves a picture as a file, named after what is shown.

import { element } from './element.ts';

/** `source`: the name of the set, of which the last part without its extension names the file. */
export function savePicture(picture: Blob | null, source: string): void {
  if (picture === null) return;
  const name = source.slice(source.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '') || 'picture';
  const href = URL.createObjectURL(picture);
  element('a', { href, download: `${name}.png` }).click();
  // The browser has it by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
