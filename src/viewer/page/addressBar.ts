// Keeps the page's address saying what is shown, and shows what a changed address says.

import { addressOf, type Place, placeIn } from './address.ts';

/** So long a place must stay the same before the address says it: browsers slow down pages that write it all the time. */
const REST = 400;

export class AddressBar {
  readonly #place: () => Place;
  #seen = '';
  #since = 0;

  constructor(place: () => Place, onChange: (place: Place) => void) {
    this.#place = place;
    // By the time of the event the page may have written the address anew.
    addEventListener('hashchange', ({ newURL }) => onChange(placeIn(new URL(newURL).hash)));
  }

  get given(): Place {
    return placeIn(location.hash);
  }

  /** Asked again and again. */
  update(): void {
    const address = addressOf(this.#place());
    if (address !== this.#seen) {
      this.#seen = address;
      this.#since = performance.now();
    } else if (performance.now() - this.#since > REST && location.hash !== `#${address}`) {
      history.replaceState(null, '', `#${address}`);
    }
  }
}
