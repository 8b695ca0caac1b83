import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { firstRoundFrom, sandboxChain } from '@handwise/proof/beacon';
import { completeDrawsJob } from '@handwise/server/domains/draws/draws.service';
import { testDatabase } from '../testing/database.ts';
import { callPatiently, LostAnswer } from './fault-client.ts';
import { kill, patience, type Server } from './fault-servers.ts';
import { faultWorld } from './fault-world.ts';

// Two servers run the same month's draw concurrently, and are killed while they close it and while they draw.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
/** A server whose database sessions have a name. */
const startNamed = (name: string) => world.startServer({ databaseUrl: `${url}?application_name=${name}` });
const one = await startNamed('one');
const other = await startNamed('other');
const attempts = 1_000;

/** Holds a lock that all transactions need, so that the servers are in the middle of one. */
async function holding(lock: string, work: () => Promise<void>): Promise<void> {
  const client = await world.pool.connect();
  try {
    await client.query('begin');
    await client.query(lock);
    await work();
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Until so many servers wait for a lock. */
const untilWaiting = (servers: number) =>
  vi.waitUntil(
    async () => {
      const { rows } = await world.pool.query(
        `select count(distinct application_name)::int as servers from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].servers >= servers;
    },
    { timeout: patience, interval: 50 },
  );

/** Null if the server is dead. */
const runDraw = (server: Server, token: string) =>
  callPatiently(server, token, 'POST', '/admin/run-draw').catch((error: unknown) => {
    if (error instanceof LostAnswer) return null;
    throw error;
  });

test(
  'a draw run a thousand times concurrently on two killed servers has one winner and sends one email',
  async () => {
    const admin = await world.newSeller(one);
    await world.pool.query(`update users set role = 'admin' where id = $1`, [admin.id]);
    for (let number = 0; number < 3; number += 1) {
      const { id: userId } = await world.newSeller(other);
      await world.pool.query('update users set email_confirmed_at = now() where id = $1', [userId]);
      const granted = await callPatiently(one, admin.token, 'POST', '/admin/entries', { userId, tickets: 2, reason: 'For helping us.' });
      expect(granted.status).toBe(201);
    }

    let runs: ReturnType<typeof runDraw>[] = [];
    await holding('select from draw_periods for update', async () => {
      runs = Array.from({ length: attempts }, (_, index) => runDraw(index % 2 === 0 ? one : other, admin.token));
      await untilWaiting(2);
      await kill(one);
    });
    const statuses = (await Promise.all(runs)).flatMap((answer) => answer?.status ?? []).toSorted((a, b) => a - b);
    expect(statuses).toEqual([202, ...Array<number>(attempts / 2 - 1).fill(409)]);
    const draws = () => world.pool.query('select status, (select count(*)::int from draw_actions) as actions from draws');
    expect((await draws()).rows).toEqual([{ status: 'waiting', actions: 1 }]);

    const again = await world.startServer();
    await holding('lock table draw_picks in exclusive mode', async () => {
      // The round is published after half a minute, when a drawing server is about to write the winner.
      await world.pool.query(
        `set session_replication_role = replica; update draws set closed_at = closed_at - interval '1 minute', announced_at = announced_at - interval '1 minute',
         expected_at = now() - interval '5 seconds', round = ${firstRoundFrom(sandboxChain, Date.now()) - 2}; set session_replication_role = origin`,
      );
      for (let number = 0; number < 4; number += 1) await world.send(completeDrawsJob, { drawId: 'any' });
      await untilWaiting(1);
      await Promise.all([kill(other), kill(again)]);
    });
    const last = await world.startServer();
    for (
      const until = performance.now() + patience;
      (await draws()).rows[0].status !== 'completed' && performance.now() < until;
      await pause(200)
    ) {
      await world.send(completeDrawsJob, { drawId: 'any' });
    }
    const { rows } = await world.pool.query(`
      select (select count(*)::int from draws where status = 'completed' and prize = 'pending') as draws,
        (select count(*)::int from draw_picks) as picks,
        (select count(*)::int from draw_picks where won_at is not null) as winners,
        (select count(*)::int from pgboss.job where name = 'mail.send-email' and data ->> 'subject' like '%won the monthly draw%') as mails`);
    expect(rows).toEqual([{ draws: 1, picks: 3, winners: 1, mails: 1 }]);
    expect((await runDraw(last, admin.token))?.body.code).toBe('draw_run_already');
  },
  3 * patience,
);
