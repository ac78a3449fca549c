// Cooks a source so that its output fits a device: cooks it, measures it before it is moved in, and where it is over cooks it again with
// smaller textures and nearer levels. Only the last output is moved in.

import { showPath } from '../../config/showPath.ts';
import { mainFile } from '../../config/targets.ts';
import type { CookSettings } from '../../config/types.ts';
import { cookSource } from '../../cook/cookSource.ts';
import type { CookMeans, StagedFiles } from '../../cook/session.ts';
import type { CookJob, CookOutcome } from '../../cook/types.ts';
import { type Device, geometryLimit, USUAL_PIXELS_A_DEGREE } from '../../engine/devices.ts';
import type { Connection } from '../../viewer/streaming/loader.ts';
import { verdictOf } from '../check/deviceVerdict.ts';
import { type MeasuredOutput, measureOutput } from '../check/measureOutput.ts';
import { FamilyMembers, familiesOf, type TextureFamily } from './families.ts';
import { excess, type Limits, nearerLevels, placeLimits } from './levelScale.ts';
import { Originals } from './likeness.ts';
import type { FitReport, FittedTexture } from './report.ts';
import { type SeenTexture, seenTextures } from './seen.ts';
import { type Dropped, limitsOf, lowerTextures, texelsOf } from './textureLimits.ts';

export interface FitWish {
  readonly device: Device;
  readonly deviceMemory?: number | undefined;
  readonly connection: Connection;
  readonly cwd: string;
}

/** The output that was measured is not moved in: the source is cooked again. */
class AnotherRound extends Error {}

/** What the first output tells of the whole textures. */
interface Whole {
  readonly members: FamilyMembers;
  readonly originals: Originals;
}

/** The textures that full detail names. */
async function texturesOf({ facts, full }: MeasuredOutput): Promise<string[]> {
  const paths = new Set<string>();
  for (const payload of full) for (const path of (await facts.payload(payload)).textures) paths.add(path);
  return [...paths].sort();
}

/** The path of each texture that full detail names. */
async function pathsOf(output: MeasuredOutput, members: FamilyMembers): Promise<Map<TextureFamily, string>> {
  const named = (await texturesOf(output)).flatMap((path) => {
    const member = members.of(path, output.facts);
    return member === null ? [] : [[member.family, path] as const];
  });
  return new Map(named);
}

class Fitting {
  readonly #wish: FitWish;
  /** What messages call the output. */
  readonly #name: string;
  #rounds = 0;
  #before: string | null = null;
  #whole: Whole | null = null;
  /** Empty until a texture has to be made smaller: full detail is the same in every output. */
  #seen: ReadonlyMap<TextureFamily, SeenTexture> = new Map();
  #dropped: Dropped = new Map();
  #levelScale = 1;
  /** Of the output that is moved in. */
  #paths: ReadonlyMap<TextureFamily, string> = new Map();

  constructor(wish: FitWish, name: string) {
    this.#wish = wish;
    this.#name = name;
  }

  /** What the next cook does differently. */
  get settings(): Pick<CookSettings, 'textureLimits' | 'levelScale'> {
    return {
      ...(this.#dropped.size > 0 ? { textureLimits: limitsOf(this.#dropped) } : {}),
      ...(this.#levelScale < 1 ? { levelScale: this.#levelScale } : {}),
    };
  }

  /** Measures an output. Throws AnotherRound where another cook can bring it nearer to the device. */
  async judge({ main, shared }: StagedFiles): Promise<void> {
    const { cwd, connection } = this.#wish;
    const waiting = new Map(shared.map(({ name, read }) => [name, read]));
    const output = await measureOutput(main, this.#name, cwd, connection, {}, waiting);
    this.#rounds++;
    this.#before ??= verdictOf(output, this.#wish.device, this.#wish.deviceMemory).line;
    const figures = output.places.map((place) => place.figures);
    if (this.#whole === null && excess(figures, this.#limits) === 0) return;
    this.#whole ??= await this.#look(output);
    this.#whole.members.forgetPaths();
    const textures = await this.#lower(output, this.#whole);
    const scale = this.#nearer(output, textures !== null);
    if (textures === null && scale === null) {
      this.#paths = await pathsOf(output, this.#whole.members);
      return;
    }
    this.#dropped = textures ?? this.#dropped;
    if (this.#rounds === 1) this.#whole.originals.leave(this.#dropped, (family) => this.#seenTexels(family));
    this.#levelScale = scale ?? this.#levelScale;
    throw new AnotherRound('the output is over');
  }

  get #limits(): Limits {
    const { device, deviceMemory } = this.#wish;
    return placeLimits(device, deviceMemory === undefined ? undefined : geometryLimit(deviceMemory));
  }

  async #look(output: MeasuredOutput): Promise<Whole> {
    const families = familiesOf(await texturesOf(output), output.facts);
    const members = new FamilyMembers(families);
    return { members, originals: new Originals(families, output.facts) };
  }

  get #pixelsADegree(): number {
    return this.#wish.device.pixelsPerDegree ?? USUAL_PIXELS_A_DEGREE;
  }

  /** Texels along the longer side of a whole texture that the device shows of it. */
  #seenTexels(family: TextureFamily): number {
    const { width, height } = family.sizes[0];
    return Math.max(width, height) * Math.min(1, this.#pixelsADegree / texelsOf(family, 0, this.#seen));
  }

  /** Null: no texture is to be made smaller than it is. */
  async #lower(output: MeasuredOutput, { members }: Whole): Promise<Dropped | null> {
    const { places, facts } = output;
    const limit = this.#wish.device.limits.textures?.value ?? Number.POSITIVE_INFINITY;
    if (places.every(({ figures }) => figures.textures <= limit)) return null;
    if (this.#seen.size === 0) this.#seen = await seenTextures(output, members);
    const wishes = { limit, pixelsADegree: this.#pixelsADegree, seen: this.#seen };
    const dropped = lowerTextures(places, this.#dropped, members, facts, wishes);
    const isSame =
      dropped.size === this.#dropped.size && [...dropped].every(([one, by]) => this.#dropped.get(one) === by);
    return isSame ? null : dropped;
  }

  /** Null: levels stay where they are. `isLowered`: textures are made smaller, so that those in memory are not known yet. */
  #nearer(output: MeasuredOutput, isLowered: boolean): number | null {
    const limits = new Map(this.#limits);
    if (isLowered) limits.delete('textures');
    return nearerLevels(output, limits, this.#levelScale, this.#wish.connection);
  }

  /** Undefined: nothing was measured. */
  report(): FitReport | undefined {
    if (this.#before === null) return undefined;
    const textures = [...this.#dropped].map(([family, dropped]) => this.#fitted(family, dropped, this.#whole as Whole));
    return {
      rounds: this.#rounds,
      before: this.#before,
      pixelsADegree: this.#pixelsADegree,
      textures: textures.sort((a, b) => (a.path < b.path ? -1 : 1)),
      levelScale: this.#levelScale,
    };
  }

  #fitted(family: TextureFamily, dropped: number, { originals }: Whole): FittedTexture {
    const seen = this.#seen;
    const [whole, small] = [family.sizes[0], family.sizes[dropped]];
    const [before, after] = [texelsOf(family, 0, seen), texelsOf(family, dropped, seen)];
    const rounded = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 100) / 100 : null);
    const { ssim, psnr } = originals.compare(family, dropped, this.#seenTexels(family));
    return {
      path: this.#paths.get(family) ?? family.path,
      before: { width: whole.width, height: whole.height },
      after: { width: small.width, height: small.height },
      bytes: { before: whole.bytes, after: small.bytes },
      texelsADegree: { before: rounded(before), after: rounded(after) },
      nearest: rounded(seen.get(family)?.nearest ?? Number.POSITIVE_INFINITY),
      ssim: ssim === null ? null : Math.round(ssim * 1e4) / 1e4,
      psnr: psnr === null ? null : Math.round(psnr * 100) / 100,
      isSeen: after < this.#pixelsADegree,
    };
  }
}

/** Cooks `job` as cookSource() does, and so that its output fits a device as far as it can. Throws only what is a bug. */
export async function fitSource(
  job: CookJob,
  means: CookMeans,
  wish: FitWish,
): Promise<CookOutcome & { readonly fit?: FitReport | undefined }> {
  const fitting = new Fitting(wish, showPath(mainFile(job.target), wish.cwd));
  for (;;) {
    const settings = { ...job.settings, ...fitting.settings };
    try {
      const accept = (staged: StagedFiles) => fitting.judge(staged);
      const outcome = await cookSource({ ...job, settings }, { ...means, beside: null, accept });
      return outcome.status === 'ok' ? { ...outcome, fit: fitting.report() } : outcome;
    } catch (error) {
      if (!(error instanceof AnotherRound)) throw error;
    }
  }
}
