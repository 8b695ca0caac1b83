import type { Beacon } from '../../kit/integrations/beacon.ts';
import type { TicketContext } from '../tickets/tickets.service.ts';

export type DrawContext = TicketContext & {
  /** The source of public randomness that decides draws. */
  beacon: Beacon;
};
