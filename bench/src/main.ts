import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { benchAttacks } from './attacks.ts';
import { benchCached } from './cached.ts';
import { benchDraw } from './draw.ts';
import { benchExpiry } from './expiry.ts';
import { benchMemory } from './memory.ts';
import { benchNear } from './near.ts';
import { benchOrders } from './orders.ts';
import { benchPages } from './pages.ts';
import { benchPhotos } from './photos.ts';
import { benchPrimary } from './primary.ts';
import { benchPublish } from './publish.ts';
import { benchSearch } from './search.ts';
import { benchServers } from './servers.ts';
import { benchSize } from './size.ts';
import { openStage } from './stage.ts';
import { benchStreams } from './streams.ts';
import { benchSuggest } from './suggest.ts';
import { benchTexts } from './texts.ts';

// npm run bench -- search texts suggest orders near … [--listings 1000000] [--seconds 4] [--minutes 10] [--losses 20]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '10' },
    losses: { type: 'string', default: '20' },
  },
});

/** Benches on a database filled with listings. */
const onListings = {
  search: benchSearch,
  texts: benchTexts,
  orders: benchOrders,
  near: benchNear,
  suggest: benchSuggest,
  size: benchSize,
  pages: benchPages,
  publish: benchPublish,
  streams: benchStreams,
  servers: benchServers,
  attacks: benchAttacks,
  expiry: benchExpiry,
  cached: benchCached,
  memory: (stage: Parameters<typeof benchMemory>[0]) => benchMemory(stage, Number(values.minutes)),
};
const others = {
  primary: () => benchPrimary(run.path, Number(values.losses)),
  draw: benchDraw,
  photos: benchPhotos,
  lighthouse: benchLighthouse,
};
const all = [...Object.keys(onListings), ...Object.keys(others)];
// Lighthouse is not installed with the project.
const names = positionals.length > 0 ? positionals : all.filter((name) => name !== 'lighthouse');
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no bench called ${unknown.join(', ')}. There are: ${all.join(', ')}.`);

// Ends what is started here when this process ends, even if it is killed.
const run = openRunFolder('handwise-bench-');

if (names.some((name) => name in onListings)) {
  const stage = await openStage({ listings: Number(values.listings) });
  try {
    for (const [name, bench] of Object.entries(onListings)) if (names.includes(name)) await bench(stage, Number(values.seconds));
  } finally {
    await stage.close();
  }
}
for (const [name, bench] of Object.entries(others)) if (names.includes(name)) await bench();
await run.close();

function benchLighthouse(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../../tools/lighthouse.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
