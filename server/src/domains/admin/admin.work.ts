import { adminPaths } from '@handwise/contract/admin/paths';
import { maxTasksOfSource, type WorkTask } from '@handwise/contract/admin/work';
import { type WorkSource, workSources } from '@handwise/contract/admin/work-sources';
import { addWorkingDays, dayMs, monthName, siteTimeZone } from '@handwise/contract/dates';
import { payoutDays } from '@handwise/contract/draws/prize';
import { money } from '@handwise/contract/money';
import { counted } from '@handwise/contract/numbers';
import { complaintDays } from '@handwise/contract/periods';
import type { Context } from '../../kit/context.ts';
import { readFailedJobs } from '../../kit/jobs/queues.ts';
import { listDrawWork } from '../draws/draws.service.ts';
import { getRejectedEvents, listDisputeWork, listPaymentWork } from '../payments/payments.service.ts';
import { listHeldReferrals } from '../referrals/referrals.service.ts';
import { listQueuedLicences } from '../registers/registers.service.ts';
import * as decisions from './admin.decisions.queries.ts';
import * as queries from './admin.queries.ts';

type Task = { title: string; path: string; since: Date; dueAt?: Date | null };
/** `total`: of all tasks, if they are more than the listed ones. */
type Found = { tasks: Task[]; total?: number };
type Parts = Pick<Context, 'db' | 'clock'> & { now: Date };

const take = maxTasksOfSource;

const decideBy = (since: Date) => addWorkingDays(since, complaintDays.decide, siteTimeZone);

const readers: Record<WorkSource, (parts: Parts) => Promise<Found>> = {
  reports: async ({ db }) => {
    const { rows, total } = await queries.listCases(db, { status: 'open', kind: undefined, skip: 0, take });
    const tasks = rows.map(({ title, created_at: since }) => ({
      title: `Report: ${title}`,
      path: adminPaths.reports,
      since,
      dueAt: decideBy(since),
    }));
    return { tasks, total };
  },
  objections: async ({ db }) => {
    const { rows, total } = await decisions.listAppealRows(db, 'open', { skip: 0, take });
    const tasks = rows.flatMap(({ about_title: title, appealed_at: since }) =>
      since ? { title: `Objection: ${title}`, path: adminPaths.appeals, since, dueAt: decideBy(since) } : [],
    );
    return { tasks, total };
  },
  licences: async ({ db }) => {
    const { licences, total } = await listQueuedLicences(db, take);
    return {
      tasks: licences.map(({ registerName, number, since }) => ({
        title: `Licence ${number}: ${registerName}`,
        path: adminPaths.licences,
        since,
      })),
      total,
    };
  },
  referrals: async ({ db }) => {
    const { referrals, total } = await listHeldReferrals(db, take);
    return {
      tasks: referrals.map(({ code, since, until }) => ({
        title: `Referral with the code ${code}`,
        path: adminPaths.referrals,
        since,
        dueAt: until,
      })),
      total,
    };
  },
  disputes: async ({ db }) => {
    const { rows, total } = await listDisputeWork(db, take);
    return {
      tasks: rows.map(({ paymentId, amountMinor, currency, since, dueAt }) => ({
        title: `Dispute about ${money(amountMinor, currency)}: answer the bank`,
        path: adminPaths.payment(paymentId),
        since,
        dueAt,
      })),
      total,
    };
  },
  payments: async ({ db, now }) => {
    const { owed, unsent, warned, doubtful } = await listPaymentWork(db, take, now);
    const toTask =
      (title: (amount: string) => string) =>
      ({ paymentId, amountMinor, currency, since }: (typeof owed.rows)[number]): Task => ({
        title: title(money(amountMinor, currency)),
        path: adminPaths.payment(paymentId),
        since,
      });
    const tasks = [
      ...owed.rows.map(toTask((amount) => `Refund of ${amount} failed: pay it by other means`)),
      ...unsent.rows.map((found) => ({
        ...toTask((amount) => `Refund of ${amount} for a payment found at the provider failed: send it by hand`)(found),
        path: adminPaths.payments,
      })),
      ...warned.rows.map(toTask((amount) => `The bank warns of fraud with ${amount}: a refund can still prevent a dispute`)),
      ...doubtful.rows.map(toTask((amount) => `Nobody knows yet whether ${amount} was paid`)),
    ];
    return {
      tasks: tasks.toSorted((a, b) => a.since.getTime() - b.since.getTime()).slice(0, take),
      total: owed.total + unsent.total + warned.total + doubtful.total,
    };
  },
  webhooks: async (parts) => {
    const { refused, since } = await getRejectedEvents(parts);
    if (!since) return { tasks: [] };
    const title = `${counted(refused, 'message')} in the payment provider’s name refused: check the secret of its webhooks`;
    return { tasks: [{ title, path: adminPaths.health, since }] };
  },
  draws: async ({ db, now }) => ({
    tasks: (await listDrawWork(db, now)).map(({ year, month, step, since }) => ({
      title: `Draw of ${monthName(year, month)}: ${drawSteps[step]}`,
      path: adminPaths.drawManagement,
      since,
      dueAt: step === 'pay' ? addWorkingDays(since, payoutDays.to, siteTimeZone) : since,
    })),
  }),
  jobs: async ({ db }) => {
    const { failed, oldest } = await readFailedJobs(db);
    if (!oldest) return { tasks: [] };
    return { tasks: [{ title: `${counted(failed, 'job')} failed for good`, path: adminPaths.health, since: oldest }] };
  },
};

const drawSteps = {
  pay: 'pay the prize',
  close: 'the entries should have closed by now',
  round: 'the announced round of randomness is late',
} as const;

const soonMs = 3 * dayMs;

/** What is overdue or due soon, by its date, then the rest by its age. */
export function compareWork(now: Date) {
  const due = ({ dueAt }: WorkTask) => {
    const time = dueAt === null ? Infinity : Date.parse(dueAt);
    return time <= now.getTime() + soonMs ? time : Infinity;
  };
  return (a: WorkTask, b: WorkTask): number => {
    const [first, second] = [due(a), due(b)];
    return first === second ? a.since.localeCompare(b.since) : first - second;
  };
}

/** What needs an administrator now. A source that cannot be read is named, and hides no other. */
export async function listWork({ db, clock, logger }: Context) {
  const now = clock.now();
  const sources = Object.keys(workSources) as WorkSource[];
  const found = await Promise.all(
    sources.map(async (source) => {
      try {
        return { source, ...(await readers[source]({ db, clock, now })) };
      } catch (error) {
        logger.error({ err: error, source }, 'work for administrators could not be read');
        return { source, tasks: null };
      }
    }),
  );
  const read = found.filter((one) => one.tasks !== null);
  return {
    tasks: read
      .flatMap(({ source, tasks }) =>
        tasks.map(({ title, path, since, dueAt }) => ({
          source,
          title,
          path,
          since: since.toISOString(),
          dueAt: dueAt?.toISOString() ?? null,
        })),
      )
      .toSorted(compareWork(now)),
    left: read.flatMap(({ source, tasks, total = 0 }) => (total > tasks.length ? { source, number: total - tasks.length } : [])),
    unread: found.flatMap(({ source, tasks }) => (tasks === null ? source : [])),
  };
}
