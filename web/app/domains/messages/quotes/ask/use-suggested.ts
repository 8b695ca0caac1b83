import { useEffect, useState } from 'react';
import { debounce } from '../../../../lib/debounce.ts';
import type { QuotePick } from './quote-draft.ts';

export type QuotePro = QuotePick & { average: number; reviews: number; location: string; logo: string; color: string };
/** `place`: as it was understood. */
type QuoteSuggestions = { place: string | null; pros: readonly QuotePro[] };
type Wanted = { category: string; subCategory: string; place: string };
export type Suggest = (wanted: Wanted, signal: AbortSignal) => Promise<QuoteSuggestions | 'unknown-place'>;

/** `nothing`: not asked, because kind or place are missing. What was found before stays while other things are asked for. */
export type Suggested =
  | { state: 'nothing' | 'asking' | 'failed' | 'unknown-place'; pros: readonly QuotePro[]; place: null }
  | { state: 'found'; pros: readonly QuotePro[]; place: string | null };

// So long nothing more must be typed before it is asked for.
const pauseMs = 400;
const shortestPlace = 2;

/** Who does this kind of job at this place. */
export function useSuggested({ category, subCategory, place }: Wanted, suggest: Suggest): Suggested {
  const [found, setFound] = useState<Suggested>({ state: 'nothing', pros: [], place: null });
  const where = place.trim();
  const isAsked = category !== '' && where.length >= shortestPlace;
  useEffect(() => {
    if (!isAsked) return undefined;
    return debounce(pauseMs, (signal) => {
      setFound(({ pros }) => ({ state: 'asking', pros, place: null }));
      suggest({ category, subCategory, place: where }, signal).then(
        (answer) => setFound(answer === 'unknown-place' ? { state: answer, pros: [], place: null } : { state: 'found', ...answer }),
        () => signal.aborted || setFound({ state: 'failed', pros: [], place: null }),
      );
    });
  }, [isAsked, category, subCategory, where, suggest]);
  return isAsked ? found : { state: 'nothing', pros: [], place: null };
}
