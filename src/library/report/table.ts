// Numbers and tables of reports. A script sorts the tables.

import { html, Markup } from './markup.ts';

export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
export const metres = (value: number | null): string => (value === null ? '' : `${count(value)} m`);
/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  /** What is shown, and for numbers what it is sorted by. */
  readonly cell: (row: T) => string | readonly [shown: string, value: number];
  /** Where on the page the words of a cell lead; null: nowhere. */
  readonly href?: (row: T) => string | null;
}

/** A table of rows, in a part that scrolls where it is too wide, or with `isTall` too high. */
export function tableOf<T>(
  id: string,
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  isTall = false,
): Markup {
  const cell = (row: T, { cell: of, href }: Column<T>, isFirst: boolean): Markup => {
    const value = of(row);
    if (typeof value === 'string') {
      const to = href?.(row) ?? null;
      const words = to === null ? value : html`<a href="${to}">${value}</a>`;
      return isFirst ? html`<td class="name">${words}</td>` : html`<td>${words}</td>`;
    }
    return html`<td class="number" data-value="${value[1]}">${value[0]}</td>`;
  };
  const isNumber = (column: Column<T>) => rows.length > 0 && typeof column.cell(rows[0]) !== 'string';
  return html`<div class="scroll${isTall ? ' tall' : ''}" tabindex="0" role="region" aria-label="${caption}"><table id="${id}" data-sorts>
<thead><tr>${columns.map((column) => html`<th scope="col"${new Markup(isNumber(column) ? ' class="number"' : '')}>${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column, i) => cell(row, column, i === 0))}</tr>\n`)}</tbody>
</table></div>`;
}

export const factsPart = (facts: readonly (readonly [title: string, value: string])[]): Markup =>
  html`<dl class="facts">${facts.map(([title, value]) => html`<div><dt>${title}</dt><dd>${value}</dd></div>`)}</dl>`;
