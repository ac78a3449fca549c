// Limits of what the skeletons of a stage may have. A crate can refer to the same array any number of times, and by
// references a stage can repeat a skeleton as often; what is kept for each of them has to be bounded.

/** So much may be taken in all. */
export class Budget {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** Whether `amount` was left. What did not fit takes nothing. */
  take(amount: number): boolean {
    if (!(amount <= this.#left)) return false;
    this.#left -= amount;
    return true;
  }
}

/** Joints of different skeletons, and of different skins. */
export const MAX_JOINTS = 2 ** 20;
/** Channels of all clips. */
export const MAX_CHANNELS = 2 ** 22;
/** Values of different animations: translations, rotations and scales of joints. */
export const MAX_KEYS = 2 ** 24;
