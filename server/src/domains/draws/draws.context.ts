import type { Reader } from '../../kit/database/database.ts';
import type { Beacon } from '../../kit/integrations/beacon.ts';
import type { TicketContext } from '../tickets/tickets.service.ts';

export type DrawContext = TicketContext & {
  /** The source of public randomness that decides draws. */
  beacon: Beacon;
};

/** What draws need from the domains above them. */
export type DrawHooks = {
  /** Anonymous audit log entries about these subjects; the admin domain, which may not be imported here, provides them. */
  listAudited: (db: Reader, subjectIds: readonly string[]) => Promise<unknown[]>;
};
