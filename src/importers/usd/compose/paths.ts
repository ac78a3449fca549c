// Paths of scene description: namespace without variant selections, and sites with them (`/A{set=name}B`), as crate and
// text layers spell them.

/** The site of a child: below a variant no slash stands before the name. */
export function appendChild(path: string, name: string): string {
  if (path === '/') return `/${name}`;
  return path.endsWith('}') ? path + name : `${path}/${name}`;
}

/** The namespace path of a site: `/A{set=name}B/C{t=x}` is at `/A/B/C`. */
export function stripVariants(path: string): string {
  if (!path.includes('{')) return path;
  return path.replace(/(?:\{[^{}]*\})+(.?)/g, (_, next: string) =>
    next === '' || next === '.' || next === '/' ? next : `/${next}`,
  );
}

/** The path of the prim above; `/` for root prims. `path` has no variant selections. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** The prim of a path that may be a property's. */
export function primPathOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` (of a prim or property) is the prim at `prefix` or something in it. */
export function hasPrefix(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  if (path.length === prefix.length || prefix === '/') return true;
  const next = path[prefix.length];
  return next === '/' || next === '.' || next === '{' || next === '[';
}

/** An absolute path of a prim other than the pseudo-root, without variant selections. */
export function isPrimPath(path: string): boolean {
  return path.length > 1 && path.startsWith('/') && !/[.{}[\]]|\/\/|\/$/.test(path);
}
