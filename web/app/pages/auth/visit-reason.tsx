import { paths } from '@handwise/contract/paths';
import { pendingSave } from '../../domains/saved/pending-save.ts';
import { pendingAlert } from '../../domains/search/alerts/pending-alert.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import styles from './visit-reason.module.css';
import { useOutletContext } from 'react-router';

// The first match applies.
const reasons: readonly [string, string][] = [
  [paths.savedListings, 'to see your saved listings.'],
  [paths.ownListingsIndex, 'to see your listings.'],
  [paths.addListing, 'to publish your listing.'],
  [paths.editListing(''), 'to change your listing.'],
  [paths.updatePlan(''), 'to change your plan.'],
  [paths.reactivateListing(''), 'to reactivate your listing.'],
  [paths.receipts, 'to see your tax invoices.'],
  [paths.cards, 'to see your cards.'],
  [paths.security, 'to see how and where you are signed in.'],
  [paths.alerts, 'to see your alerts.'],
  [paths.account, 'to see your account.'],
  [paths.messages, 'to read your messages.'],
  [paths.referral, 'to see your referrals and tickets.'],
];

/** Whether the target is the wizard. */
export const leadsToWizard = (target: string) => target.startsWith(paths.addListing);

/** The reason for signing in, by the target: "Sign in to see your saved listings." */
export function getVisitReason(target: string): string | null {
  const query = target.slice(target.indexOf('?') + 1);
  if (pendingSave.read(query) !== null) return 'Sign in to save this listing.';
  if (pendingAlert.read(query) !== null) return 'Sign in to get new listings by email.';
  const { pathname } = new URL(target, 'https://own.invalid');
  const found = reasons.find(([path]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
  return found ? `Sign in ${found[1]}` : null;
}

/**
 * The reason for signing in or up. Only the browser knows whether a listing is pending: `saved` then replaces `reason` in the same space,
 * so that the form below does not move.
 */
export const VisitNotice = ({ reason, saved, isSaved }: { reason: string | null; saved: string | null; isSaved: boolean }) =>
  (reason !== null || saved !== null) && (
    <div className={styles.room}>
      {reason !== null && (
        <div inert={isSaved}>
          <Notice>{reason}</Notice>
        </div>
      )}
      {saved !== null && (
        <div inert={!isSaved}>
          <Notice kind="success">{saved}</Notice>
        </div>
      )}
    </div>
  );

/** What the visitors' layout provides to its pages. */
export type Visit = {
  /** Where to go once signed in: the page that required it, the wizard with its draft, or home. */
  target: string;
  /** Whether to return to the wizard, which has an unfinished listing. */
  continuesListing: boolean;
  /** Changes where to go. Must be called before the user is stored, which leaves the page at once. */
  leadTo: (path: string) => void;
};

export const useVisit = () => useOutletContext<Visit>();
