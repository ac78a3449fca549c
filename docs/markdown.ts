// Parts of the generated pages.

export const GENERATED = '<!-- Written by `npm run docs`; edit the table in src/ instead. -->';

/** A cell of a Markdown table: a bar would end it, and angle brackets would be HTML. */
export const cell = (text: string): string => text.replace(/[|<>]/g, (c) => `\\${c}`);
export const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
