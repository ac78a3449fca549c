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

/** The site above: of a variant's child the variant, of a variant the site that has its set. */
export function parentSite(site: string): string {
  if (site.endsWith('}')) return site.slice(0, site.lastIndexOf('{'));
  const variant = site.lastIndexOf('}');
  const slash = site.lastIndexOf('/');
  if (slash > variant) return slash === 0 ? '/' : site.slice(0, slash);
  return site.slice(0, variant + 1);
}

/** The site without the variants selected at its end. */
export function primSite(site: string): string {
  return site.endsWith('}') ? site.replace(/(?:\{[^{}]*\})+$/, '') : site;
}

/** The site with a variant selected at it or at the site above it that has the set. */
export function selectVariant(site: string, owner: string, set: string, name: string): string {
  const rest = site.slice(owner.length);
  return `${owner}{${set}=${name}}${rest.startsWith('/') ? rest.slice(1) : rest}`;
}

/** Levels of namespace down to a prim or site; the pseudo-root has none. */
export function depthOf(site: string): number {
  const path = stripVariants(site);
  if (path === '/') return 0;
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

/** A prim in the namespace of a site, with the variants that the site selects above it or at it. */
export function withVariantsOf(path: string, site: string): string {
  if (!site.includes('}')) return path;
  const owner = site.slice(0, site.lastIndexOf('}') + 1);
  const prefix = stripVariants(owner);
  if (!hasPrefix(path, prefix)) return path;
  const rest = path.slice(prefix.length);
  return owner + (rest.startsWith('/') ? rest.slice(1) : rest);
}

/** The prim of a path that may be a property's. */
export function primPathOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('}')) + 1);
}

/** Whether `path` (of a prim or property) is the prim at `prefix` or something in it. */
export function hasPrefix(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  if (path.length === prefix.length || prefix === '/' || prefix.endsWith('}')) return true;
  const next = path[prefix.length];
  return next === '/' || next === '.' || next === '{' || next === '[';
}

export function isRootPrim(path: string): boolean {
  return parentPath(path) === '/' && !path.endsWith('}');
}

/** An absolute path of a prim other than the pseudo-root, without variant selections. */
export function isPrimPath(path: string): boolean {
  return path.length > 1 && path.startsWith('/') && !/[.{}[\]]|\/\/|\/$/.test(path);
}
