// Numbers of bytes for people. No locale: the same text on every machine.

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Bytes in decimal units: "999 B", "1.2 kB", "34 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  // 999.95 would be rounded to 1000.0.
  while ((value >= 999.5 || unit < 0) && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
