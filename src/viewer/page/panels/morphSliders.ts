// A slider for the weight of each morph target. The engine has weights of any size; these are the usual ones and their
// opposites.

import { element, row } from './element.ts';

/** Of the sliders. */
const STEP = 0.01;

/** Sliders that begin at 0, at which the mesh is as stored; nothing for no names. */
export function morphSliders(
  names: readonly string[],
  onWeight: (name: string, weight: number) => void,
): HTMLElement[] {
  if (names.length === 0) return [];
  const all: { readonly slider: HTMLInputElement; readonly show: () => void }[] = [];
  const rows = names.map((name) => {
    const output = element('output', {}, '0.00');
    const show = () => {
      output.textContent = Number(slider.value).toFixed(2);
      onWeight(name, Number(slider.value));
    };
    const slider = element('input', { type: 'range', min: -1, max: 1, step: STEP, value: 0, oninput: show });
    all.push({ slider, show });
    return row(name, slider, output);
  });
  const reset = () => {
    for (const { slider, show } of all) {
      slider.value = '0';
      show();
    }
  };
  const button = element('button', { type: 'button', onclick: reset }, 'All to 0');
  return [element('section', { class: 'morphs' }, element('h2', {}, 'Morph targets'), ...rows, button)];
}
