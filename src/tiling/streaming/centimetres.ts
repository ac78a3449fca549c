// Distances in whole centimetres, as the engine's exporter writes them into a manifest. Six decimals of a centimetre are
// rounded away first, so that 44.15, which is 4414.999999999999 cm in float64, stays 44.15.

const inCentimetres = (metres: number): number => Number((metres * 100).toFixed(6));

export function ceilCentimetre(metres: number): number {
  return Math.ceil(inCentimetres(metres)) / 100;
}

export function floorCentimetre(metres: number): number {
  return Math.floor(inCentimetres(metres)) / 100;
}
