import createBidi from 'bidi-js';
import LineBreaker from 'linebreak';
import { type FontBook, type Face, has, listClusters } from './pdf-fonts.ts';

// Lays out text of any script: which font draws what, where lines end, and in which order the parts of a line stand. The fonts shape the parts.

/** Part of a line in one font and direction. */
type Run = {
  text: string;
  face: Face;
  level: number;
  /** In reading order. */
  index: number;
  isMirrored: boolean;
  /** Whether the glyphs tell less than the letters; for copying. Not where readers reorder letters themselves. */
  needsActualText: boolean;
};
export type Line = {
  /** From left to right. */
  runs: readonly Run[];
  width: number;
  isRightToLeft: boolean;
};
/** In the unit of `width`. */
export type Measure = (run: Pick<Run, 'text' | 'face' | 'level'>) => number;

// A CommonJS module, whose types describe another.
const bidi = (createBidi as unknown as typeof createBidi.default)();
const isOdd = (level: number) => level % 2 === 1;

type Cluster = { text: string; at: number; face: Face; level: number };

/** The lines of a text within this width. Emoji are left out; a character that no font has becomes a box. */
export function layOut(text: string, fonts: FontBook, width: number, measure: Measure): Line[] {
  return text
    .normalize('NFC')
    .replaceAll('\t', ' ')
    .split('\n')
    .flatMap((paragraph) => layOutParagraph(paragraph, fonts, width, measure));
}

function layOutParagraph(text: string, fonts: FontBook, width: number, measure: Measure): Line[] {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const isRightToLeft = isOdd(paragraphs[0]?.level ?? 0);
  const clusters = joinWords(listDrawn(text, fonts, levels), fonts);
  const lines: Line[] = [];
  let line: Cluster[] = [];
  let used = 0;
  const endLine = () => {
    lines.push(createLine(trimEnd(line), measure, isRightToLeft));
    line = [];
    used = 0;
  };
  const widthOf = (part: readonly Cluster[]) => createLine(part, measure, isRightToLeft).width;
  for (const word of listUnbroken(text, clusters)) {
    const visible = widthOf(trimEnd(word));
    if (line.length > 0 && used + visible > width) endLine();
    // A word that is longer than a line is broken anywhere.
    const parts = visible > width ? word.map((cluster) => [cluster]) : [word];
    for (const part of parts) {
      const own = widthOf(part);
      if (parts.length > 1 && line.length > 0 && used + own > width) endLine();
      line.push(...part);
      used += own;
    }
  }
  endLine();
  return lines;
}

const trimEnd = (clusters: readonly Cluster[]) => clusters.slice(0, clusters.findLastIndex(({ text }) => text.trim() !== '') + 1);

const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const invisible = /^\p{Default_Ignorable_Code_Point}+$/u;
const boxes = ['\u25a1', '?'];
const isLeftOut = (cluster: string) => invisible.test(cluster) || emoji.test(cluster);

/** The characters that no font here has, such as the rarest Chinese ones, once each. */
export const listUnprintable = (texts: readonly string[], fonts: FontBook): string[] =>
  [...new Set(texts.flatMap((text) => listClusters(text.normalize('NFC'))))].filter(
    (cluster) => cluster.trim() !== '' && !fonts.find(cluster) && !isLeftOut(cluster),
  );

function listDrawn(text: string, fonts: FontBook, levels: Uint8Array): Cluster[] {
  let at = 0;
  const drawn = listClusters(text).flatMap((cluster) => {
    const place = { at, level: levels[at] ?? 0 };
    at += cluster.length;
    if (invisible.test(cluster)) return [];
    const face = fonts.find(cluster);
    if (face) return [{ text: cluster, face, ...place }];
    if (emoji.test(cluster)) return [];
    const box = boxes.find((one) => fonts.find(one)) ?? '?';
    return [{ text: box, face: fonts.find(box) ?? fonts.figtree, ...place }];
  });
  // Where an emoji was left out, one space is enough.
  return emoji.test(text) ? drawn.filter((one, index) => one.text !== ' ' || (drawn[index - 1]?.text ?? ' ') !== ' ') : drawn;
}

const letterOfNoto = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u;

/** A word with a letter that only Noto has is all Noto's. */
function joinWords(clusters: readonly Cluster[], { figtree, noto }: FontBook): Cluster[] {
  const words: Cluster[][] = [[]];
  for (const cluster of clusters) {
    if (cluster.text.trim() === '') words.push([cluster], []);
    else words.at(-1)?.push(cluster);
  }
  const joined = words.flatMap((word) =>
    word.some(({ face, text }) => face === noto && letterOfNoto.test(text))
      ? word.map((cluster) => (cluster.face === figtree && has(noto, cluster.text) ? { ...cluster, face: noto } : cluster))
      : word,
  );
  // A space is of the word before it, so that both are one run.
  for (const [index, cluster] of joined.entries()) {
    const before = joined[index - 1];
    if (cluster.text.trim() === '' && before && has(before.face, cluster.text)) cluster.face = before.face;
  }
  return joined;
}

// Languages without spaces between words; their dictionaries come with the runtime.
const unspaced = /[\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

function listUnbroken(text: string, clusters: readonly Cluster[]): Cluster[][] {
  const ends = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) ends.add(next.position);
  if (unspaced.test(text)) {
    for (const { index } of words.segment(text)) {
      if (unspaced.test(text.charAt(index - 1)) && unspaced.test(text.charAt(index))) ends.add(index);
    }
  }
  const parts: Cluster[][] = [[]];
  for (const cluster of clusters) {
    if (ends.has(cluster.at) && parts.at(-1)?.length) parts.push([]);
    parts.at(-1)?.push(cluster);
  }
  return parts;
}

function createLine(clusters: readonly Cluster[], measure: Measure, isRightToLeft: boolean): Line {
  const runs: Run[] = [];
  for (const { text, face, level } of clusters) {
    const mirrored = isOdd(level) ? bidi.getMirroredCharacter(text) : null;
    const last = runs.at(-1);
    if (last && last.face === face && last.level === level && mirrored === null && !last.isMirrored) last.text += text;
    else runs.push({ text: mirrored ?? text, face, level, index: runs.length, isMirrored: mirrored !== null, needsActualText: false });
  }
  const drawn = runs.map((run) =>
    isOdd(run.level) && !rightToLeft.test(run.text)
      ? { ...run, text: reverse(run.text) }
      : { ...run, needsActualText: !isOdd(run.level) && isReordered.test(run.text) },
  );
  return { runs: orderRuns(drawn), width: runs.reduce((sum, run) => sum + measure(run), 0), isRightToLeft };
}

// The fonts draw runs of these scripts from right to left; other characters within them are in Latin order.
const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u;
const reverse = (text: string) => listClusters(text).toReversed().join('');
// Letters that are drawn in another order than written, joined, or from several parts.
const isReordered =
  /[\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Thai}\p{Mark}]/u;

/** From left to right, by rule L2 of the Unicode Bidirectional Algorithm. */
function orderRuns(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = Math.max(from, to - 1);
    }
  }
  return ordered;
}
