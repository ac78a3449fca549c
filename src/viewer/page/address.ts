// The part of the page's address after #: the camera and what is shown, so that a link, a bookmark or a reload shows it again.

/** How the camera moves. */
export const CAMERA_MODES = ['orbit', 'fly', 'walk'] as const;
export type CameraMode = (typeof CAMERA_MODES)[number];

/** What an address may say; absent: as the page begins. */
export interface Place {
  /** Position and target in metres, as `untold render --camera` takes them. */
  readonly camera?: readonly number[];
  readonly mode?: CameraMode;
  readonly show?: string;
  readonly view?: string;
}

/** Millimetres are enough for a camera. */
const DIGITS = 3;

const plain = (value: number): string => String(Number(value.toFixed(DIGITS)));

/** Without the #. */
export function addressOf({ camera, mode, show, view }: Place): string {
  const parts: string[] = [];
  if (camera) parts.push(`camera=${camera.map(plain).join(',')}`);
  for (const [name, value] of Object.entries({ mode, show, view })) {
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  return parts.join('&');
}

/** What cannot be read is absent: whoever writes addresses by hand may err. */
export function placeIn(address: string): Place {
  const given = new URLSearchParams(address.replace(/^#/, ''));
  const numbers = (given.get('camera') ?? '').split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
  const isCamera =
    numbers.length === 6 && numbers.every(Number.isFinite) && [0, 1, 2].some((k) => numbers[k] !== numbers[k + 3]);
  const mode = CAMERA_MODES.find((one) => one === given.get('mode'));
  const show = given.get('show');
  const view = given.get('view');
  return {
    ...(isCamera ? { camera: numbers } : {}),
    ...(mode ? { mode } : {}),
    ...(show !== null ? { show } : {}),
    ...(view !== null ? { view } : {}),
  };
}
