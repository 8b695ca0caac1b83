import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadInTurns, percentile, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

/** Public pages: the first rendering, and the cached page against the same bytes as a static file of the same server. */
export async function benchPages(stage: Stage, seconds: number) {
  const { rows } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' order by sort_key desc limit 1",
  );
  const paths = ['/', '/services', '/services/plumbing', '/services/plumbing/auckland', '/pros', `/listing/${rows[0]?.id}`];
  const results = [];
  const slowest: number[] = [];
  const ratios: number[] = [];
  for (const path of paths) {
    const first: number[] = [];
    let html = '';
    for (let round = 0; round < 30; round += 1) {
      await stage.forget();
      const begun = performance.now();
      const response = await fetch(stage.product + path);
      html = await response.text();
      first.push(performance.now() - begun);
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    }
    const folder = join(stage.dataDir, 'files/bench');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'page.html'), html);
    const [file, cached] = await loadInTurns(
      { address: stage.product, paths: ['/files/bench/page.html'], connections: 10, seconds },
      { address: stage.product, paths: [path], connections: 10, seconds },
    );
    slowest.push(percentile(first, 0.5));
    ratios.push(cached.perSecond / file.perSecond);
    results.push([
      path.slice(0, 30),
      html.length / 1024,
      percentile(first, 0.5),
      percentile(first, 0.99),
      file.perSecond,
      cached.perSecond,
      cached.perSecond / file.perSecond,
      cached.p99,
    ]);
  }
  printTable(
    'Pages: first rendering in ms; cached against the same bytes as a file, requests/s with 10 connections',
    ['page', 'kB', 'first p50', 'first p99', 'file/s', 'cached/s', 'ratio', 'cached p99'],
    results,
  );
  printBars([
    { what: 'first rendering of the slowest page, p50 ms', measured: Math.max(...slowest), atMost: 25 },
    { what: 'a kept page against the same bytes as a file, the slowest', measured: Math.min(...ratios), atLeast: 0.7 },
  ]);
}
