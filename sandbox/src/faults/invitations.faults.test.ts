import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { patientClient } from './fault-client.ts';
import { kill, patience } from './fault-servers.ts';
import { faultWorld } from './fault-world.ts';

// Servers are killed while they execute an import. The mail server is down, so every email stays in the outbox and can be counted.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const client = patientClient(world, await world.startServer());

const rows = 6_000;

async function encodeImport() {
  const form = new FormData();
  form.append('country', 'NZ');
  const lines = Array.from({ length: rows }, (_, index) => `Kingi ${index},Plumbing,Taupō,,office@business${index}.example`);
  form.append('file', new Blob([['name,trade,place,phone,email', ...lines].join('\n')]), 'businesses.csv');
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}

const countOf = async (text: string): Promise<number> =>
  (await world.pool.query(`select count(*)::int as count from ${text}`)).rows[0].count;

test(
  'killed while it invites: each business is invited once, by one email',
  async () => {
    const admin = await world.newSeller(await client.alive());
    await world.pool.query(`update users set role = 'admin' where id = $1`, [admin.id]);
    const dryRun = await client.call(admin, 'POST', '/admin/imports', await encodeImport());
    expect([dryRun.status, dryRun.body.counts?.invite]).toEqual([201, rows]);
    const { _id: id, fileHash } = dryRun.body;
    const execution = { fileHash, basis: 'consent', isConfirmed: true };
    expect((await client.call(admin, 'POST', `/admin/imports/${id}/execute`, execution)).status).toBe(202);
    const isFinished = async () => (await countOf('invitation_imports where finished_at is not null')) === 1;
    const killedAt: number[] = [];
    for (const afterMs of [60, 150, 300, 500]) {
      const server = await client.alive();
      // Its job is due at once, instead of when its heartbeat is missed.
      await world.pool.query(
        `update pgboss.job set state = 'retry', start_after = now() where name = 'invitations.execute-import' and state = 'active'`,
      );
      await world.pool.query(`select publish_change('jobs', '"invitations.execute-import"')`);
      await pause(afterMs);
      await kill(server);
      killedAt.push(await countOf('invitations'));
      if (await isFinished()) break;
    }
    await client.alive();
    await world.pool.query(
      `update pgboss.job set state = 'retry', start_after = now() where name = 'invitations.execute-import' and state = 'active'`,
    );
    await world.pool.query(`select publish_change('jobs', '"invitations.execute-import"')`);
    await expect.poll(isFinished, { timeout: patience, interval: 100 }).toBe(true);
    expect(killedAt.filter((count) => count < rows).length).toBeGreaterThan(0);
    expect(await countOf('invitations')).toBe(rows);
    const mails = `pgboss.job where name = 'mail.send-email' and data ->> 'to' like 'office@business%'`;
    expect(await countOf(mails)).toBe(rows);
    expect(await countOf(`(select distinct data ->> 'to' from ${mails}) as readers`)).toBe(rows);
  },
  2 * patience,
);
