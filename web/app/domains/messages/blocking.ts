import type { blockSender, unblockSender } from '@handwise/contract/messages/calls';
import { call } from '../../lib/api.ts';

/** The other side of a conversation cannot write to one any more, until they are allowed again. */
export const stop = (id: string) => call<typeof blockSender>({ method: 'POST', url: '/messages/:id/block' }, { params: { id } });
export const allow = (id: string) => call<typeof unblockSender>({ method: 'DELETE', url: '/messages/:id/block' }, { params: { id } });
