import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Button } from '../../../../ui/forms/button.tsx';
import { Avatar } from '../../../../ui/pictures/avatar.tsx';
import { RatingLine } from '../../../../ui/pictures/stars.tsx';
import { type Outcomes, isSent } from '../../first-message/send-to-several.tsx';
import type { QuoteRequestPick } from './quote-request-draft.ts';
import styles from './suggested-businesses.module.css';
import { useCallback, useEffect, useRef, useState } from 'react';
import { debounce } from '../../../../lib/debounce.ts';

type SuggestedBusinessesProps = {
  suggested: Suggested;
  picks: readonly QuoteRequestPick[];
  outcomes: Outcomes;
  onToggle: (pick: QuoteRequestPick) => void;
  /** Looks again for businesses that could not be looked up. */
  onRetry: () => void;
  id: string;
};

/** Checkboxes for the businesses to ask, three at most. */
export function SuggestedBusinesses({ suggested, picks, outcomes, onToggle, onRetry, id }: SuggestedBusinessesProps) {
  const choices = listChoices(picks, suggested.pros);
  const picked = new Set(picks.map(({ listingId }) => listingId));
  const isFull = picks.length >= maxQuoteRequestReceivers;
  return (
    <fieldset className={styles.suggested} aria-describedby={`${id}-said`} aria-busy={suggested.state === 'asking'}>
      <legend id={id} className={styles.legend} tabIndex={-1}>
        Who should we ask?
      </legend>
      <p id={`${id}-said`} className={styles.said} role="status">
        {fileProblem(suggested, picks.length)}
      </p>
      {suggested.state === 'failed' && (
        <Button
          kind="secondary"
          size="sm"
          onClick={() => {
            onRetry();
            // The button goes.
            document.getElementById(id)?.focus();
          }}
        >
          Look again
        </Button>
      )}
      {choices.length > 0 && (
        <ul className={styles.pros}>
          {choices.map((one) => (
            <li key={one.listingId}>
              <label className={styles.pro} data-picked={picked.has(one.listingId) || undefined}>
                <input
                  type="checkbox"
                  checked={picked.has(one.listingId)}
                  // Not `disabled`, so that it stays focusable and can explain itself.
                  aria-disabled={isSent(outcomes, one.listingId) || (isFull && !picked.has(one.listingId)) || undefined}
                  onChange={() => onToggle({ listingId: one.listingId, name: one.name, title: one.title })}
                />
                <Pro pro={one} />
              </label>
              <a
                className={styles.look}
                href={paths.listing(one.listingId)}
                target="_blank"
                rel="noopener"
                aria-label={`Look at the listing of ${one.name}, in a new tab`}
              >
                Look
              </a>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

const Pro = ({ pro }: { pro: QuoteRequestPick | SuggestedBusiness }) => (
  <>
    <Avatar name={pro.name} {...('logo' in pro && { src: pro.logo, color: pro.color })} size={40} />
    <span className={styles.text}>
      <strong className={styles.name}>{pro.name}</strong>
      <span className={styles.title}>{pro.title}</span>
      {'average' in pro && (
        <span className={styles.facts}>
          <RatingLine average={pro.average} reviews={pro.reviews} /> <span>{pro.place}</span>
          {pro.availability && <strong>{pro.availability}</strong>}
        </span>
      )}
    </span>
  </>
);

function fileProblem({ state, pros, place }: Suggested, picks: number): string {
  const chosen = picks === 0 ? '' : ` ${picks} of ${maxQuoteRequestReceivers} chosen.`;
  switch (state) {
    case 'nothing':
      return `Say what kind of job it is and where. Then choose up to ${maxQuoteRequestReceivers}.${chosen}`;
    case 'asking':
      return 'Looking for businesses…';
    case 'failed':
      return 'Businesses could not be looked up just now. Please try again in a moment.';
    case 'unknown-place':
      return `We don’t know that place. Choose one from the list as you type.${chosen}`;
    case 'found': {
      const where = place === null ? '' : ` in ${place}`;
      if (pros.length === 0) return `Nobody offers this${where} yet. Try a place nearby, or another kind of job.${chosen}`;
      return `${counted(pros.length, 'suggestion')}${where}, in the recommended order. Choose up to ${maxQuoteRequestReceivers}.${chosen}`;
    }
  }
}

type SuggestedBusiness = QuoteRequestPick & {
  average: number;
  reviews: number;
  /** Where it is based, and how far that is from the job. */
  place: string;
  availability?: string | null;
  logo: string;
  color: string;
};
/** `place`: as it was understood. */
type Suggestions = { place: string | null; pros: readonly SuggestedBusiness[] };
type Wanted = { category: string; subCategory: string; place: string };
export type Suggest = (job: Wanted, signal: AbortSignal) => Promise<Suggestions | 'unknown-place'>;

/** `nothing`: not loaded, because kind or place are missing. Earlier results stay while others load. */
type Suggested =
  | { state: 'nothing' | 'asking' | 'failed' | 'unknown-place'; pros: readonly SuggestedBusiness[]; place: null }
  | { state: 'found'; pros: readonly SuggestedBusiness[]; place: string | null };

// The pause in typing before a request.
const pauseMs = 400;
const shortestPlace = 2;

/** Loads businesses that do this kind of job at this place. */
export function useSuggested({ category, subCategory, place }: Wanted, suggest: Suggest): Suggested & { retry: () => void } {
  const [found, setFound] = useState<Suggested>({ state: 'nothing', pros: [], place: null });
  const retrying = useRef<AbortController>(null);
  const where = place.trim();
  const isSearching = category !== '' && where.length >= shortestPlace;
  const look = useCallback(
    (signal: AbortSignal) => {
      setFound(({ pros }) => ({ state: 'asking', pros, place: null }));
      suggest({ category, subCategory, place: where }, signal).then(
        (answer) => setFound(answer === 'unknown-place' ? { state: answer, pros: [], place: null } : { state: 'found', ...answer }),
        () => signal.aborted || setFound({ state: 'failed', pros: [], place: null }),
      );
    },
    [category, subCategory, where, suggest],
  );
  useEffect(() => {
    if (!isSearching) return undefined;
    const stop = debounce(pauseMs, look);
    return () => {
      stop();
      retrying.current?.abort();
    };
  }, [isSearching, look]);
  function retry() {
    retrying.current = new AbortController();
    look(retrying.current.signal);
  }
  return { ...(isSearching ? found : { state: 'nothing', pros: [], place: null }), retry };
}

/** Toggles a business. Receivers that have it stay, and the number is limited. */
export function toggleBusiness(
  picks: readonly QuoteRequestPick[],
  pick: QuoteRequestPick,
  outcomes: Outcomes,
): readonly QuoteRequestPick[] {
  if (isSent(outcomes, pick.listingId)) return picks;
  const others = picks.filter(({ listingId }) => listingId !== pick.listingId);
  if (others.length < picks.length) return others;
  return picks.length < maxQuoteRequestReceivers ? [...picks, pick] : picks;
}

/** The choices: selected ones that are no longer suggested, then the suggestions. */
export const listChoices = <Pro extends QuoteRequestPick>(
  picks: readonly QuoteRequestPick[],
  pros: readonly Pro[],
): readonly (Pro | QuoteRequestPick)[] => {
  const suggestedIds = new Set(pros.map(({ listingId }) => listingId));
  return [...picks.filter(({ listingId }) => !suggestedIds.has(listingId)), ...pros];
};

/** Selections for another job are ignored; the referring listing is selected. */
export function startingPicks(
  draft: { category: string; picks: readonly QuoteRequestPick[] },
  start: { category?: string | undefined; listing?: QuoteRequestPick | undefined },
): readonly QuoteRequestPick[] {
  const same = start.category === undefined || draft.category === '' || start.category === draft.category;
  const picks = same ? draft.picks : [];
  const { listing } = start;
  if (!listing) return picks;
  return [listing, ...picks.filter(({ listingId }) => listingId !== listing.listingId)].slice(0, maxQuoteRequestReceivers);
}
