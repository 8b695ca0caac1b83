import { measureReadings } from '@handwise/server/domains/search/accuracy';
import { printTable } from './load.ts';

/** How many of two hundred searches are read first as they are meant, and which are not. */
export function benchUnderstanding() {
  measureReadings();
  const begun = performance.now();
  const { right, of, misses } = measureReadings();
  const each = (performance.now() - begun) / of;
  printTable(
    'Searches read',
    ['what is right', 'searches', 'of', '%', 'ms each'],
    [['the first reading', right, of, (100 * right) / of, each]],
  );
  for (const miss of misses) console.log(`  ${miss}`);
}
