// Whether what a file states as normals and tangents can be used.

const hasDirection = (values: Float32Array, i: number): boolean => {
  const length = values[i] * values[i] + values[i + 1] * values[i + 1] + values[i + 2] * values[i + 2];
  return length > 0 && length < Number.POSITIVE_INFINITY;
};

/** Whether all vectors of three numbers are finite and have a direction. */
export function areDirections(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i += 3) if (!hasDirection(values, i)) return false;
  return true;
}

/** Whether all tangents have a direction and a sign. */
export function areTangents(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i += 4) {
    if (!hasDirection(values, i) || Math.abs(values[i + 3]) !== 1) return false;
  }
  return true;
}
