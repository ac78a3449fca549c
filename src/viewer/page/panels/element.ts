// Elements of the page. Text becomes text nodes, never markup: names of a source may hold anything.

type Child = Node | string | number | null | undefined | false;

/** An element with attributes and children; `class` and `on...` as in HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | boolean | ((event: Event) => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.replace(/^on/, ''), value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, String(value));
  }
  made.append(...childNodes(children));
  return made;
}

function childNodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return [typeof child === 'number' ? String(child) : child];
  });
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as T;
}

/** Terms with their values. */
export function terms(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value ?? '–')]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly Child[])[], numbers: readonly number[] = []) {
  const cellClass = (i: number) => (numbers.includes(i) ? 'number' : 'name');
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head.map((text, i) => element('th', { class: cellClass(i) }, text)))),
    element(
      'tbody',
      {},
      ...rows.map((cells) =>
        element('tr', {}, ...cells.map((cell, i) => element('td', { class: cellClass(i) }, cell ?? '–'))),
      ),
    ),
  );
}

/** A list of choices; `onPick` gets the value. */
export function fillSelect(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  onPick: (value: string) => void,
): void {
  select.replaceChildren(...options.map(([key, text]) => element('option', { value: key }, text)));
  select.value = value;
  select.addEventListener('change', () => onPick(select.value));
}

export function row(label: string, ...controls: readonly Child[]): HTMLElement {
  return element('label', { class: 'row' }, element('span', {}, label), ...controls);
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');

export function metres(value: number): string {
  return `${value.toFixed(Math.abs(value) < 100 ? 2 : 1)} m`;
}
