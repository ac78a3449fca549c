// Names that Windows keeps for devices: a file cannot have one, whatever its ending (learn.microsoft.com, "Naming Files, Paths,
// and Namespaces").

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** A name without its ending that a file can have on every system: `aux` becomes `aux_`. */
export const fileStem = (stem: string): string => (DEVICE.test(stem) ? `${stem}_` : stem);
