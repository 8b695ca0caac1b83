import { copyTree } from './copy.mjs';

// Ten times as long as the tests take without a fault they may take with one, within these bounds.
const longest = 180_000;
const least = 60_000;

/**
 * Plants each fault, `parallel` of them at a time, each in a copy of its own, and tells `onResult(fault, { seen, by, seconds, problem })`.
 * First the tests must be green without a fault: `onProblem` hears of those that are not, and what they should see is not
 * planted. `templates` makes the databases that the tests copy, where the tree has any. Resolves to whether all was.
 */
export async function plantFaults({ root, env, templates, faults, parallel, shortest = least, onResult, onProblem }) {
  const copies = Array.from({ length: Math.min(parallel, faults.length) }, () => copyTree(root, env, templates));
  const removeAll = () => copies.forEach((copy) => copy.remove());
  process.once('exit', removeAll);
  const each = async (items, work) => {
    const waiting = [...items];
    await Promise.all(
      copies.map(async (copy) => {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(copy, item);
      }),
    );
  };
  try {
    const red = new Set();
    const took = new Map();
    await each(new Set(faults.flatMap(({ tests }) => tests)), async (copy, test) => {
      const begun = Date.now();
      const { isGreen, isLate, by, output } = await copy.runTests([test], longest);
      took.set(test, Date.now() - begun);
      if (isGreen) return;
      red.add(test);
      onProblem(`${test} is red without a fault: ${isLate ? 'ran into the time limit' : (by ?? output)}`);
    });
    const isGreen = ({ tests }) => !tests.some((test) => red.has(test));
    await each(faults.filter(isGreen), async (copy, fault) => {
      const begun = Date.now();
      const usual = fault.tests.reduce((total, test) => total + took.get(test), 0);
      const result = await copy.tryFault(fault, Math.min(longest, Math.max(shortest, 10 * usual)));
      onResult(fault, { ...verdictOn(result), seconds: Math.round((Date.now() - begun) / 1000) });
    });
    return red.size === 0;
  } finally {
    process.off('exit', removeAll);
    removeAll();
  }
}

// A tree in which no test even begins says nothing about the tests: such an entry has to be written otherwise.
function verdictOn({ isGreen, isLate, failed, by, output }) {
  if (isLate) return { seen: true, by: 'ran into the time limit' };
  if (failed > 0) return { seen: true, by };
  if (isGreen) return { seen: false };
  return { seen: false, problem: `no test ran: ${output.slice(-600)}` };
}
