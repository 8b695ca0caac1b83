import { measureClassifier } from '@handwise/server/domains/search/accuracy';
import { printTable } from './load.ts';

/** How well the held sentences are read, and which are not. */
export function benchSentences() {
  const begun = performance.now();
  const { misses, ...shares } = measureClassifier();
  const taken = performance.now() - begun;
  const said = {
    groupFirst: 'group, the first named',
    groupInThree: 'group, among the first three',
    subFirst: 'sub-category, the first named',
    subInThree: 'sub-category, among the first three',
    unknown: 'nothing said',
  };
  printTable(
    `Held sentences, learnt and read in ${taken.toFixed(0)} ms`,
    ['what is right', 'sentences', 'of', '%'],
    Object.entries(shares).map(([name, { right, of }]) => [said[name as keyof typeof shares], right, of, (100 * right) / of]),
  );
  console.log(`\nOf these ${misses.length} the group is not the first named (codes of contract/src/listings/categories.ts):`);
  for (const miss of misses) console.log(`  ${miss}`);
}
