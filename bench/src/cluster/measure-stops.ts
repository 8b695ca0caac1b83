import { setTimeout as pause } from 'node:timers/promises';
import { printTable } from '../load.ts';
import { ask, mailsOf, register, until } from './client.ts';
import type { Cluster } from './cluster.ts';

/** Readers and one who writes, until they are stopped: what was answered, and what was not. */
function startVisitors(siteUrl: string, tokens: readonly string[]) {
  const outcome = { answered: 0, broken: [] as string[], written: 0, brokenWrites: [] as string[], longestMs: 0 };
  const closed = new AbortController();
  const paths = ['/listing/all?limit=12', '/plan/all', '/config', '/listing/all?limit=12&page=3'];
  const read = async (first: number) => {
    for (let turn = first; !closed.signal.aborted; turn += 1) {
      const begun = performance.now();
      const said = await ask(siteUrl, 'GET', paths[turn % paths.length] ?? '').then(
        ({ status }) => status,
        (error: Error) => `no answer (${(error.cause as Error | undefined)?.message ?? error.message})`,
      );
      if (said === 200) outcome.answered += 1;
      else outcome.broken.push(String(said));
      outcome.longestMs = Math.max(outcome.longestMs, performance.now() - begun);
    }
  };
  const write = async (token: string) => {
    while (!closed.signal.aborted) {
      const body = { fullName: `Mere Kingi ${outcome.written}` };
      const said = await ask(siteUrl, 'PUT', '/auth/update', { token, body }).then(
        ({ status }) => status,
        () => 'no answer',
      );
      if (said === 200) outcome.written += 1;
      else outcome.brokenWrites.push(String(said));
    }
  };
  const clients = [...Array.from({ length: 10 }, (_, index) => read(index)), ...tokens.map(write)];
  return async () => {
    closed.abort();
    await Promise.all(clients);
    return outcome;
  };
}

const listed = (broken: readonly string[]) => (broken.length === 0 ? '0' : `${broken.length} (${[...new Set(broken)].join(', ')})`);

/** A server that is killed, one restart after the other, and a worker that is killed: what people notice of it. */
export async function measureStops(cluster: Cluster): Promise<void> {
  const { servers, siteUrl } = cluster;
  const people = [await register(siteUrl), await register(siteUrl)];
  const tokens = people.map(({ token }) => token);
  const rows: string[][] = [];
  const during = async (what: string, work: () => Promise<void>) => {
    const stop = startVisitors(siteUrl, tokens);
    await pause(2_000);
    await work();
    await pause(2_000);
    const { answered, broken, written, brokenWrites, longestMs } = await stop();
    rows.push([what, String(answered), listed(broken), String(written), listed(brokenWrites), (longestMs / 1_000).toFixed(2)]);
  };
  await during('nothing happens', () => pause(1_000));
  const [first] = servers;
  if (!first) return;
  await during('a server is killed', () => cluster.stop(first, 'SIGKILL'));
  await cluster.startServer(first);
  await during('each server is restarted, one after the other', async () => {
    for (const one of servers) {
      await cluster.stop(one);
      await cluster.startServer(one);
      // As a balancer hears of it.
      await pause(1_000);
    }
  });
  printTable(
    'Ten people read and two write all the time',
    ['meanwhile', 'reads answered', 'reads broken', 'writes answered', 'writes broken', 'longest read s'],
    rows,
  );
  await measureKilledWorker(cluster);
}

async function measureKilledWorker(cluster: Cluster) {
  const { workers, siteUrl, mailboxUrl } = cluster;
  const [first] = workers;
  if (!first) return;
  const begun = performance.now();
  const people = await Promise.all(Array.from({ length: 20 }, () => register(siteUrl)));
  await cluster.stop(first, 'SIGKILL');
  const mailsTo = async () => {
    const mails = await mailsOf(mailboxUrl);
    return people.map(({ email }) => mails.filter(({ to }) => to.some(({ address }) => address === email)).length);
  };
  await until(async () => (await mailsTo()).every((count) => count > 0), 180, 500);
  const seconds = (performance.now() - begun) / 1_000;
  const counts = await mailsTo();
  printTable(
    'One of two workers is killed while twenty people sign up',
    ['people', 'with their mail', 'with more than one', 'all after s'],
    [[people.length, counts.filter((count) => count > 0).length, counts.filter((count) => count > 1).length, seconds]],
  );
  await cluster.startWorker(first);
}
