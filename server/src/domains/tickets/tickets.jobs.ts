import type { TicketContext } from './tickets.context.ts';
import { listGrown } from './tickets.log-queries.ts';
import { LogEnd } from './tickets.log.ts';
import { beginPeriod } from './tickets.periods.ts';
import { lockPeriod } from './tickets.queries.ts';
import { eraseEntrants, renewEntrants } from './tickets.sealing.ts';

/** Signs a head of each log that has grown beyond its newest one. */
export async function signHeads(context: TicketContext): Promise<void> {
  const { db } = context;
  for (const { id } of await listGrown(db)) {
    await db.transaction().execute(async (tx) => {
      const period = await lockPeriod(tx, id);
      if (!period.closed_at) await new LogEnd(tx, period).sign(context);
    });
  }
}

export function ticketJobs(context: TicketContext) {
  context.jobs.every('tickets.begin-period', '*/5 * * * *', () => beginPeriod(context));
  context.jobs.every('tickets.sign-heads', '41 * * * *', () => signHeads(context));
  context.jobs.every('tickets.erase-entrants', '43 * * * *', async () => {
    await eraseEntrants(context);
  });
  context.jobs.every('tickets.renew-entrants', '47 * * * *', () => renewEntrants(context));
}
