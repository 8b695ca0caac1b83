import type { contactSeller } from '@handwise/contract/messages/calls';
import { call } from '../../../lib/api.ts';

export type MessageReceiver = { listingId: string; sellerId: string; name: string };

/** Sends one text to a seller, as the message that has this id for them. */
export const messageSender =
  (text: string, clientIdOf: (listingId: string) => string) =>
  ({ listingId, sellerId }: MessageReceiver) =>
    call<typeof contactSeller>(
      { method: 'POST', url: '/email/send' },
      { body: { sellerId, listingId, message: text, clientId: clientIdOf(listingId) } },
    );
