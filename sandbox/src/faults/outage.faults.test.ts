import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startMailbox } from '../mailbox/mailbox.ts';
import { freePort, startPostgres } from '../postgres.ts';
import { smallDisk } from '../testing/disk.ts';
import { stopUnderLoad } from '../testing/stop-under-load.ts';
import { LostAnswer, callOnce, encodeForm, patientClient, photo } from './fault-client.ts';
import { kill, patience } from './fault-servers.ts';
import { type Seller, faultWorld } from './fault-world.ts';

// Outages of database, disk, provider and mail server under load.
const folder = mkdtempSync(join(tmpdir(), 'handwise-outage-'));
const postgresPort = await freePort();
const crashes: string[] = [];
const onCrash = (line: string) => crashes.push(line);
let postgres = await startPostgres({ dataDir: folder, port: postgresPort, onCrash });
const smtpPort = await freePort();
// Runs last, because hooks run in reverse order.
afterAll(async () => {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});
const world = await faultWorld({ databaseUrl: postgres.url, smtpUrl: `smtp://127.0.0.1:${smtpPort}` });
const client = patientClient(world, await world.startServer());
const long = 3 * patience;

const pay = async (seller: Seller): Promise<Seller['form']> => {
  const { status, body } = await client.call(seller, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });
  expect(status).toBe(201);
  expect(await world.submitCard(body.clientSecret)).toBe('succeeded');
  const confirmed = await client.call(seller, 'POST', '/plan-user/confirm-payment', { paymentIntentId: body.paymentIntentId });
  expect(confirmed.status).toBe(200);
  return { ...seller.form, paymentId: body.paymentIntentId };
};

afterEach(() => {
  world.aroundProviderCalls(null);
  world.stripe.setFault(null);
});

const newSeller = async () => world.newSeller(await client.alive());
const once = async (seller: Seller, method: string, path: string, body?: object) =>
  callOnce(await client.alive(), seller.token, method, path, body);

test(
  'a database restart during publishing loses no confirmed write; calls get 503 until it recovers',
  async () => {
    const sellers = await Promise.all([newSeller(), newSeller(), newSeller(), newSeller()]);
    const { child } = await client.alive();
    const refusals = new Map<string, string | null>();
    const published: [Seller, string][] = [];
    const isDown = Promise.withResolvers<void>();
    // Each seller publishes repeatedly under the five slots of a premium plan.
    const writers = sellers.map(async (seller) => {
      const until = async (method: string, path: string, body: object) => {
        for (;;) {
          const answer = await once(seller, method, path, body);
          if (answer.status < 300) return answer;
          if (answer.status !== 503) throw new Error(JSON.stringify(answer.body));
          refusals.set(answer.body.code, answer.retryAfter);
          await pause(50);
        }
      };
      const { body } = await until('POST', '/plan-user/create-intent', { planId: world.planId('premium'), country: 'NZ' });
      await world.submitCard(body.clientSecret);
      await until('POST', '/plan-user/confirm-payment', { paymentIntentId: body.paymentIntentId });
      for (let index = 0; index < 5; index += 1) {
        const form = { ...seller.form, submissionId: `${seller.form.submissionId}-${index}`, servicePlan: world.planId('premium') };
        const answer = await until('POST', '/listing/create', await encodeForm(form, []));
        expect([answer.status, answer.body.code]).toEqual([201, undefined]);
        published.push([seller, answer.body._id]);
        // The others fail because of the outage.
        if (index === 2) await isDown.promise;
      }
    });
    await vi.waitFor(() => expect(published.length).toBeGreaterThan(2), { timeout: patience });
    await postgres.stop();
    isDown.resolve();
    const refused = vi.waitFor(() => expect(refusals.size).toBeGreaterThan(0), { timeout: patience });
    try {
      await Promise.race([Promise.all(writers), refused]);
    } finally {
      // Restarted also after a failure, for the tests that follow.
      postgres = await startPostgres({ dataDir: folder, port: postgresPort, onCrash });
    }
    await Promise.all(writers);

    expect([...refusals]).toEqual([['unavailable', '2']]);
    expect(child.exitCode).toBeNull();
    for (const seller of sellers) {
      const stored = await world.pool.query('select id from listings where seller_id = $1', [seller.id]);
      const answered = published.filter(([owner]) => owner === seller).map(([, id]) => id);
      expect(stored.rows.map((row) => row.id as string).toSorted()).toEqual(answered.toSorted());
      expect(await world.charges(seller)).toEqual([2500]);
    }
    await world.expectBalancedBooks();
    // Without a mail server, its jobs count as done once they were tried.
    const untried = `select from pgboss.job where name = 'mail.send-email' and state = 'created'`;
    await vi.waitFor(async () => expect((await world.pool.query(untried)).rowCount).toBe(0), { timeout: patience });
  },
  long,
);

test(
  'a database killed ten times under load recovers with every confirmed write; logs each crash once',
  async () => {
    const { child } = await client.alive();
    const sellers = await Promise.all([newSeller(), newSeller(), newSeller(), newSeller()]);
    const expectedCrashes = Array.from({ length: 10 }, () => 'The database ended unexpectedly (SIGKILL) and is restarted.');
    // Recovery replays only writes after this checkpoint.
    await world.pool.query('checkpoint');
    const answered = new Map(sellers.map((seller) => [seller, 0]));
    const total = () => [...answered.values()].reduce((sum, count) => sum + count, 0);
    const over = new AbortController();
    const writers = sellers.map(async (seller) => {
      for (let count = 1; !over.signal.aborted;) {
        const { status } = await once(seller, 'PUT', '/auth/update', { about: String(count) });
        if (status === 200) answered.set(seller, count++);
        else if (status === 503) await pause(50);
        else throw new Error(`answered ${status}`);
      }
    });
    const kills = (async () => {
      for (let round = 0; round < expectedCrashes.length; round += 1) {
        const before = total();
        await vi.waitFor(() => expect(total()).toBeGreaterThan(before + 10), { timeout: patience });
        process.kill(Number(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
        // Calls open at the kill may still be answered.
        await vi.waitFor(() => expect(crashes).toHaveLength(round + 1), { timeout: patience, interval: 5 });
        const answeredBefore = total() + sellers.length;
        await vi.waitFor(() => expect(total()).toBeGreaterThan(answeredBefore), { timeout: patience, interval: 20 });
      }
    })();
    try {
      await Promise.race([kills, Promise.all(writers)]);
    } finally {
      over.abort();
    }
    await Promise.all(writers);
    expect(crashes).toEqual(expectedCrashes);
    expect(child.exitCode).toBeNull();
    for (const [seller, count] of answered) {
      const { rows } = await world.pool.query('select about from users where id = $1', [seller.id]);
      // A write without a response may have been stored.
      expect([String(count), String(count + 1)]).toContain(rows[0]?.about);
    }
  },
  long,
);

test(
  'fifty concurrent copies of a form on a killed server create one listing and get the same response',
  async () => {
    const seller = await newSeller();
    const form = await encodeForm(await pay(seller), [photo]);
    const before = await client.alive();
    // One copy has sent half of its form when the server is killed.
    const half = callOnce(before, seller.token, 'POST', '/listing/create', form, () => new Promise(() => {}));
    const all = [
      half.catch((error: unknown) => {
        if (error instanceof LostAnswer) return client.call(seller, 'POST', '/listing/create', form);
        throw error;
      }),
      ...Array.from({ length: 49 }, () => client.call(seller, 'POST', '/listing/create', form)),
    ];
    await vi.waitFor(() => expect(world.temporaryFiles().length).toBeGreaterThan(0), { timeout: patience });
    await kill(before);
    const answers = await Promise.all(all);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`))).toEqual(new Set(['201 ']));
    expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1);
    expect(answers.every((answer) => answer.body.listing.serviceImages.length === 1)).toBe(true);
    expect(await world.listings(seller)).toEqual(['active basic']);
    expect(await world.charges(seller)).toEqual([1500]);
    await world.expectNoOrphanFiles();
  },
  long,
);

test(
  'while the provider is down nothing is charged; repeated calls charge once afterwards',
  async () => {
    const seller = await newSeller();
    const unavailable = { status: 503, code: 'payment_provider_unavailable' };
    const call = (method: string, path: string, body: object) => client.call(seller, method, path, body);
    const shown = async (method: string, path: string, body: object) => {
      for (;;) {
        const answer = await once(seller, method, path, body);
        // On a busy machine the server responds with 503, and the call is repeated.
        if (answer.body.code !== 'unavailable') return { status: answer.status, code: answer.body.code };
      }
    };
    const begin = { planId: world.planId('basic'), country: 'NZ' };
    world.stripe.setFault('down');
    expect(await shown('POST', '/plan-user/create-intent', begin)).toEqual(unavailable);
    // The event of the new intent would also make the server check it.
    world.stripe.setFault('drop-webhooks');
    const intent = await call('POST', '/plan-user/create-intent', begin);
    expect(await world.submitCard(intent.body.clientSecret)).toBe('succeeded');
    const { paymentIntentId } = intent.body;
    world.stripe.setFault('down');
    expect(await shown('POST', '/plan-user/confirm-payment', { paymentIntentId })).toEqual(unavailable);
    const form = await encodeForm({ ...seller.form, paymentId: paymentIntentId }, []);
    expect(await shown('POST', '/listing/create', form)).toEqual(unavailable);
    expect(await world.listings(seller)).toEqual([]);
    world.stripe.setFault(null);
    const listing = await call('POST', '/listing/create', form);
    expect(listing.status).toBe(201);

    const setup = await call('POST', '/credit/setup-intent', {});
    await world.submitCard(setup.body.clientSecret);
    const card = await call('POST', '/credit', { setupIntentId: setup.body.setupIntentId });
    const change = { planId: world.planId('featured'), paymentId: card.body._id };
    // The provider is unreachable first, then the connection is cut after the charge.
    world.stripe.setFault('down');
    expect(await shown('PUT', `/listing/${listing.body._id}/plan`, change)).toEqual(unavailable);
    world.stripe.setFault(null);
    world.aroundProviderCalls(({ method, path }, phase) => {
      if (phase === 'after' && method === 'POST' && path === '/v1/payment_intents') world.stripe.setFault('down');
    });
    expect(await shown('PUT', `/listing/${listing.body._id}/plan`, change)).toEqual(unavailable);
    world.aroundProviderCalls(null);
    world.stripe.setFault(null);
    expect((await shown('PUT', `/listing/${listing.body._id}/plan`, change)).status).toBe(200);
    expect(await world.listings(seller)).toEqual(['active featured']);
    expect(await world.charges(seller)).toEqual([1500, 2050]);
    await world.expectBalancedBooks();
  },
  long,
);

test(
  'while the mail server is down everything else works, and emails are sent when it is back',
  async () => {
    const seller = await newSeller();
    const answer = await client.call(seller, 'POST', '/listing/create', await encodeForm(await pay(seller), []));
    expect(answer.status).toBe(201);
    const own = `from pgboss.job where name = 'mail.send-email' and data->>'to' = $1`;
    const tried = () => world.pool.query(`select state ${own} and (retry_count > 0 or state = 'retry')`, [seller.email]);
    await vi.waitFor(async () => expect((await tried()).rowCount).toBe(3), { timeout: patience });

    const mailbox = await startMailbox({ file: join(folder, 'mails.sqlite'), smtpPort, webPort: 0 });
    const received = async () => {
      const mails = (await (await fetch(`${mailbox.url}/email`)).json()) as { to: { address: string }[]; subject: string }[];
      return new Set(mails.filter((mail) => mail.to.some((one) => one.address === seller.email)).map((mail) => mail.subject));
    };
    await vi.waitFor(
      async () => {
        // The next attempt would be in half a minute.
        await world.pool.query(`update pgboss.job set start_after = now() where name = 'mail.send-email' and state = 'retry'`);
        expect((await received()).size).toBe(3);
      },
      { timeout: patience, interval: 500 },
    );
    const subjects = [...(await received())].toSorted();
    expect(subjects).toEqual([
      expect.stringMatching(/^Confirm your email address/),
      expect.stringMatching(/^Your Handwise receipt/),
      expect.stringContaining('is live on Handwise'),
    ]);
    await mailbox.close();
  },
  long,
);

test(
  'reports a stop under load in the health check first, answers earlier requests and exits with 0',
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const server = await world.startServer({ drainMs: 3_000 });
      const paths = ['/api/plan/all', '/api/listing/all?limit=5', '/api/config', '/api/nothing'];
      const { broken, firstOfHealth } = await stopUnderLoad(server.address, paths, 12, () => server.child.kill('SIGTERM'));
      expect([broken, firstOfHealth, await server.exit]).toEqual([[], 503, 0]);
    }
  },
  long,
);

const disk = smallDisk(256);

// Skipped if this user may not mount a disk; the tests of the store and of forms cover the error there.
test.skipIf(disk === undefined).each(['uploads', 'files'] as const)(
  'a full disk for %s is reported without publishing or charging; the same form succeeds once there is room',
  async (where) => {
    const dir = disk ?? '';
    const server = await world.startServer({ dataDir: dir });
    const onFullDisk = patientClient(world, server);
    const seller = await world.newSeller(server);
    const fields = await pay(seller);
    const form = await encodeForm(fields, [photo]);
    // Leaves no room, or room for the upload of 20 kB but not for its resized copies.
    const filler = join(dir, 'filler');
    // The folder also contains the server's keys.
    const before = world.filesIn(dir);
    const room = where === 'uploads' ? 0 : 24;
    fillUp(filler, dir, room);

    const refused = await onFullDisk.callOnce(seller, 'POST', '/listing/create', form);
    expect([refused.status, refused.body.code]).toEqual([507, 'storage_full']);
    expect(await world.listings(seller)).toEqual([]);
    expect(world.filesIn(dir).toSorted()).toEqual([...before, 'filler'].toSorted());
    const { rows } = await world.pool.query('select slots_used from subscriptions where user_id = $1', [seller.id]);
    expect(rows).toEqual([{ slots_used: 0 }]);

    rmSync(filler);
    const taken = await onFullDisk.callOnce(seller, 'POST', '/listing/create', form);
    expect(taken.status).toBe(201);
    expect(await world.listings(seller)).toEqual(['active basic']);
    expect(await world.charges(seller)).toEqual([1500]);
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    for (const name of ['files', 'uploads']) rmSync(join(dir, name), { recursive: true });
  },
  long,
);

/** Fills the disk except for these kilobytes. */
function fillUp(file: string, dir: string, kilobytes: number) {
  const [, line = ''] = execFileSync('df', ['-k', '--output=avail', dir], { encoding: 'utf8' }).split('\n');
  writeFileSync(file, Buffer.alloc((Number(line) - kilobytes) * 1024));
}
