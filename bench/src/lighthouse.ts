import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Lighthouse on the site with demo data, started as for the journeys. */
export function benchLighthouse(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../../tools/lighthouse.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
