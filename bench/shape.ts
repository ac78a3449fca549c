// Triangles of one material being put together: panels, boxes, sheets over a grid, with normals and UVs. UVs are in
// metres over a texture's size where nothing else is said.

export type Point = readonly [number, number, number];

const add = (a: Point, b: Point, s = 1): Point => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit([x, y, z]: Point): Point {
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 1, 0];
}
const length = ([x, y, z]: Point) => Math.sqrt(x * x + y * y + z * z);

export class Shape {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly uvs: number[] = [];
  readonly indices: number[] = [];

  get triangles(): number {
    return this.indices.length / 3;
  }

  vertex(p: Point, n: Point, u: number, v: number): number {
    this.positions.push(p[0], p[1], p[2]);
    this.normals.push(n[0], n[1], n[2]);
    this.uvs.push(u, v);
    return this.positions.length / 3 - 1;
  }

  /** Corners counter-clockwise. */
  quad(a: number, b: number, c: number, d: number): void {
    this.indices.push(a, b, c, a, c, d);
  }

  /** A flat rectangle from `corner` along `right` and `up`; seen from where their cross product points. */
  panel(corner: Point, right: Point, up: Point, uvs: 'metres' | 'whole' = 'metres'): void {
    const n = unit(cross(right, up));
    const [w, h] = uvs === 'whole' ? [1, 1] : [length(right), length(up)];
    const top = add(corner, up);
    this.quad(
      this.vertex(corner, n, 0, 0),
      this.vertex(add(corner, right), n, w, 0),
      this.vertex(add(top, right), n, w, h),
      this.vertex(top, n, 0, h),
    );
  }

  /** The six sides of a slanted box, or five where the one at the back (against `out`) is not seen. */
  box(corner: Point, right: Point, up: Point, out: Point, back = true): void {
    const flip = (v: Point): Point => [-v[0], -v[1], -v[2]];
    this.panel(add(corner, out), right, up);
    if (back) this.panel(add(corner, right), flip(right), up);
    this.panel(corner, out, up);
    this.panel(add(add(corner, out), right), flip(out), up);
    this.panel(add(add(corner, up), out), right, flip(out));
    this.panel(corner, right, out);
  }

  /** A grid of `columns` x `rows` quads over u and v from 0 to 1, with smooth normals from differences. */
  sheet(columns: number, rows: number, uvSize: Point | null, at: (u: number, v: number) => Point): void {
    const h = 1e-3;
    const first = this.positions.length / 3;
    for (let j = 0; j <= rows; j++) {
      for (let i = 0; i <= columns; i++) {
        const [u, v] = [i / columns, j / rows];
        const along = add(at(u + h, v), at(u - h, v), -1);
        const across = add(at(u, v + h), at(u, v - h), -1);
        this.vertex(at(u, v), unit(cross(along, across)), u * (uvSize ? uvSize[0] : 1), v * (uvSize ? uvSize[1] : 1));
      }
    }
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const a = first + j * (columns + 1) + i;
        this.quad(a, a + 1, a + columns + 2, a + columns + 1);
      }
    }
  }

  /** Of the positions as float32. */
  bounds(): { min: number[]; max: number[] } {
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.positions.length; i++) {
      const x = Math.fround(this.positions[i]);
      min[i % 3] = Math.min(min[i % 3], x);
      max[i % 3] = Math.max(max[i % 3], x);
    }
    return { min, max };
  }
}
