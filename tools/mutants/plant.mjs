import { copyTree } from './copy.mjs';

/**
 * Plants each fault, `parallel` of them at a time, each in a copy of its own, and tells `onResult(fault, { seen, by, seconds, problem })`.
 * First the tests must be green without a fault: `onProblem` hears of those that are not, and what they should see is not
 * planted. Resolves to whether all was.
 */
export async function plantFaults({ root, env, faults, parallel, onResult, onProblem }) {
  const copies = Array.from({ length: Math.min(parallel, faults.length) }, () => copyTree(root, env));
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
    await each(new Set(faults.flatMap(({ tests }) => tests)), async (copy, test) => {
      const { code, by, output } = await copy.runTests([test]);
      if (code === 0) return;
      red.add(test);
      onProblem(`${test} is red without a fault: ${by ?? output}`);
    });
    const isGreen = ({ tests }) => !tests.some((test) => red.has(test));
    await each(faults.filter(isGreen), async (copy, fault) => {
      const begun = Date.now();
      const result = await copy.tryFault(fault);
      onResult(fault, { ...verdictOn(result), seconds: Math.round((Date.now() - begun) / 1000) });
    });
    return red.size === 0;
  } finally {
    process.off('exit', removeAll);
    removeAll();
  }
}

// A tree in which no test even begins says nothing about the tests: such an entry has to be written otherwise.
function verdictOn({ code, isLate, failed, total, by, output }) {
  if (isLate) return { seen: true, by: 'ran into the time limit' };
  if (failed > 0) return { seen: true, by };
  if (code === 0 && total > 0) return { seen: false };
  return { seen: false, problem: `no test ran: ${output.slice(-600)}` };
}
