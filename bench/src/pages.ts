import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareLoads, median, percentile, printBars, printTable, timed } from './load.ts';
import type { Stage } from './stage.ts';

/** Public pages: the first rendering, and the cached page against the same bytes as a static file of the same server. */
export async function benchPages(stage: Stage, seconds: number): Promise<void> {
  const { rows } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' order by sort_key desc limit 1",
  );
  const folder = join(stage.dataDir, 'files/bench');
  mkdirSync(folder, { recursive: true });
  const results: [string, number, number, number, number, number, number][] = [];
  for (const path of ['/', '/services', '/services/plumbing', '/services/plumbing/auckland', '/pros', `/listing/${rows[0]?.id}`]) {
    const times: number[] = [];
    let html = '';
    for (let round = 0; round < 30; round += 1) {
      await stage.dropCaches();
      const [ms, { ok, body }] = await timed(async () => {
        const answer = await fetch(stage.product + path);
        return { ok: answer.ok, body: await answer.text() };
      });
      if (!ok) throw new Error(`${path} failed: ${body.slice(0, 200)}`);
      html = body;
      times.push(ms);
    }
    writeFileSync(join(folder, 'page.html'), html);
    const options = { address: stage.product, connections: 10, seconds };
    const [file, cached] = await compareLoads({ ...options, paths: ['/files/bench/page.html'] }, { ...options, paths: [path] });
    const ratio = cached.perSecond / file.perSecond;
    results.push([path.slice(0, 30), html.length / 1_024, median(times), percentile(times, 0.99), file.perSecond, cached.perSecond, ratio]);
  }
  printTable(
    'Pages: first rendering in ms; cached against the same bytes as a file, requests/s with 10 connections',
    ['page', 'kB', 'first p50', 'first p99', 'file/s', 'cached/s', 'ratio'],
    results,
  );
  printBars([
    { what: 'first rendering of the slowest page, p50 ms', measured: Math.max(...results.map(([, , p50]) => p50)), atMost: 25 },
    {
      what: 'the slowest cached page against the same bytes as a file',
      measured: Math.min(...results.map(([, , , , , , ratio]) => ratio)),
      atLeast: 0.7,
    },
  ]);
}
