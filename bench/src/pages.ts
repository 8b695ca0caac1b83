import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareLoads, median, printBars, printTable, timed } from './load.ts';
import type { Stage } from './stage.ts';

/** Public pages: the first rendering, and the cached page against the same bytes as a static file of the same server. */
export async function benchPages(stage: Stage, seconds: number): Promise<void> {
  const { rows: listings } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' order by sort_key desc limit 1",
  );
  const folder = join(stage.dataDir, 'files/bench');
  mkdirSync(folder, { recursive: true });
  const rows = [];
  const [firsts, ratios]: [number[], number[]] = [[], []];
  for (const path of ['/', '/services', '/services/plumbing', '/services/plumbing/auckland', '/pros', `/listing/${listings[0]?.id}`]) {
    const times: number[] = [];
    let html = '';
    for (let round = 0; round < 30; round += 1) {
      await stage.dropCaches();
      const [ms] = await timed(async () => (html = await (await fetch(stage.product + path)).text()));
      times.push(ms);
    }
    writeFileSync(join(folder, 'page.html'), html);
    const options = { address: stage.product, connections: 10, seconds };
    // Throws if the page fails.
    const [file, cached] = await compareLoads({ ...options, paths: ['/files/bench/page.html'] }, { ...options, paths: [path] });
    firsts.push(median(times));
    ratios.push(cached / file);
    rows.push([path.slice(0, 30), html.length / 1_024, median(times), file, cached, cached / file]);
  }
  printTable(
    'Pages: first rendering, p50 in ms; cached against the same bytes as a file, requests/s with 10 connections',
    ['page', 'kB', 'first', 'file', 'cached', 'ratio'],
    rows,
  );
  printBars([
    { what: 'first rendering of the slowest page, p50 ms', measured: Math.max(...firsts), atMost: 25 },
    { what: 'the slowest cached page against the same bytes as a file', measured: Math.min(...ratios), atLeast: 0.7 },
  ]);
}
