import type { Beacon } from '../../kit/integrations/beacon.ts';
import type { TicketContext } from '../tickets/tickets.service.ts';

/** What draws work with besides what tickets do. */
export type DrawContext = TicketContext & {
  /** The public randomness that decides draws. */
  beacon: Beacon;
};
