// What the kernel's module exports (assembly/index.ts), for TypeScript.

import type { Address } from './address.ts';
import type { CollapseCalls } from './collapseCalls.ts';

export type { Address };

/** What the module exports: its functions, with addresses of what assembly/layout.ts names. */
export interface KernelCalls extends CollapseCalls {
  firstIllegalBlock(blocks: Address, count: number, blockWidth: number, blockHeight: number): number;
  decodeAstc(
    blocks: Address,
    width: number,
    height: number,
    blockWidth: number,
    blockHeight: number,
    isSrgb: boolean,
    to: Address,
  ): number;
  idCountOf(surface: Address): number;
  findPositions(surface: Address): void;
  missingIds(surface: Address, other: Address, to: Address): number;
  sharedIds(surface: Address, other: Address, near: Address): void;
  idsBeside(surface: Address, near: Address, kept: Address): void;
  spreadPoints(surface: Address, count: number, points: Address): void;
  reach(surface: Address, triangle: number): number;
  firstId(surface: Address, triangle: number): number;
  farthest(
    surface: Address,
    points: Address,
    tree: Address,
    near: Address,
    known: number,
    beyond: number,
    found: Address,
  ): number;
  farthestInTriangle(surface: Address, triangle: number, tree: Address, known: number): number;
  buildHierarchy(tree: Address): void;
  buildFans(tree: Address, surface: Address): void;
  facingWithin(tree: Address, points: Address, stride: number, count: number, reach: number, isWithin: Address): void;
  nearestTriangles(tree: Address, points: Address, normals: Address, count: number, nearest: Address): void;
  rowsByNumber(
    numbers: Address,
    length: number,
    wanted: Address,
    count: number,
    starts: Address,
    rows: Address,
  ): number;
  pickRows(rows: Address, width: number, list: Address, count: number, to: Address): void;
  joinFeatures(
    vertexCount: number,
    indices: Address,
    indexCount: number,
    meshOf: Address,
    uv0: Address,
    textured: Address,
    idCount: number,
    starts: Address,
    rows: Address,
    parent: Address,
    numbers: Address,
    featureOf: Address,
  ): number;
  featuresOfTriangles(indices: Address, triangleCount: number, featureOf: Address, to: Address): void;
  addSilhouettes(
    positions: Address,
    indices: Address,
    indexCount: number,
    featureOf: Address,
    directions: Address,
    directionCount: number,
    silhouettes: Address,
  ): void;
  featureBoxes(positions: Address, featureOf: Address, vertexCount: number, count: number, boxes: Address): void;
  spreadOverFeatures(
    positions: Address,
    indices: Address,
    starts: Address,
    rows: Address,
    list: Address,
    listed: number,
    most: number,
    to: Address,
    counts: Address,
  ): number;
  leastOfFeatures(
    sought: Address,
    positions: Address,
    indices: Address,
    starts: Address,
    rows: Address,
    open: Address,
  ): number;
  everySoMany(sought: Address, stride: number, to: Address): number;
  leastWithin(sought: Address, stride: number, points: Address, isWithin: Address): number;
  joinComponents(
    indices: Address,
    triangleCount: number,
    ids: Address,
    idCount: number,
    parent: Address,
    numbers: Address,
    componentOf: Address,
  ): number;
  boundComponents(
    positions: Address,
    indices: Address,
    triangleCount: number,
    locked: Address,
    componentOf: Address,
    count: number,
    boxes: Address,
    isLocked: Address,
  ): void;
  sortByMesh(
    indices: Address,
    indexCount: number,
    meshOf: Address,
    firstVertex: Address,
    meshCount: number,
    ends: Address,
    sorted: Address,
  ): void;
  faceNormals(positions: Address, indices: Address, indexCount: number, normals: Address): void;
  greatestLeans(
    indices: Address,
    indexCount: number,
    normals: Address,
    faces: Address,
    vertexCount: number,
    leans: Address,
  ): void;
  hardPositions(
    normals: Address,
    meshOf: Address,
    starts: Address,
    rows: Address,
    idCount: number,
    edge: number,
    hard: Address,
  ): void;
  cardAreas(positions: Address, indices: Address, triangleCount: number, cardOf: Address, areas: Address): void;
  numberPlants(boxes: Address, count: number, keys: Address, parent: Address, open: Address, plantOf: Address): number;
  boundPlants(boxes: Address, count: number, plantOf: Address, plantCount: number, plantBoxes: Address): void;
  squaresBytes(): number;
  coverPlants(
    boxes: Address,
    areas: Address,
    locked: Address,
    plantBoxes: Address,
    plantCount: number,
    starts: Address,
    rows: Address,
    keys: Address,
    squares: Address,
    covered: Address,
  ): void;
  thinPlants(thinning: Address): void;
  growCards(
    thinning: Address,
    positions: Address,
    indices: Address,
    triangleCount: number,
    cardOf: Address,
    locked: Address,
    moved: Address,
    kept: Address,
  ): number;
  replaceLeaning(shading: Address): number;
  idsAtBad(shading: Address, idOf: Address, wanted: Address): void;
  mostRows(starts: Address, count: number): number;
  shadingFanBytes(most: number): number;
  makeNormals(
    shading: Address,
    starts: Address,
    rows: Address,
    idCount: number,
    most: number,
    room: Address,
    made: Address,
  ): void;
  rowsOfMade(indices: Address, indexCount: number, made: Address, list: Address, rows: Address): number;
  insertCopies(copies: Address): void;
  cornersOfCopies(
    copies: Address,
    indices: Address,
    indexCount: number,
    list: Address,
    copyOf: Address,
    listed: number,
    to: Address,
  ): void;
  normalsOfCopies(rows: Address, count: number, normals: Address): void;
  sumCopyTangents(
    positions: Address,
    uv0: Address,
    indices: Address,
    list: Address,
    copyOf: Address,
    listed: number,
    sums: Address,
  ): void;
  tangentsOfCopies(rows: Address, count: number, normals: Address, sums: Address, tangents: Address, to: Address): void;
  sumUvAreas(
    positions: Address,
    indices: Address,
    indexCount: number,
    meshOf: Address,
    textured: Address,
    uvs: Address,
    size: number,
    areas: Address,
    uvAreas: Address,
  ): void;
  copyFloats(
    from: Address,
    size: number,
    components: number,
    count: number,
    scale: number,
    to: Address,
    stride: number,
  ): void;
  copyBytes(
    from: Address,
    size: number,
    components: number,
    count: number,
    unit: number,
    to: Address,
    stride: number,
  ): void;
  markSeams(
    ids: Address,
    vertexCount: number,
    meshOf: Address,
    textured: Address,
    values: Address,
    size: number,
    first: Address,
    seam: Address,
  ): void;
  packVertices(
    count: number,
    positions: Address,
    size: number,
    normals: Address,
    tangents: Address,
    uvs: Address,
    colors: Address,
    matrices: Address,
    mirrored: number,
    words: Address,
  ): void;
  unpackVertices(
    words: Address,
    count: number,
    positions: Address,
    normals: Address,
    tangents: Address,
    uvs: Address,
    colors: Address,
  ): void;
  scanVertices(words: Address, count: number, first: number, scan: Address): void;
  greatest(numbers: Address, size: number, count: number): number;
  tableSize(count: number): number;
  partRows(
    rows: Address,
    width: number,
    total: number,
    bits: number,
    ends: Address,
    numbers: Address,
    keys: Address,
    hashes: Address,
  ): number;
  firstRows(
    rows: Address,
    width: number,
    bits: number,
    ends: Address,
    numbers: Address,
    keys: Address,
    slots: Address,
    first: Address,
  ): void;
  fillTable(rows: Address, count: number, table: Address, size: number): void;
  numberPositions(
    positions: Address,
    count: number,
    rows: Address,
    known: number,
    table: Address,
    size: number,
    numbers: Address,
  ): number;
  rowsInBoxes(positions: Address, count: number, boxes: Address, boxCount: number, rows: Address): number;
  closeGaps(rows: Address, width: number, total: number, first: Address): number;
  raiseIndices(indices: Address, count: number, first: number, turned: number): void;
  remapIndices(indices: Address, count: number, remap: Address): void;
  boxOfRows(rows: Address, rowBytes: number, count: number, box: Address): number;
  dropWithoutArea(indices: Address, count: number, rows: Address, rowBytes: number): number;
  verticesOfRuns(indices: Address, count: number, run: number, seenIn: Address): number;
  numberLocally(
    indices: Address,
    count: number,
    localOf: Address,
    local: Address,
    vertices: Address,
    valence: Address,
  ): number;
  sumOfSquares(numbers: Address, count: number): number;
  cacheOrderBytes(indexCount: number, vertexCount: number): number;
  orderForCache(
    local: Address,
    indexCount: number,
    vertices: Address,
    valence: Address,
    vertexCount: number,
    room: Address,
    ordered: Address,
  ): void;
  numberByUse(indices: Address, count: number, numberOf: Address, order: Address): number;
  copyRows(rows: Address, rowBytes: number, list: Address, count: number, to: Address): void;
  openVertices(indices: Address, indexCount: number, vertexCount: number, open: Address): number;
  tangentRows(
    positions: Address,
    size: number,
    normals: Address,
    uvs: Address,
    list: Address,
    count: number,
    rows: Address,
  ): void;
  hasSame(first: Address, count: number): number;
  joinSame(
    ring: Address,
    indexCount: number,
    vertexCount: number,
    list: Address,
    count: number,
    first: Address,
    numberOf: Address,
  ): void;
  orientations(uvs: Address, indices: Address, triangleCount: number, signs: Address): void;
  cornersAround(ring: Address, indexCount: number, vertexCount: number, ends: Address, around: Address): number;
  fanBytes(most: number): number;
  groupCorners(
    ring: Address,
    vertexCount: number,
    signs: Address,
    ends: Address,
    around: Address,
    most: number,
    room: Address,
    groups: Address,
  ): number;
  sumTangents(
    positions: Address,
    size: number,
    normals: Address,
    uvs: Address,
    indices: Address,
    indexCount: number,
    signs: Address,
    groups: Address,
    sums: Address,
  ): void;
  unitSums(indices: Address, indexCount: number, groups: Address, normals: Address, sums: Address): void;
  firstGroups(indices: Address, indexCount: number, groups: Address, groupOf: Address): number;
  splitByGroup(
    indices: Address,
    indexCount: number,
    vertexCount: number,
    groups: Address,
    groupOf: Address,
    slots: Address,
    slotCount: number,
    copies: Address,
  ): number;
  spreadTangents(groupOf: Address, stride: number, count: number, sums: Address, to: Address): void;
  islandRows(positions: Address, size: number, uvs: Address, count: number, rows: Address): void;
  joinIslands(
    indices: Address,
    indexCount: number,
    numbers: Address,
    count: number,
    parent: Address,
    island: Address,
  ): void;
  islandReach(uvs: Address, axis: number, island: Address, count: number, least: Address, most: Address): void;
  moveIslands(
    uvs: Address,
    axis: number,
    island: Address,
    count: number,
    least: Address,
    most: Address,
    shifts: Address,
  ): number;
  integerPayload(coded: Address, count: number): number;
  decodeIntegers(coded: Address, count: number, from: number, until: number, to: Address, state: Address): void;
  integerFacts(coded: Address, count: number, from: number, until: number, to: Address, state: Address): void;
  readPlainNumbers(text: Address, rank: number, width: number, component: number, to: Address, read: Address): number;
  project(scene: Address, camera: Address, vertices: Address): void;
  draw(scene: Address, camera: Address, canvas: Address): void;
  decodeTexels(from: Address, count: number, linearOfByte: Address, to: Address): void;
  comparePictures(pair: Address): void;
  chartsOf(charting: Address, texel: number): number;
  sampleChart(sampling: Address, plane: Address, triangles: Address, count: number): void;
  paintPicture(painting: Address, shown: Address): number;
  mapChannel(from: Address, count: number, map: Address, leaves: Address, size: number, to: Address): number;
  makeMips(chain: Address): void;
  isOpaque(texels: Address, count: number): number;
  countPassing(texels: Address, count: number, least: number): number;
  countAlphas(alphas: Address, count: number, histogram: Address): void;
  scaleAlphas(alphas: Address, count: number, threshold: number, factor: number, least: number, texels: Address): void;
  widenRoughness(
    texels: Address,
    width: number,
    height: number,
    channel: number,
    lengths: Address,
    columns: number,
    rows: number,
  ): void;
  premultiply(from: Address, count: number, to: Address): void;
  unpremultiply(texels: Address, count: number): void;
  resampleBytes(
    from: Address,
    width: number,
    height: number,
    across: Address,
    down: Address,
    wide: Address,
    ring: Address,
    slots: number,
    columns: number,
    rows: number,
    to: Address,
  ): void;
  resampleHeights(
    from: Address,
    width: number,
    height: number,
    across: Address,
    down: Address,
    ring: Address,
    slots: number,
    columns: number,
    rows: number,
    to: Address,
  ): void;
  encodeAstc(
    pixels: Address,
    width: number,
    height: number,
    kind: number,
    quality: number,
    firstRow: number,
    endRow: number,
    to: Address,
  ): void;
  findBacks(tree: Address, reach: number, normals: Address, isBack: Address): void;
}
