import type { FindData } from './find-data.ts';
import { changed, findAddress, type FindParams, spelledOut } from './find-params.ts';

type Read = Pick<FindData, 'params' | 'understood'>;
type Chip = { kind: string; name: string; without: string };

/** What a search was understood as, in chips: each names the address of the same search without it. */
export function chipsOf({ params, understood }: Read, market: string | null): Chip[] {
  const { category, subCategory, place, words } = understood;
  const parts = spelledOut(params, understood, market);
  const without = (change: Parameters<typeof changed>[1]) => findAddress(changed(parts, change));
  const placeless = { country: undefined, region: undefined, district: undefined };
  return [
    { kind: 'category', name: category, without: without({ category: undefined, subCategory: undefined }) },
    { kind: 'sub-category', name: subCategory, without: without({ subCategory: undefined }) },
    // The country of a host that has only one is no choice.
    { kind: 'place', name: !understood.near && (parts.region || parts.country) ? place : null, without: without(placeless) },
    {
      kind: 'distance',
      name: understood.near ? nearName(understood.near) : null,
      without: without({ near: undefined, km: undefined, sort: params.sort === 'nearest' ? undefined : params.sort }),
    },
    { kind: 'words', name: words && (/^#\d+$/.test(words) ? words : `“${words}”`), without: without({ q: undefined, raw: undefined }) },
  ].filter((chip): chip is Chip => Boolean(chip.name));
}

const nearName = ({ label, km }: { label: string; km: number }) => `Within ${km} km of ${/^-?\d/.test(label) ? 'where you are' : label}`;

/** The words as they were typed, where more was read into them. */
export function rawAddress({ params, understood }: Read): string | null {
  const { category, subCategory, place, corrected } = understood;
  const typed = params.q;
  if (!typed || params.raw || (understood.words === typed && !corrected)) return null;
  // What was chosen by itself was not read into the words.
  const isRead = (category && !params.category) || (subCategory && !params.subCategory) || (place && !params.where) || corrected;
  return isRead ? findAddress(changed(params, { raw: '1' })) : null;
}

/** Back from the words as they were typed to what they mean. */
export const readAddress = (params: FindParams) => (params.raw && params.q ? findAddress(changed(params, { raw: undefined })) : null);

/** "Plumbing: Drain cleaning" */
export const guessName = ({ category, subCategory }: { category: string; subCategory: string | null }) =>
  [category, subCategory].filter(Boolean).join(': ');
