import { parseArgs } from 'node:util';
import { benchPages } from './pages.ts';
import { benchPublish } from './publish.ts';
import { benchSearch } from './search.ts';
import { openStage } from './stage.ts';

// npm run bench -- search pages [--listings 1000000] [--seconds 4]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { listings: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '4' } },
});
const benches = { search: benchSearch, pages: benchPages, publish: benchPublish };
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) throw new Error(`There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);

const stage = await openStage({ listings: Number(values.listings) });
try {
  for (const [name, bench] of Object.entries(benches)) if (wanted.includes(name)) await bench(stage, Number(values.seconds));
} finally {
  await stage.close();
}
