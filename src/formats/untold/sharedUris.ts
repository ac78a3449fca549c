// How files name textures that lie in a folder which sets of one output share: `../Textures/0123456789abcdef.utex`. Such a path
// may lead above the folder of a set. No other path may, so that a file cannot make a reader open what it likes.

/** Relative to the folder of a set, normalised. The name begins with the hash of the content, as sharedTextureName gives it. */
const SHARED_PATH = /^(?:\.\.\/)*Textures\/[0-9a-f]{16}\.[a-z0-9]+$/;

export const isSharedPath = (path: string): boolean => SHARED_PATH.test(path);

/** The path with `/`, without empty parts, `.` and `..` but for those at its beginning. */
export function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const last = parts.at(-1);
    if (part === '..' && last !== undefined && last !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** The normalised path of a texture, if it leads above the folder that it is relative to and may do so; otherwise null. */
export function sharedAbove(path: string): string | null {
  const plain = withoutDots(path);
  return plain.startsWith('../') && isSharedPath(plain) ? plain : null;
}
