import { setTimeout as pause } from 'node:timers/promises';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { printTable } from '../load.ts';
import { type Person, anyNetwork, ask, mailsOf, newPerson, register, until } from './client.ts';
import type { Cluster } from './cluster.ts';
import { askOnce } from './nodes.ts';

const rowsOf: string[][] = [];
const say = (what: string, is: string, should: string) => rowsOf.push([what, is, should, is === should ? 'held' : 'NOT HELD']);

/** What must be the same whichever server is asked, and what must happen once however many there are. */
export async function measureOnce(cluster: Cluster): Promise<void> {
  const { servers } = cluster;
  const addresses = servers.map(({ address }) => address);
  const [one = '', other = '', third = other] = addresses;
  const person = await register(one);
  const seen = await Promise.all(addresses.map(async (address) => (await ask(address, 'GET', '/auth/session', person)).status));
  say('signed up on one server, asked on each who it is', seen.join(' '), addresses.map(() => 200).join(' '));
  await measureLimits(addresses, person);
  await measureEvents(cluster, one, other);
  await measureExpiry(cluster);
  await measureDraw(cluster, third);
  printTable('The same on every server, and once on all of them together', ['what', 'is', 'should be', ''], rowsOf);
}

async function measureLimits(addresses: readonly string[], { email }: Person) {
  const network = anyNetwork();
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const body = { email, password: `wrong-${index}` };
      for (;;) {
        const { status } = await ask(addresses[index % addresses.length] ?? '', 'POST', '/auth/login', { body, network });
        if (status !== 503) return status;
        await pause(100);
      }
    }),
  );
  const count = (status: number) => answers.filter((one) => one === status).length;
  say('60 wrong passwords at once over all servers: tried and refused untried', `${count(401)} and ${count(429)}`, '10 and 50');
}

async function measureEvents({ mailboxUrl }: Cluster, one: string, other: string) {
  const person = await register(one);
  const stream = await openEventStream(one, person.token);
  const mine = async () =>
    (await mailsOf(mailboxUrl)).find(({ to, subject }) => to[0]?.address === person.email && subject.startsWith('Confirm'));
  await until(async () => (await mine()) !== undefined, 60, 250);
  const token = /[?&]token=([\w-]+)/.exec(JSON.stringify(await mine()))?.[1];
  const begun = performance.now();
  const { status } = await ask(other, 'POST', '/auth/verify-email', { body: { token } });
  const heard = await Promise.race([stream.untilCount('address-confirmed', 1).then(() => 'heard'), pause(5_000, 'not heard')]);
  stream.close();
  console.log(
    `An event of one server was heard on another ${(performance.now() - begun).toFixed(0)} ms after it was asked for (${status}).`,
  );
  say('confirmed on one server, heard on the stream of another', heard, 'heard');
}

async function measureExpiry({ watcher, mailboxUrl }: Cluster) {
  const ended = await askOnce<{ emails: string[] }>(
    watcher.primary.url,
    `with chosen as (
        select distinct on (seller_id) seller_id, subscription_id, email::text from listings join users on users.id = seller_id
        where status = 'active' order by seller_id, subscription_id limit 40),
      ended as (update subscriptions set starts_at = now() - interval '31 days', ends_at = now() - interval '1 minute'
        where id in (select subscription_id from chosen) returning id, ends_at),
      told as (update listings set subscription_ends_at = ends_at from ended where subscription_id = ended.id returning 1)
    select array_agg(email) as emails, (select count(*) from told) from chosen`,
  );
  const mailsTo = async () => {
    const mails = await mailsOf(mailboxUrl);
    return ended.emails.map((email) => mails.filter(({ to, subject }) => to[0]?.address === email && /ended/.test(subject)).length);
  };
  await until(async () => (await mailsTo()).every((count) => count > 0), 150, 1_000);
  await pause(2_000);
  const counts = await mailsTo();
  const once = counts.filter((count) => count === 1).length;
  say('40 plans end with two workers: told once', `${once} of ${counts.length}`, `${counts.length} of ${counts.length}`);
}

async function measureDraw({ servers, watcher, mailboxUrl }: Cluster, address: string) {
  const admin = await register(address);
  const friend = await register(address);
  await askOnce(watcher.primary.url, `update users set role = 'admin', email_confirmed_at = now() where id = '${admin.id}'`);
  await askOnce(watcher.primary.url, `update users set email_confirmed_at = now() where id = '${friend.id}'`);
  const { code } = await askOnce<{ code: string }>(
    watcher.primary.url,
    `select referral_code as code from users where id = '${friend.id}'`,
  );
  const body = { ...newPerson(), referralCode: code };
  const referred = await ask(address, 'POST', '/auth/register', { body, network: anyNetwork() });
  await askOnce(watcher.primary.url, `update users set email_confirmed_at = now() where id = '${referred.body?.data?._id}'`);
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const server = servers[index % servers.length]?.address ?? '';
      return (await ask(server, 'POST', '/admin/run-draw', { token: admin.token, body: { reason: 'A trial' } })).status;
    }),
  );
  const taken = answers.filter((status) => status === 202).length;
  say('the draw is run 60 times at once over all servers: taken', String(taken), '1');
  const text = `select count(*)::int as draws, count(*) filter (where status = 'completed')::int as completed,
    (select count(*)::int from draw_picks where won_at is not null) as winners from draws`;
  const state = () => askOnce<{ draws: number; completed: number; winners: number }>(watcher.primary.url, text);
  await until(async () => (await state()).completed === 1, 180, 1_000);
  const { draws, completed, winners } = await state();
  say('draws, completed, winners', `${draws} ${completed} ${winners}`, '1 1 1');
  const won = async () => (await mailsOf(mailboxUrl)).filter(({ subject }) => /won/i.test(subject)).length;
  await until(async () => (await won()) > 0, 60, 500);
  await pause(2_000);
  say('mails to the winner', String(await won()), '1');
}
