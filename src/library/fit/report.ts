// What was done so that an output fits a device, and what it costs.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Device } from '../../engine/devices.ts';
import { type CheckedMeasure, isOver, shownValue } from '../check/verdict.ts';
import type { Likeness } from './likeness.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A texture that got smaller. */
export interface FittedTexture extends Likeness {
  /** Relative to the folder of the output. */
  readonly path: string;
  readonly before: Size;
  readonly after: Size;
  /** On the GPU, with all mips. */
  readonly bytes: { readonly before: number; readonly after: number };
  /** Texels that a degree of the view shows from the nearest likely distance; null: nothing of it is seen. */
  readonly texelsADegree: { readonly before: number | null; readonly after: number | null };
  /** Metres to the nearest place where somebody may be; null: nothing of it is seen. */
  readonly nearest: number | null;
  /** A degree of the device has more pixels than it now has texels there, and had fewer before or less far. */
  readonly isSeen: boolean;
}

export interface FitReport {
  /** How often the source was cooked. */
  readonly rounds: number;
  /** The verdict on the output as it would have been. */
  readonly before: string;
  /** Pixels of a degree of the view, as texels a degree are judged by. */
  readonly pixelsADegree: number;
  /** In the order of their paths. */
  readonly textures: readonly FittedTexture[];
  /** The share of their distances that levels are shown from; 1: as they would be. */
  readonly levelScale: number;
}

/** An error of at most so many pixels counts as unseen where levels are shown from all of their distances. */
const UNSEEN_PIXELS = 2;

/** What was done, in one line; null: nothing was needed. */
export function fitLine({ textures, levelScale }: FitReport): string | null {
  const sum = (of: 'before' | 'after') => textures.reduce((all, { bytes }) => all + bytes[of], 0);
  const words: string[] = [];
  if (textures.length > 0) {
    const seen = textures.filter(({ isSeen }) => isSeen).length;
    const sizes = `${shownValue('bytes', sum('before'))} to ${shownValue('bytes', sum('after'))}`;
    const how = textures.length === 1 ? 'texture is smaller' : 'textures are smaller';
    words.push(
      `${textures.length} ${how}, ${sizes}${seen === 0 ? ', none of them visibly' : `, ${seen} of them visibly`}`,
    );
  }
  if (levelScale < 1) words.push(`levels are shown from ${Math.round(levelScale * 100)} % of their distances`);
  return words.length === 0 ? null : words.join('; ');
}

const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** What is to be known of a fitted output: what is seen of it, and what it does not fit all the same. */
export function fitDiagnostics(
  report: FitReport,
  measures: readonly CheckedMeasure[],
  device: Device,
  file: string,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = report.textures.filter(({ isSeen }) => isSeen);
  const worst = seen.reduce<FittedTexture | null>(
    (least, one) => (least === null || (one.ssim ?? 1) < (least.ssim ?? 1) ? one : least),
    null,
  );
  if (worst !== null) {
    const { path, after, texelsADegree, ssim, nearest } = worst;
    const texels = `${digits(texelsADegree.after ?? 0)} texels of ${digits(report.pixelsADegree)} pixels a degree`;
    const many = seen.length === 1 ? '1 texture' : `${seen.length} textures, worst of all`;
    const from = nearest === null ? '' : ` from ${digits(nearest)} m`;
    found.push(
      diagnostic(
        'UC2250',
        file,
        '',
        `${many} ${path}: ${after.width} × ${after.height}, ${texels}${from}${ssim === null ? '' : `, SSIM ${ssim.toFixed(3)}`}`,
      ),
    );
  }
  if (report.levelScale < 1) {
    const pixels = digits(UNSEEN_PIXELS / report.levelScale);
    const share = Math.round(report.levelScale * 100);
    found.push(
      diagnostic('UC2251', file, '', `from ${share} % of their distances; errors of up to ${pixels} pixels are shown`),
    );
  }
  const over = measures.filter(isOver);
  if (over.length > 0) {
    const words = over.map(
      ({ title, unit, value, limit }) => `${title} ${shownValue(unit, value)} of ${shownValue(unit, limit as number)}`,
    );
    found.push(diagnostic('UC2252', file, '', `${device.title}: ${words.join('; ')}`));
  }
  return found;
}
