import { parseArgs } from 'node:util';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { benchAttacks } from './attacks.ts';
import { benchDraw } from './draw.ts';
import { benchDrawClosing } from './draw-closing.ts';
import { benchExpiry } from './expiry.ts';
import { benchExplain } from './explain.ts';
import { benchGrowth } from './growth.ts';
import { benchKept } from './kept.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchMemory } from './memory.ts';
import { benchNear } from './near.ts';
import { benchOrders } from './orders.ts';
import { benchPages } from './pages.ts';
import { benchPhotos } from './photos.ts';
import { benchPublish } from './publish.ts';
import { benchSearch } from './search.ts';
import { benchSentences } from './sentences.ts';
import { type Stage, openStage } from './stage.ts';
import { benchStops } from './stops.ts';
import { benchStreams } from './streams.ts';
import { benchSuggest } from './suggest.ts';
import { benchTexts } from './texts.ts';
import { benchUnderstanding } from './understanding.ts';
import { benchWrites } from './writes.ts';

// npm run bench -- understanding sentences search texts suggest orders near growth pages publish streams writes stops attacks expiry explain kept memory photos draw lighthouse [--listings 1000000] [--seconds 4] [--minutes 10]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '10' },
  },
});
const staged = {
  search: benchSearch,
  texts: benchTexts,
  orders: benchOrders,
  near: benchNear,
  growth: benchGrowth,
  suggest: benchSuggest,
  pages: benchPages,
  publish: benchPublish,
  streams: benchStreams,
  writes: benchWrites,
  stops: benchStops,
  attacks: benchAttacks,
  expiry: benchExpiry,
  explain: benchExplain,
  kept: benchKept,
  memory: (stage: Stage) => benchMemory(stage, Number(values.minutes)),
};
const names = ['understanding', 'sentences', ...Object.keys(staged), 'photos', 'draw'];
// Only where it is named: it needs a package that the project does not have.
const named = ['lighthouse'];
const wanted = positionals.length > 0 ? positionals : names;
const unknown = wanted.filter((name) => ![...names, ...named].includes(name));
if (unknown.length > 0) throw new Error(`There is no bench called ${unknown.join(', ')}. There are: ${[...names, ...named].join(', ')}.`);

// What is started here ends with us, also where somebody stops us in the middle.
const run = openRunFolder('handwise-bench-');

if (wanted.includes('understanding')) benchUnderstanding();
if (wanted.includes('sentences')) benchSentences();
// Filling a database takes minutes, so only those who need one wait for it.
if (wanted.some((name) => name in staged)) {
  const stage = await openStage({ listings: Number(values.listings) });
  try {
    for (const [name, bench] of Object.entries(staged)) if (wanted.includes(name)) await bench(stage, Number(values.seconds));
  } finally {
    await stage.close();
  }
}
if (wanted.includes('photos')) await benchPhotos();
if (wanted.includes('draw')) {
  await benchDraw();
  await benchDrawClosing();
}
if (wanted.includes('lighthouse')) benchLighthouse();
await run.close();
