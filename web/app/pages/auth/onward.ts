import { findMessagedListing, hasPendingMessage } from '../../domains/messages/first-message/pending-message.ts';
import { hasPendingQuoteRequest, leadsToSending } from '../../domains/messages/quote-requests/form/quote-request-draft.ts';
import { hasListingDraft } from '../../lib/browser-storage.ts';
import { leadsToWizard } from './visit-reason.tsx';

/** Whether a new member goes straight on to what they had begun: a message, a request for quotes or a listing. */
export function leadsOnward(target: string): boolean {
  const messaged = findMessagedListing(target);
  return (
    (leadsToWizard(target) && hasListingDraft()) ||
    (messaged !== null && hasPendingMessage(messaged)) ||
    (leadsToSending(target) && hasPendingQuoteRequest())
  );
}
