// The list of keys.

import { element } from './element.ts';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['W', 'A', 'S', 'D'], 'fly or walk, or turn and approach; so do the arrow keys'],
  [['Q', 'E'], 'down and up'],
  [['Shift'], 'four times as fast; with the mouse: move sideways'],
  [['O'], 'orbit'],
  [['G'], 'fly'],
  [['K'], 'walk on the ground'],
  [['F'], 'frame the whole set, or what is selected'],
  [['V'], 'the next view'],
  [['C'], 'save the picture as PNG'],
  [['P'], 'play or pause a clip'],
  [[',', '.'], 'a thirtieth of a second back or on in the clip'],
  [['J'], 'joints as lines'],
  [['/'], 'search objects'],
  [['Enter'], 'inspect what is in the middle'],
  [['Esc'], 'nothing selected'],
  [['?'], 'this list'],
];

export function fillKeys(dialog: HTMLDialogElement): void {
  dialog.replaceChildren(
    element('h2', { id: 'keys-title' }, 'Keys'),
    element(
      'table',
      {},
      element(
        'tbody',
        {},
        ...KEYS.map(([keys, what]) =>
          element(
            'tr',
            {},
            element('td', {}, ...keys.flatMap((key) => [element('kbd', {}, key), ' '])),
            element('td', {}, what),
          ),
        ),
      ),
    ),
    element('p', { class: 'quiet' }, 'The mouse wheel changes the distance, and while flying the speed.'),
    element('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
  );
}
