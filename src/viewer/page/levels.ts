// Levels of detail: how they are called and which colours stand for them.

/** Colours that differ in lightness too, for those who see few hues. */
const COLORS: Readonly<Record<string, string>> = {
  full: '#3fa66b',
  lod1: '#c9b037',
  lod2: '#d98a2b',
  lod3: '#c9553d',
  lod4: '#9c3f5f',
  hlod: '#6f74d6',
  none: '#6b7280',
};

const TIERS: Readonly<Record<string, string>> = {
  ExteriorShell: '#4c8fd0',
  StructuralInterior: '#3fa66b',
  RoomContents: '#d9a52b',
  FineProps: '#c9553d',
};

export const levelColor = (level: string): string => COLORS[level] ?? COLORS.lod4;
export const tierColor = (tier: string | null): string => TIERS[tier ?? ''] ?? COLORS.none;
/** The colour of a tile among many: neighbours in the list are far apart on the wheel. three.js reads it with commas alone. */
export const tileColor = (index: number): string => `hsl(${Math.round((index * 137.508) % 360)}, 55%, 52%)`;

export const TIER_NAMES: readonly string[] = Object.keys(TIERS);
