// Normals and areas of triangles.

/** Writes unit normals (3 float64 each, zero for a triangle without an area) and, unless the address is 0, areas. */
export function faces(positions: usize, indices: usize, count: u32, normals: usize, areas: usize): void {
  memory.fill(normals, 0, <usize>count * 24);
  for (let t: u32 = 0, at = indices, to = normals; t < count; t++, at += 12, to += 24) {
    const a = positions + <usize>load<u32>(at) * 12;
    const b = positions + <usize>load<u32>(at, 4) * 12;
    const c = positions + <usize>load<u32>(at, 8) * 12;
    const ux = <f64>load<f32>(b) - <f64>load<f32>(a);
    const uy = <f64>load<f32>(b, 4) - <f64>load<f32>(a, 4);
    const uz = <f64>load<f32>(b, 8) - <f64>load<f32>(a, 8);
    const vx = <f64>load<f32>(c) - <f64>load<f32>(a);
    const vy = <f64>load<f32>(c, 4) - <f64>load<f32>(a, 4);
    const vz = <f64>load<f32>(c, 8) - <f64>load<f32>(a, 8);
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const length = sqrt<f64>(x * x + y * y + z * z);
    if (areas !== 0) store<f64>(areas + ((<usize>t) << 3), length / 2);
    if (length === 0) continue;
    store<f64>(to, x / length);
    store<f64>(to, y / length, 8);
    store<f64>(to, z / length, 16);
  }
}
