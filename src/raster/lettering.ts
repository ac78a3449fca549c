// Captions of pictures: a font of our own, 5 x 7 pixels a letter, capitals only. Small letters are drawn as capitals.

/** Seven rows of five pixels for each letter, from the top. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '.###. #...# #...# ##### #...# #...# #...#',
  B: '####. #...# #...# ####. #...# #...# ####.',
  C: '.###. #...# #.... #.... #.... #...# .###.',
  D: '####. #...# #...# #...# #...# #...# ####.',
  E: '##### #.... #.... ####. #.... #.... #####',
  F: '##### #.... #.... ####. #.... #.... #....',
  G: '.###. #...# #.... #.### #...# #...# .####',
  H: '#...# #...# #...# ##### #...# #...# #...#',
  I: '.###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.',
  J: '..### ...#. ...#. ...#. ...#. #..#. .##..',
  K: '#...# #..#. #.#.. ##... #.#.. #..#. #...#',
  L: '#.... #.... #.... #.... #.... #.... #####',
  M: '#...# ##.## #.#.# #.#.# #...# #...# #...#',
  N: '#...# ##..# ##..# #.#.# #..## #..## #...#',
  O: '.###. #...# #...# #...# #...# #...# .###.',
  P: '####. #...# #...# ####. #.... #.... #....',
  Q: '.###. #...# #...# #...# #.#.# #..#. .##.#',
  R: '####. #...# #...# ####. #.#.. #..#. #...#',
  S: '.#### #.... #.... .###. ....# ....# ####.',
  T: '##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..',
  U: '#...# #...# #...# #...# #...# #...# .###.',
  V: '#...# #...# #...# #...# .#.#. .#.#. ..#..',
  W: '#...# #...# #...# #.#.# #.#.# ##.## #...#',
  X: '#...# #...# .#.#. ..#.. .#.#. #...# #...#',
  Y: '#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..',
  Z: '##### ....# ...#. ..#.. .#... #.... #####',
  0: '.###. #...# #..## #.#.# ##..# #...# .###.',
  1: '..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.',
  2: '.###. #...# ....# ..##. .#... #.... #####',
  3: '##### ...#. ..#.. ...#. ....# #...# .###.',
  4: '...#. ..##. .#.#. #..#. ##### ...#. ...#.',
  5: '##### #.... ####. ....# ....# #...# .###.',
  6: '..##. .#... #.... ####. #...# #...# .###.',
  7: '##### ....# ...#. ..#.. .#... .#... .#...',
  8: '.###. #...# #...# .###. #...# #...# .###.',
  9: '.###. #...# #...# .#### ....# ...#. .##..',
  ' ': '..... ..... ..... ..... ..... ..... .....',
  '.': '..... ..... ..... ..... ..... .##.. .##..',
  ',': '..... ..... ..... ..... .##.. ..#.. .#...',
  ':': '..... .##.. .##.. ..... .##.. .##.. .....',
  '-': '..... ..... ..... ##### ..... ..... .....',
  _: '..... ..... ..... ..... ..... ..... #####',
  '+': '..... ..#.. ..#.. ##### ..#.. ..#.. .....',
  '/': '....# ...#. ...#. ..#.. .#... .#... #....',
  '%': '##..# ##..# ...#. ..#.. .#... #..## #..##',
  '(': '...#. ..#.. .#... .#... .#... ..#.. ...#.',
  ')': '.#... ..#.. ...#. ...#. ...#. ..#.. .#...',
  '=': '..... ..... ##### ..... ##### ..... .....',
};

/** What stands for a letter that the font lacks. */
const UNKNOWN = '##### #...# #...# #...# #...# #...# #####';

export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;
/** From one letter to the next. */
export const ADVANCE = GLYPH_WIDTH + 1;

/** Pixels of a line; each letter is `zoom` times as large as the font. */
export function lineWidth(text: string, zoom: number): number {
  return ([...text].length * ADVANCE - 1) * zoom;
}

/** Writes a line into RGB bytes of a picture `width` pixels wide, its upper left corner at x, y. What is outside is cut. */
export function writeLine(
  rgb: Uint8Array,
  width: number,
  x: number,
  y: number,
  text: string,
  zoom: number,
  color: readonly [number, number, number],
): void {
  const height = rgb.length / 3 / width;
  for (const [i, letter] of [...text.toUpperCase()].entries()) {
    const rows = (GLYPHS[letter] ?? UNKNOWN).split(' ');
    for (let down = 0; down < GLYPH_HEIGHT * zoom; down++) {
      for (let across = 0; across < GLYPH_WIDTH * zoom; across++) {
        if (rows[Math.floor(down / zoom)][Math.floor(across / zoom)] !== '#') continue;
        const column = x + i * ADVANCE * zoom + across;
        const row = y + down;
        if (column >= 0 && column < width && row >= 0 && row < height) rgb.set(color, (row * width + column) * 3);
      }
    }
  }
}
