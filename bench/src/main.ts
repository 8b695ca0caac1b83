import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { type Stage, openStage } from './stage.ts';

// npm run bench -- search texts suggest orders near … [--listings 1000000] [--seconds 4] [--minutes 10] [--losses 6]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '10' },
    losses: { type: 'string', default: '6' },
  },
});
const seconds = Number(values.seconds);

// Ends what is started here when this process ends, even by an error or a signal.
const run = openRunFolder('handwise-bench-');
const folder = (name: string) => mkdirSync(join(run.path, name), { recursive: true }) ?? run.path;
const stages: Stage[] = [];
const stage = async () => (stages[0] ??= await openStage(Number(values.listings)));

function runTool(name: string) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../../tools', name)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

// Those without a stage first, because it stays open.
const benches: Record<string, () => Promise<void>> = {
  expiry: async () => (await import('./expiry.ts')).benchExpiry(folder('expiry')),
  primary: async () => (await import('./primary.ts')).benchPrimary(folder('primary'), Number(values.losses)),
  draw: async () => (await import('./draw.ts')).benchDraw(folder('draw')),
  photos: async () => (await import('./photos.ts')).benchPhotos(folder('photos')),
  lighthouse: async () => runTool('lighthouse.mjs'),
  inp: async () => runTool('inp.mjs'),
  search: async () => (await import('./search.ts')).benchSearch(await stage(), seconds),
  texts: async () => (await import('./search-times.ts')).benchTexts(await stage()),
  orders: async () => (await import('./search-times.ts')).benchOrders(await stage()),
  near: async () => (await import('./search-times.ts')).benchNear(await stage()),
  suggest: async () => (await import('./search-times.ts')).benchSuggest(await stage()),
  size: async () => (await import('./size.ts')).benchSize(await stage()),
  pages: async () => (await import('./pages.ts')).benchPages(await stage(), seconds),
  publish: async () => (await import('./publish.ts')).benchPublish(await stage()),
  streams: async () => (await import('./streams.ts')).benchStreams(await stage()),
  servers: async () => (await import('./servers.ts')).benchServers(await stage(), seconds),
  attacks: async () => (await import('./attacks.ts')).benchAttacks(await stage(), seconds),
  overload: async () => (await import('./overload.ts')).benchOverload(await stage(), seconds),
  mail: async () => (await import('./mail.ts')).benchMail(await stage()),
  cached: async () => (await import('./cached.ts')).benchCached(await stage(), seconds),
  memory: async () => (await import('./memory.ts')).benchMemory(await stage(), Number(values.minutes)),
};
const all = Object.keys(benches);
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no bench called ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
// Lighthouse is not installed with the project.
const names = positionals.length > 0 ? positionals : all.filter((name) => name !== 'lighthouse');

for (const [name, bench] of Object.entries(benches)) if (names.includes(name)) await bench();
await stages[0]?.close();
await run.close();
