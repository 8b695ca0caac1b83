import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { openCluster } from './cluster.ts';
import { measureLosses } from './measure-losses.ts';
import { measureOnce } from './measure-once.ts';
import { measureStops } from './measure-stops.ts';
import { measureThroughput } from './measure-throughput.ts';

// npm run cluster -- [measure] [throughput] [losses] [stops] [once] [--losses 20] [--seconds 5] [--servers 3] [--listings 10000]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    losses: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    servers: { type: 'string', default: '3' },
    listings: { type: 'string', default: '10000' },
  },
});
const parts = ['throughput', 'losses', 'stops', 'once'];
const [command, ...named] = positionals;
const unknown = [...(command === undefined || command === 'measure' ? [] : [command]), ...named.filter((name) => !parts.includes(name))];
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}. There is: measure, and of it ${parts.join(', ')}.`);
const wanted = (name: string) => named.length === 0 || named.includes(name);

// What is started here ends with us, also where somebody kills us.
const run = openRunFolder('handwise-cluster-');
const stopped = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, done);
});
const work = async () => {
  const options = { servers: Number(values.servers), workers: 2, listings: Number(values.listings) };
  const cluster = await openCluster(run.path, options, (line) => console.log(line));
  const { siteUrl, mailboxUrl, servers, nodes, databaseUrl } = cluster;
  console.log(`\nSite ${siteUrl}, mailbox ${mailboxUrl}\nServers ${servers.map(({ address }) => address).join(' ')}`);
  console.log(`Database ${databaseUrl}, nodes ${nodes.map(({ name, port }) => `${name}:${port}`).join(' ')}\nLogs ${run.path}`);
  try {
    if (command === undefined) await once(process, 'SIGINT');
    else {
      if (wanted('throughput')) await measureThroughput(cluster, Number(values.seconds));
      if (wanted('stops')) await measureStops(cluster);
      if (wanted('once')) await measureOnce(cluster);
      if (wanted('losses')) await measureLosses(cluster, Number(values.losses));
    }
  } finally {
    await cluster.close();
  }
};
try {
  await Promise.race([work(), stopped]);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await run.close();
process.exit();
