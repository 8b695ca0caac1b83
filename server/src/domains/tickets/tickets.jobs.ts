import type { TicketContext } from './tickets.context.ts';
import { listPeriodsToSign, TicketLogWriter } from './tickets.log.ts';
import { ensurePeriod } from './tickets.periods.ts';
import { lockPeriod } from './tickets.queries.ts';
import { eraseEntrants, reencryptEntrants } from './tickets.sealing.ts';

/** Signs a head of each open log that has grown since its newest one. */
export async function signLogHeads(context: TicketContext): Promise<void> {
  const { db } = context;
  for (const { id } of await listPeriodsToSign(db)) {
    await db.transaction().execute(async (tx) => {
      const period = await lockPeriod(tx, id);
      if (!period.closed_at) await new TicketLogWriter(tx, period).sign(context);
    });
  }
}

export function ticketJobs(context: TicketContext) {
  context.jobs.every('tickets.ensure-period', '*/5 * * * *', () => ensurePeriod(context));
  context.jobs.every('tickets.sign-heads', '41 * * * *', () => signLogHeads(context));
  context.jobs.every('tickets.erase-entrants', '43 * * * *', async () => {
    await eraseEntrants(context);
  });
  context.jobs.every('tickets.reencrypt-entrants', '47 * * * *', () => reencryptEntrants(context));
}
