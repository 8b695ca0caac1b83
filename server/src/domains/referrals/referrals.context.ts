import type { TicketContext } from '../tickets/tickets.service.ts';

/** What referrals work with: whoever decides about one issues tickets. */
export type ReferralContext = TicketContext;
