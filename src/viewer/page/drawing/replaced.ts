/** Replaces a part of a shader of three.js that must be there: another version of three.js may have changed it. */
export function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the shader has no ${part}`);
  return text.replace(part, by);
}
