// Paths of scene description, as crate and text layers spell them. A namespace path has no variant selections (`/A/B`);
// the path of a site may have some (`/A{set=name}B`).

/** The site of a child. Directly below a variant, the name follows without a slash. */
export function appendChild(path: string, name: string): string {
  if (path === '/') return `/${name}`;
  return path.endsWith('}') ? path + name : `${path}/${name}`;
}

/** The namespace path of a site: `/A/B/C` for `/A{set=name}B/C{t=x}`. */
export function stripVariants(path: string): string {
  if (!path.includes('{')) return path;
  return path.replace(/(?:\{[^{}]*\})+(.?)/g, (_, next: string) =>
    next === '' || next === '.' || next === '/' ? next : `/${next}`,
  );
}

/** The path of the parent prim; `/` for root prims. `path` has no variant selections. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** The parent site. The parent of a variant is the site that has its set. */
export function parentSite(site: string): string {
  if (site.endsWith('}')) return site.slice(0, site.lastIndexOf('{'));
  const variant = site.lastIndexOf('}');
  const slash = site.lastIndexOf('/');
  if (slash > variant) return slash === 0 ? '/' : site.slice(0, slash);
  return site.slice(0, variant + 1);
}

/** The site without the variant selections at its end. */
export function primSite(site: string): string {
  return site.endsWith('}') ? site.replace(/(?:\{[^{}]*\})+$/, '') : site;
}

/** The site with a variant of `owner` selected. `owner` is the site itself or a site above it. */
export function selectVariant(site: string, owner: string, set: string, name: string): string {
  const rest = site.slice(owner.length);
  return `${owner}{${set}=${name}}${rest.startsWith('/') ? rest.slice(1) : rest}`;
}

/** The number of prims in a path or site; 0 for the pseudo-root. */
export function depthOf(site: string): number {
  const path = stripVariants(site);
  if (path === '/') return 0;
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

/** The site of the prim at `path` with the variants that `site` selects on it and above it. */
export function withVariantsOf(path: string, site: string): string {
  if (!site.includes('}')) return path;
  const owner = site.slice(0, site.lastIndexOf('}') + 1);
  const prefix = stripVariants(owner);
  if (!hasPrefix(path, prefix)) return path;
  const rest = path.slice(prefix.length);
  return owner + (rest.startsWith('/') ? rest.slice(1) : rest);
}

/** The prim of a path of a prim or property. */
export function primPathOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('}')) + 1);
}

/** Whether `path`, of a prim or property, is `prefix` or lies below it. */
export function hasPrefix(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  if (path.length === prefix.length || prefix === '/' || prefix.endsWith('}')) return true;
  const next = path[prefix.length];
  return next === '/' || next === '.' || next === '{' || next === '[';
}

export function isRootPrim(path: string): boolean {
  return parentPath(path) === '/' && !path.endsWith('}');
}

/** Whether a path is the absolute path of a prim other than the pseudo-root, without variant selections. */
export function isPrimPath(path: string): boolean {
  return path.length > 1 && path.startsWith('/') && !/[.{}[\]]|\/\/|\/$/.test(path);
}
