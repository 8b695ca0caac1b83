import { copyTree } from './copy.mjs';

const atOnce = 2;

/**
 * Plants each fault in turn and tells `onResult(fault, { seen, by, seconds, problem })`. First the tests must be green without a
 * fault: `onProblem` hears of those that are not, and nothing is planted.
 */
export async function plantFaults({ root, env, faults, onResult, onProblem }) {
  const copies = Array.from({ length: Math.min(atOnce, faults.length) }, () => copyTree(root, env));
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
    let isGreen = true;
    await each(new Set(faults.flatMap(({ tests }) => tests)), async (copy, test) => {
      const { code, by, output } = await copy.runTests([test]);
      if (code === 0) return;
      isGreen = false;
      onProblem(`${test} is red without a fault: ${by ?? output}`);
    });
    if (isGreen) {
      await each(faults, async (copy, fault) => {
        const begun = Date.now();
        const result = await copy.tryFault(fault);
        onResult(fault, { ...verdictOn(result), seconds: Math.round((Date.now() - begun) / 1000) });
      });
    }
    return isGreen;
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
