import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Avatar } from '../../../../ui/pictures/avatar.tsx';
import { RatingLine } from '../../../../ui/pictures/stars.tsx';
import { type Outcomes, isSent } from '../../first-message/several.ts';
import type { QuotePick } from './quote-draft.ts';
import { offered } from './quote-picks.ts';
import styles from './quote-suggested.module.css';
import type { QuotePro, Suggested } from './use-suggested.ts';

type QuoteSuggestedProps = {
  suggested: Suggested;
  picks: readonly QuotePick[];
  outcomes: Outcomes;
  onToggle: (pick: QuotePick) => void;
  id: string;
};

/** Who can be asked: boxes to tick, three at most. */
export function QuoteSuggested({ suggested, picks, outcomes, onToggle, id }: QuoteSuggestedProps) {
  const choices = offered(picks, suggested.pros);
  const picked = new Set(picks.map(({ listingId }) => listingId));
  const isFull = picks.length >= maxQuoteReceivers;
  return (
    <fieldset className={styles.suggested} aria-describedby={`${id}-said`} aria-busy={suggested.state === 'asking'}>
      <legend id={id} className={styles.legend} tabIndex={-1}>
        Who should we ask?
      </legend>
      <p id={`${id}-said`} className={styles.said} role="status">
        {saidOf(suggested, picks.length)}
      </p>
      {choices.length > 0 && (
        <ul className={styles.pros}>
          {choices.map((one) => (
            <li key={one.listingId}>
              <label className={styles.pro} data-picked={picked.has(one.listingId) || undefined}>
                <input
                  type="checkbox"
                  checked={picked.has(one.listingId)}
                  // Not disabled: it can still be reached, and says why it does nothing.
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

const Pro = ({ pro }: { pro: QuotePick | QuotePro }) => (
  <>
    <Avatar name={pro.name} {...('logo' in pro && { src: pro.logo, color: pro.color })} size={40} />
    <span className={styles.text}>
      <strong className={styles.name}>{pro.name}</strong>
      <span className={styles.title}>{pro.title}</span>
      {'average' in pro && (
        <span className={styles.facts}>
          <RatingLine average={pro.average} reviews={pro.reviews} /> <span>{pro.location}</span>
        </span>
      )}
    </span>
  </>
);

function saidOf({ state, pros, place }: Suggested, picks: number): string {
  const chosen = picks === 0 ? '' : ` ${picks} of ${maxQuoteReceivers} chosen.`;
  switch (state) {
    case 'nothing':
      return `Say what kind of job it is and where. Then choose up to ${maxQuoteReceivers}.${chosen}`;
    case 'asking':
      return 'Looking for businesses…';
    case 'failed':
      return 'Businesses could not be looked up just now. Please try again in a moment.';
    case 'unknown-place':
      return `We don’t know that place. Choose one from the list as you type.${chosen}`;
    case 'found': {
      const where = place === null ? '' : ` in ${place}`;
      if (pros.length === 0) return `Nobody offers this${where} yet. Try a place nearby, or another kind of job.${chosen}`;
      return `${counted(pros.length, 'suggestion')}${where}, in the recommended order. Choose up to ${maxQuoteReceivers}.${chosen}`;
    }
  }
}
