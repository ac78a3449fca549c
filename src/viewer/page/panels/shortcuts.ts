// Keys that do something wherever the focus is, but not while something is typed.

export type Shortcuts = Readonly<Record<string, () => void>>;

/** `isOff`: whether keys belong to something else now. `onEnter`: of the canvas. */
export function listenForKeys(
  shortcuts: Shortcuts,
  canvas: HTMLElement,
  isOff: () => boolean,
  onEnter: () => void,
): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isField =
      target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'radio');
    if (ctrlKey || metaKey || altKey || isField || isOff()) return;
    if (key === 'Enter' && target === canvas) onEnter();
    else {
      // What is typed for a shortcut is no search.
      if (key === '/') event.preventDefault();
      shortcuts[key.length === 1 ? key.toLowerCase() : key]?.();
    }
  });
}
