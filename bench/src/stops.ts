import { once } from 'node:events';
import { stopUnderLoad } from '@handwise/sandbox/testing/stop-under-load';
import { printTable } from './load.ts';
import type { Stage } from './stage.ts';

const stops = 50;

/** Servers that are stopped under load, one after the other, behind somebody who sends nobody to one whose health says no: what was broken then. */
export async function benchStops(stage: Stage): Promise<void> {
  let answered = 0;
  let endedWell = 0;
  let saidSoFirst = 0;
  let longest = 0;
  const broken: string[] = [];
  for (let round = 0; round < stops; round += 1) {
    const { address, child } = await stage.startProduct({ DRAIN_SECONDS: '1' });
    const ended = once(child, 'exit');
    let stoppedAt = 0;
    const paths = [
      '/',
      '/api/plan/all',
      '/api/listing/all?limit=12',
      '/services/plumbing',
      '/api/listing/all?title=repairs',
      '/api/nothing',
    ];
    const outcome = await stopUnderLoad(address, paths, 24, () => {
      stoppedAt = performance.now();
      child.kill('SIGTERM');
    });
    const [code] = await ended;
    longest = Math.max(longest, (performance.now() - stoppedAt) / 1_000);
    answered += outcome.answered;
    broken.push(...outcome.broken);
    if (code === 0) endedWell += 1;
    if (outcome.firstOfHealth === 503) saidSoFirst += 1;
  }
  printTable(
    `${stops} stops under load, 24 connections`,
    ['answered', 'broken', 'health said so first', 'ended with 0', 'longest s'],
    [[answered, broken.length, saidSoFirst, endedWell, longest]],
  );
  for (const one of new Set(broken)) console.log(`  broken: ${one}`);
}
