import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import subsetFont from 'subset-font';
import { loadOnce } from '../load-once.ts';

// Figtree has the letters of English and Māori. Noto has the others: one file for Latin with all marks, Greek, Cyrillic and Devanagari; packages of
// files by ranges of characters for the other scripts, from which only the characters of a document are taken, because Chinese alone has 5 MB.

export type Weight = 'regular' | 'bold';
/** A font under a name of its own: pdfkit takes two instances of one variable font for the same. */
export type Face = Record<Weight, { name: string; font: fontkit.Font }>;

const whole = {
  figtree: { regular: 'figtree/400Regular/Figtree_400Regular.ttf', bold: 'figtree/700Bold/Figtree_700Bold.ttf' },
  noto: { regular: 'noto-sans/400Regular/NotoSans_400Regular.ttf', bold: 'noto-sans/700Bold/NotoSans_700Bold.ttf' },
} as const;

const scripts = [
  'arabic',
  'hebrew',
  'thai',
  'bengali',
  'gurmukhi',
  'gujarati',
  'tamil',
  'telugu',
  'malayalam',
  'sinhala',
  'khmer',
] as const;
// The same characters are drawn differently in each of these languages.
const eastAsian = ['sc', 'jp', 'kr'] as const;
type Package = (typeof scripts)[number] | (typeof eastAsian)[number];

const axes = { regular: { wght: 400 }, bold: { wght: 700 } } as const;
const weights = Object.keys(axes) as Weight[];

const readPackageFile = (path: string) => readFile(fileURLToPath(import.meta.resolve(path)));

async function openWhole(family: keyof typeof whole): Promise<Face> {
  const [regular, bold] = await Promise.all(
    weights.map(async (weight) => ({
      name: `${family}-${weight}`,
      font: openFont(await readPackageFile(`@expo-google-fonts/${whole[family][weight]}`)),
    })),
  );
  if (!regular || !bold) throw new Error(`${family} lacks a weight`);
  return { regular, bold };
}

const loadWhole = loadOnce(async () => ({ figtree: await openWhole('figtree'), noto: await openWhole('noto') }));

/**
 * Opens a font whose glyphs know the characters of each place where they stand. fontkit keeps those of the first, and an Arabic font draws several
 * letters as one shape with dots.
 */
function openFont(bytes: Buffer): fontkit.Font {
  const font = fontkit.create(bytes) as fontkit.Font;
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id, codePoints);
    const isKnown = codePoints.join() === glyph.codePoints.join();
    return isKnown ? glyph : (Object.create(glyph, { codePoints: { value: codePoints } }) as fontkit.Glyph);
  };
  return font;
}

type CharacterRange = { from: number; to: number; file: string };

/** Which file of a package has which characters; its Latin and Cyrillic are those of Noto Sans. */
async function readRanges(name: Package): Promise<CharacterRange[]> {
  const files = JSON.parse(String(await readPackageFile(`@fontsource-variable/noto-sans-${name}/unicode.json`))) as Record<string, string>;
  return Object.entries(files).flatMap(([key, ranges]) =>
    ['latin', 'latin-ext', 'cyrillic', 'vietnamese'].includes(key)
      ? []
      : ranges.split(',').map((range) => {
          const [from = 0, to = from] = range
            .replace('U+', '')
            .split('-')
            .map((hex) => parseInt(hex, 16));
          return { from, to, file: key.replace(/[[\]]/g, '') };
        }),
  );
}

const loadRanges = loadOnce(async () => {
  const names: Package[] = [...scripts, ...eastAsian];
  return new Map(await Promise.all(names.map(async (name) => [name, await readRanges(name)] as const)));
});

const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;
const listCodePoints = (cluster: string) => Array.from(cluster, (char) => char.codePointAt(0) ?? 0);
/** Whether a face has every character of a cluster. */
export const has = ({ regular }: Face, cluster: string) =>
  Array.from(cluster).every((char) => ignorable.test(char) || regular.font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));

/** Japanese where there is kana, Korean where there is hangul, else Chinese first. */
const orderEastAsian = (text: string): readonly Package[] =>
  /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? ['jp', 'sc', 'kr'] : /\p{sc=Hangul}/u.test(text) ? ['kr', 'jp', 'sc'] : eastAsian;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What readers take for one character: a letter with its marks. */
export const listClusters = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

export type FontBook = {
  figtree: Face;
  /** Latin with all marks, so that a word is in one design. */
  noto: Face;
  /** The face that has a cluster; undefined for emoji and the few characters that no font here has. */
  find: (cluster: string) => Face | undefined;
};

/** Loads the fonts for these texts. */
export async function openFonts(texts: readonly string[]): Promise<FontBook> {
  const { figtree, noto } = await loadWhole();
  const all = texts.join('\n');
  const found = new Map<string, Face | undefined>();
  const missing: string[] = [];
  for (const cluster of new Set(listClusters(all.normalize('NFC')))) {
    // Figtree has marks, but no places for them.
    const face = (/\p{Mark}/u.test(cluster) ? [noto] : [figtree, noto]).find((one) => has(one, cluster));
    if (face) found.set(cluster, face);
    else missing.push(cluster);
  }
  if (missing.length > 0) for (const [cluster, face] of await openSubsets(missing, orderEastAsian(all))) found.set(cluster, face);
  return { figtree, noto, find: (cluster) => found.get(cluster) };
}

async function openSubsets(clusters: readonly string[], order: readonly Package[]): Promise<Map<string, Face>> {
  const ranges = await loadRanges();
  const found = new Map<string, Face>();
  let waiting = clusters;
  for (const name of [...scripts, ...order]) {
    const findFile = (code: number) => ranges.get(name)?.find(({ from, to }) => code >= from && code <= to)?.file;
    const byFile = Map.groupBy(waiting, (cluster) => {
      const files = new Set(
        listCodePoints(cluster).flatMap((code) => (ignorable.test(String.fromCodePoint(code)) ? [] : [findFile(code)])),
      );
      // A letter and its marks must be of one file, to be joined.
      return files.size === 1 ? [...files][0] : undefined;
    });
    for (const [file, wanted] of byFile) {
      if (file === undefined) continue;
      const face = await openSubset(name, file, wanted.join(''));
      if (face) for (const cluster of wanted) if (has(face, cluster)) found.set(cluster, face);
    }
    waiting = waiting.filter((cluster) => !found.has(cluster));
  }
  return found;
}

/** Undefined if the file has none of these characters after all. */
async function openSubset(name: Package, file: string, text: string): Promise<Face | undefined> {
  const bytes = await readPackageFile(`@fontsource-variable/noto-sans-${name}/files/noto-sans-${name}-${file}-wght-normal.woff2`);
  const open = async (weight: Weight) => ({
    name: `${name}-${file}-${weight}`,
    font: openFont(await subsetFont(bytes, text, { targetFormat: 'truetype', variationAxes: axes[weight] })),
  });
  const regular = await open('regular');
  return regular.font.numGlyphs > 1 ? { regular, bold: await open('bold') } : undefined;
}
