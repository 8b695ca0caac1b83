import type { QuoteRequestForm } from '@handwise/contract/messages/quote-requests';
import { useRef, useState } from 'react';
import { upload } from '../../../../lib/upload.ts';
import { type Outcomes, sendToSeveral } from '../../first-message/send-to-several.tsx';
import type { QuoteRequestDraft, QuoteRequestPick } from './quote-request-draft.ts';

const nothingYet: Outcomes = new Map();

/** Creates a function that sends the request to one business; the first successful call uploads the photos for all. */
export const createQuoteRequestSender =
  (values: QuoteRequestForm, clientId: string, files: readonly File[]) =>
  ({ listingId }: QuoteRequestPick, outcomes: Outcomes) => {
    const isKnown = [...outcomes.values()].some((one) => 'conversationId' in one);
    return upload(
      'POST /quote-requests',
      { form: { ...values, clientId, listingId }, files: { pictures: isKnown ? [] : files } },
      () => {},
    );
  };

/** Converts the receivers to what a draft stores, and back. */
export const listSent = (outcomes: Outcomes): QuoteRequestDraft['sent'] =>
  [...outcomes].flatMap(([listingId, one]) => ('conversationId' in one ? [{ listingId, conversationId: one.conversationId }] : []));
export const listOutcomes = (sent: QuoteRequestDraft['sent']): Outcomes =>
  new Map(sent.map(({ listingId, conversationId }) => [listingId, { conversationId }]));

/** Tracks who has received a request and sends it to the others, one press at a time. */
export function useQuoteRequestSending() {
  const [outcomes, setOutcomes] = useState(nothingYet);
  const [sending, setSending] = useState(false);
  const busy = useRef(false);
  async function send(picks: readonly QuoteRequestPick[], sender: ReturnType<typeof createQuoteRequestSender>): Promise<Outcomes | null> {
    if (busy.current) return null;
    busy.current = true;
    setSending(true);
    const result = await sendToSeveral(picks, sender, outcomes, setOutcomes);
    busy.current = false;
    setSending(false);
    return result;
  }
  return { outcomes, sending, send, setOutcomes, forget: () => setOutcomes(nothingYet) };
}
