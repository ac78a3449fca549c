// HTML from templates. What a source says is text: every value is escaped unless it is markup itself.

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Fragment = Markup | string | number | null | false | undefined | readonly Fragment[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters would end a document that a browser reads as XML, and show nothing. */
function escaped(text: string): string {
  return text.replace(/[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, (c) => ESCAPES[c] ?? '\ufffd');
}

function textOf(part: Fragment): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escaped(String(part));
}

/** A template whose values are escaped; lists are joined, and null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Markup {
  return new Markup(strings.reduce((all, string, i) => all + textOf(parts[i - 1]) + string));
}
