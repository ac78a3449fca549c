// How large bytes are on their way over HTTP. Packed by a package that gives the same on every machine, unlike the zlib of Node.

/** The bytes of a gzip file. */
export async function gzipSize(bytes: Uint8Array): Promise<number> {
  const { gzipSync } = await import('fflate');
  return gzipSync(bytes, { level: 6 }).length;
}
