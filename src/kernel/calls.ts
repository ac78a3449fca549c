// What the kernel's module exports. The build makes this file of the sources of the kernel (kernelCalls.config.mjs).

/** An address in the kernel's memory, in bytes. */
export type Address = number;

/** Functions that tell yes or no give 1 or 0. */
export interface KernelCalls {
  // assembly/astc/decode/block.ts
  firstIllegalBlock(blocks: Address, count: number, blockWidth: number, blockHeight: number): number;

  // assembly/astc/decode/image.ts
  decodeAstc(
    blocks: Address,
    width: number,
    height: number,
    blockWidth: number,
    blockHeight: number,
    isSrgb: boolean,
    to: Address,
  ): number;

  // assembly/astc/encode/image.ts
  encodeAstc(
    pixels: Address,
    width: number,
    height: number,
    kind: number,
    side: number,
    quality: number,
    firstRow: number,
    endRow: number,
    loss: Address,
    to: Address,
  ): void;

  // assembly/astc/measure.ts
  measureAstc(
    pixels: Address,
    width: number,
    height: number,
    kind: number,
    side: number,
    blocks: Address,
    to: Address,
  ): void;
  sampleAstc(
    pixels: Address,
    width: number,
    height: number,
    kind: number,
    side: number,
    quality: number,
    step: number,
    to: Address,
  ): void;

  // assembly/attributes.ts
  copyBytes(
    from: Address,
    size: number,
    components: number,
    count: number,
    unit: number,
    to: Address,
    stride: number,
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

  // assembly/cacheOrder.ts
  cacheOrderBytes(indexCount: number, vertexCount: number): Address;
  orderForCache(
    local: Address,
    indexCount: number,
    vertices: Address,
    valence: Address,
    vertexCount: number,
    room: Address,
    ordered: Address,
  ): void;

  // assembly/cards.ts
  boundPlants(boxes: Address, count: number, plantOf: Address, plantCount: number, plantBoxes: Address): void;
  cardAreas(positions: Address, indices: Address, triangleCount: number, cardOf: Address, areas: Address): void;
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
  growCards(
    t: Address,
    positions: Address,
    indices: Address,
    triangleCount: number,
    cardOf: Address,
    locked: Address,
    moved: Address,
    kept: Address,
  ): number;
  numberPlants(boxes: Address, count: number, keys: Address, parent: Address, open: Address, plantOf: Address): number;
  squaresBytes(): Address;
  thinPlants(t: Address): void;

  // assembly/chartPicture.ts
  paintPicture(painting: Address, shown: Address): number;

  // assembly/chartSamples.ts
  sampleChart(sampling: Address, plane: Address, triangles: Address, count: number): void;

  // assembly/charts.ts
  chartsOf(charting: Address, texel: number): number;

  // assembly/collapse.ts
  addLocks(locked: Address, held: Address, seams: Address, count: number, lock: number, locks: Address): void;
  changedCorners(
    indices: Address,
    triangleCount: number,
    componentOf: Address,
    held: Address,
    heldBefore: Address,
    isChanged: Address,
    isOfChanged: Address,
    to: Address,
  ): number;
  keepComponents(
    indices: Address,
    triangleCount: number,
    componentOf: Address,
    locked: Address,
    dropped: Address,
    to: Address,
  ): number;
  losesLocked(
    before: Address,
    beforeCount: number,
    after: Address,
    afterCount: number,
    ids: Address,
    locked: Address,
    used: Address,
  ): number;
  mixesMeshes(indices: Address, count: number, meshOf: Address): number;
  nearestVertex(positions: Address, count: number, x: number, y: number, z: number): number;
  pickFlags(flags: Address, flagCount: number, numbers: Address, count: number, scale: number, to: Address): number;
  spreadFlags(flags: Address, numbers: Address, count: number, to: Address): void;
  unflaggedCorners(indices: Address, count: number, flags: Address, to: Address): number;

  // assembly/components.ts
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
  joinComponents(
    indices: Address,
    triangleCount: number,
    ids: Address,
    idCount: number,
    parent: Address,
    numbers: Address,
    componentOf: Address,
  ): number;
  sortByMesh(
    indices: Address,
    indexCount: number,
    meshOf: Address,
    firstVertex: Address,
    meshCount: number,
    ends: Address,
    sorted: Address,
  ): void;

  // assembly/deflate.ts
  adler32(bytes: Address, size: number, before: number): number;
  deflateMaxBytes(size: number): number;
  deflateRoomBytes(): Address;
  packDeflate(
    input: Address,
    from: number,
    end: number,
    isLast: number,
    room: Address,
    to: Address,
    bits: number,
  ): number;

  // assembly/deviation.ts
  farthest(
    surface: Address,
    points: Address,
    tree: Address,
    near: Address,
    known: number,
    beyond: number,
    found: Address,
  ): number;
  farthestInTriangle(surface: Address, t: number, tree: Address, known: number): number;
  findPositions(surface: Address): void;
  firstId(surface: Address, t: number): number;
  idCountOf(surface: Address): number;
  idsBeside(surface: Address, near: Address, kept: Address): void;
  missingIds(surface: Address, other: Address, to: Address): number;
  reach(surface: Address, t: number): number;
  sharedIds(surface: Address, other: Address, near: Address): void;
  spreadPoints(surface: Address, count: number, points: Address): void;

  // assembly/features.ts
  addSilhouettes(
    positions: Address,
    indices: Address,
    indexCount: number,
    featureOf: Address,
    directions: Address,
    directionCount: number,
    silhouettes: Address,
  ): void;
  everySoMany(s: Address, stride: number, to: Address): number;
  featureBoxes(positions: Address, featureOf: Address, vertexCount: number, count: number, boxes: Address): void;
  featuresOfTriangles(indices: Address, triangleCount: number, featureOf: Address, to: Address): void;
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
  minOfFeatures(
    s: Address,
    positions: Address,
    indices: Address,
    starts: Address,
    rows: Address,
    open: Address,
  ): number;
  minWithin(s: Address, stride: number, points: Address, isWithin: Address): number;
  spreadOverFeatures(
    positions: Address,
    indices: Address,
    starts: Address,
    rows: Address,
    list: Address,
    listed: number,
    highest: number,
    to: Address,
    counts: Address,
  ): number;

  // assembly/hierarchy.ts
  buildFans(tree: Address, surface: Address): void;
  buildHierarchy(tree: Address): void;
  facingWithin(tree: Address, points: Address, stride: Address, count: number, reach: number, isWithin: Address): void;
  nearestTriangles(tree: Address, points: Address, normals: Address, count: number, nearest: Address): void;

  // assembly/integers.ts
  decodeIntegers(coded: Address, count: number, from: number, until: number, to: Address, state: Address): void;
  integerFacts(coded: Address, count: number, from: number, until: number, to: Address, state: Address): void;
  integerPayload(coded: Address, count: number): number;

  // assembly/islands.ts
  islandReach(uvs: Address, axis: number, island: Address, count: number, lowest: Address, highest: Address): void;
  islandRows(positions: Address, size: Address, uvs: Address, count: number, rows: Address): void;
  joinIslands(
    indices: Address,
    indexCount: number,
    numbers: Address,
    count: number,
    parent: Address,
    island: Address,
  ): void;
  moveIslands(
    uvs: Address,
    axis: number,
    island: Address,
    count: number,
    lowest: Address,
    highest: Address,
    shifts: Address,
  ): number;

  // assembly/levelNormals.ts
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

  // assembly/levelShading.ts
  idsAtBad(s: Address, idOf: Address, wanted: Address): void;
  makeNormals(
    s: Address,
    starts: Address,
    rows: Address,
    idCount: number,
    highest: number,
    room: Address,
    made: Address,
  ): void;
  maxRows(starts: Address, count: number): number;
  replaceLeaning(s: Address): number;
  shadingFanBytes(highest: number): Address;

  // assembly/lz4.ts
  lz4Beyond(): number;
  lz4MaxBytes(size: number): number;
  lz4RoomBytes(size: number): Address;
  packLz4(input: Address, size: number, room: Address, to: Address): number;

  // assembly/mips/chain.ts
  makeMips(chain: Address): void;

  // assembly/mips/coverage.ts
  countAlphas(alphas: Address, count: Address, histogram: Address): void;
  countPassing(texels: Address, count: Address, lowest: number): number;
  isOpaque(texels: Address, count: Address): number;
  scaleAlphas(
    alphas: Address,
    count: Address,
    threshold: number,
    factor: number,
    lowest: number,
    texels: Address,
  ): void;

  // assembly/mips/engine.ts
  premultiply(from: Address, count: Address, to: Address): void;
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
  unpremultiply(texels: Address, count: Address): void;

  // assembly/mips/roughness.ts
  widenRoughness(
    texels: Address,
    width: number,
    height: number,
    channel: number,
    lengths: Address,
    columns: number,
    rows: number,
  ): void;

  // assembly/numberText.ts
  readPlainNumbers(text: Address, rank: number, width: number, component: number, to: Address, read: Address): number;

  // assembly/order.ts
  boxOfRows(rows: Address, rowBytes: Address, count: number, box: Address): number;
  copyRows(rows: Address, rowBytes: Address, list: Address, count: number, to: Address): void;
  dropWithoutArea(indices: Address, count: number, rows: Address, rowBytes: Address): number;
  numberByUse(indices: Address, count: number, numberOf: Address, order: Address): number;
  numberLocally(
    indices: Address,
    count: number,
    localOf: Address,
    local: Address,
    vertices: Address,
    valence: Address,
  ): number;
  raiseIndices(indices: Address, count: number, first: number, turned: boolean): void;
  remapIndices(indices: Address, count: number, remap: Address): void;
  sumOfSquares(numbers: Address, count: number): number;
  verticesOfRuns(indices: Address, count: number, run: number, seenIn: Address): number;

  // assembly/pack.ts
  packVertices(
    count: number,
    positions: Address,
    size: Address,
    normals: Address,
    tangents: Address,
    uvs: Address,
    colors: Address,
    matrices: Address,
    mirrored: boolean,
    words: Address,
  ): void;

  // assembly/pairs.ts
  orderForPairs(indices: Address, count: number, pairs: Address): void;
  pairBytes(): Address;

  // assembly/raster/compare.ts
  comparePictures(pair: Address): void;

  // assembly/raster/draw.ts
  draw(scene: Address, camera: Address, onto: Address): void;
  see(scene: Address, camera: Address, onto: Address, row: number, rows: number): void;

  // assembly/raster/project.ts
  project(scene: Address, camera: Address, vertices: Address): void;

  // assembly/raster/texture.ts
  decodeTexels(from: Address, count: Address, linearOfByte: Address, to: Address): void;

  // assembly/rows.ts
  pickRows(rows: Address, width: number, list: Address, count: number, to: Address): void;
  rowsByNumber(
    numbers: Address,
    length: number,
    wanted: Address,
    count: number,
    starts: Address,
    rows: Address,
  ): number;

  // assembly/seen.ts
  drawSeen(
    view: Address,
    mode: number,
    positions: Address,
    vertexCount: number,
    indices: Address,
    triangleCount: number,
    first: number,
    room: Address,
    counts: Address,
  ): void;

  // assembly/seenBoxes.ts
  nextSeenBox(view: Address, boxes: Address, from: number, count: number): number;

  // assembly/seenCount.ts
  countSeen(view: Address, counts: Address): number;

  // assembly/seenHoles.ts
  clearBefore(view: Address, made: Address, factor: number): void;
  markHoles(view: Address, made: Address, factor: number, radius: number): number;
  nextHole(view: Address, from: number): number;
  openMarked(made: Address, view: Address, around: number): void;
  takeHole(view: Address, start: number, pixels: Address): number;
  unmarkHoles(
    view: Address,
    made: Address,
    factor: number,
    toLeft: number,
    toBottom: number,
    toRight: number,
    toTop: number,
  ): number;

  // assembly/seenTiles.ts
  clearSeen(view: Address, isOpen: number): void;
  hasOpenTiles(view: Address): number;

  // assembly/splitLevel.ts
  cornersOfCopies(
    c: Address,
    indices: Address,
    indexCount: number,
    list: Address,
    copyOf: Address,
    listed: number,
    to: Address,
  ): void;
  insertCopies(c: Address): void;
  normalsOfCopies(rows: Address, count: number, normals: Address): void;
  rowsOfMade(indices: Address, indexCount: number, made: Address, list: Address, rows: Address): number;
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

  // assembly/tangents.ts
  cornersAround(ring: Address, indexCount: number, vertexCount: number, ends: Address, around: Address): number;
  fanBytes(highest: number): Address;
  firstGroups(indices: Address, indexCount: number, groups: Address, groupOf: Address): number;
  groupCorners(
    ring: Address,
    vertexCount: number,
    signs: Address,
    ends: Address,
    around: Address,
    highest: number,
    room: Address,
    groups: Address,
  ): number;
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
  openVertices(indices: Address, indexCount: number, vertexCount: number, open: Address): number;
  orientations(uvs: Address, indices: Address, triangleCount: number, signs: Address): void;
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
  sumTangents(
    positions: Address,
    size: Address,
    normals: Address,
    uvs: Address,
    indices: Address,
    indexCount: number,
    signs: Address,
    groups: Address,
    sums: Address,
  ): void;
  tangentRows(
    positions: Address,
    size: Address,
    normals: Address,
    uvs: Address,
    list: Address,
    count: number,
    rows: Address,
  ): void;
  unitSums(indices: Address, indexCount: number, groups: Address, normals: Address, sums: Address): void;

  // assembly/texels.ts
  mapChannel(from: Address, count: number, map: Address, leaves: Address, size: number, to: Address): number;

  // assembly/unpack.ts
  greatest(numbers: Address, size: Address, count: number): number;
  scanVertices(words: Address, count: number, first: number, scan: Address): void;
  unpackVertices(
    words: Address,
    count: number,
    positions: Address,
    normals: Address,
    tangents: Address,
    uvs: Address,
    colors: Address,
  ): void;

  // assembly/weld.ts
  closeGaps(rows: Address, width: number, total: number, first: Address): number;
  fillTable(rows: Address, count: number, table: Address, size: number): void;
  firstOfEach(numbers: Address, total: number, first: Address): void;
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
  numberPositions(
    positions: Address,
    count: number,
    rows: Address,
    known: number,
    table: Address,
    size: number,
    numbers: Address,
  ): number;
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
  placeColumn(from: Address, size: number, count: number, to: Address, width: number): void;
  rowsInBoxes(positions: Address, count: number, boxes: Address, boxCount: number, rows: Address): number;
  tableSize(count: number): number;
}
