import { maxLeavesPerCall } from '@handwise/contract/tickets/calls';
import { parseHead } from '@handwise/proof/checkpoint';
import { GrowingRoot } from '@handwise/proof/tree';
import type { Reader } from '../../kit/database/database.ts';
import { createHeadVerifier } from '../../kit/secrets/keys.ts';
import { countAll, type Fault, listEntryFaults, listHeads, listTreeFaults } from './tickets.audit-queries.ts';
import { listLeaves } from './tickets.log-queries.ts';
import { listPeriods, type Period } from './tickets.periods.ts';
import { findTerms } from './tickets.queries.ts';

/** Whether each month's log replays to its entries, its stored tree is the tree of its leaves, and every head was signed over a beginning of it. */
export async function auditTickets(db: Reader): Promise<{ counts: string; faults: Fault[] }> {
  const faults: Fault[] = [];
  for (const period of await listPeriods(db)) {
    faults.push(...(await listEntryFaults(db, period.id)), ...(await listTreeFaults(db, period.id)), ...(await listHeadFaults(db, period)));
  }
  return { counts: await countAll(db), faults };
}

async function listHeadFaults(db: Reader, period: Period): Promise<Fault[]> {
  const { log } = await findTerms(db, period.id);
  const isSigned = createHeadVerifier(log.publicKey);
  const heads = await listHeads(db, period.id);
  const rootsAt = await rootsOf(db, period, new Set(heads.map(({ size }) => size)));
  const faults = heads.flatMap(({ size, root, checkpoint }) => {
    const head = parseHead(checkpoint);
    const says = (fault: string) => [{ id: `${period.origin} ${size}`, fault }];
    if (!head || !isSigned(head)) return says('the head was not signed with the key that the terms name');
    if (head.origin !== period.origin || head.size !== size || !root.equals(head.root)) return says('the signed head is of something else');
    return rootsAt.get(size)?.equals(root) ? [] : says('the head is of no beginning of the log: leaves of it were changed or removed');
  });
  if (period.closedAt && heads.at(-1)?.size !== period.logSize)
    faults.push({ id: period.origin, fault: 'the last head is not of the whole log' });
  return faults;
}

async function rootsOf(db: Reader, { id, logSize }: Period, sizes: ReadonlySet<number>): Promise<Map<number, Buffer>> {
  const tree = new GrowingRoot();
  const roots = new Map<number, Buffer>();
  const keep = () => sizes.has(tree.size) && roots.set(tree.size, Buffer.from(tree.root()));
  keep();
  for (let from = 0; from < logSize; from += maxLeavesPerCall) {
    for (const leaf of await listLeaves(db, id, from, from + maxLeavesPerCall)) {
      tree.add(leaf);
      keep();
    }
  }
  return roots;
}
