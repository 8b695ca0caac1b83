import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { load, printBars } from './load.ts';
import { createPaths } from './search.ts';
import { type Stage, stopProcess } from './stage.ts';

const mails = 5_000;

const mail = {
  to: 'mere@example.org',
  subject: 'Five new plumbers near you',
  preview: 'They match the search that you saved',
  greeting: 'Kia ora Mere,',
  blocks: [
    { kind: 'text', text: 'These listings match the search that you saved. They are new since yesterday.' },
    {
      kind: 'links',
      rows: [1, 2, 3, 4, 5].map((number) => ({
        label: `Plumber ${number}`,
        url: `https://example.org/listing/${number}`,
        text: 'Hot water, drains and gas',
      })),
    },
    { kind: 'button', label: 'See them all', url: 'https://example.org/search' },
  ],
  end: { oneClick: 'https://example.org/stop', page: 'https://example.org/stop' },
};

/** What sending thousands of emails takes from searches where one process does both, as under `npm start`. */
export async function benchMail(stage: Stage): Promise<void> {
  const { client } = stage;
  const whole = await stage.startWhole({ SMTP_URL: await discardMails() });
  const { 'trade and town': paths = [] } = await createPaths(stage);
  const countLeft = async () =>
    (
      await client.query<{ left: number }>(
        "select count(*)::int as left from pgboss.job where name = 'mail.send-email' and state < 'completed'",
      )
    ).rows[0]?.left ?? 0;
  const send = () =>
    client.query(
      `with sent as (
         insert into pgboss.job (name, data, priority, policy, singleton_key)
         select 'mail.send-email', $1::jsonb, -1, 'short', gen_random_uuid()::text from generate_series(1, $2) returning id
       ) select publish_change('jobs', '"mail.send-email"') from (select count(*) from sent) as counted`,
      [JSON.stringify(mail), mails],
    );
  const search = (from: number) => load({ address: whole.address, paths: paths.slice(from, from + 500), connections: 2, seconds: 10 });
  while ((await countLeft()) > 0) await pause(500);
  await search(0);
  const quiet = await search(500);

  // Alone first: what an email takes of the process.
  const before = cpuSeconds(whole.child.pid ?? 0);
  await send();
  while ((await countLeft()) > 0) await pause(200);
  const perMail = ((cpuSeconds(whole.child.pid ?? 0) - before) / mails) * 1_000;

  await send();
  const meanwhile = await search(1_000);
  const left = await countLeft();
  printBars([
    { what: 'an email with its job, ms of the process', measured: perMail, atMost: 5 },
    {
      what: `searches a second in quiet against those beside ${mails - left} emails`,
      measured: quiet.perSecond / meanwhile.perSecond,
      atMost: 1.5,
    },
  ]);
  await stopProcess(whole);
}

/** The time that a process has had of all cores. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Address of as much of SMTP as a sender needs, without parsing the emails, so that the worker is what is measured. */
export async function discardMails(): Promise<string> {
  const server = createServer((socket) => {
    let isBody = false;
    socket.on('error', () => {}).write('220 ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (isBody && line !== '.') return;
      isBody = line.toUpperCase() === 'DATA';
      socket.write(isBody ? '354 go on\r\n' : '250 ok\r\n');
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
