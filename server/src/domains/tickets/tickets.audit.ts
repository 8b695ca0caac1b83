import { sql } from 'kysely';
import { maxLeavesPerCall } from '@handwise/contract/tickets/calls';
import { parseHead } from '@handwise/proof/checkpoint';
import { IncrementalTree } from '@handwise/proof/tree';
import type { Reader } from '../../kit/database/database.ts';
import { createHeadVerifier } from '../../kit/secrets/keys.ts';
import { listLeaves } from './tickets.log.ts';
import { listPeriods, type Period } from './tickets.periods.ts';
import { getStoredTerms } from './tickets.queries.ts';

/** Every log replays to its entries, its stored tree matches its leaves, and every signed head covers a prefix of it. */
export async function auditTickets(db: Reader): Promise<{ counts: string; faults: Fault[] }> {
  const faults: Fault[] = [];
  for (const period of await listPeriods(db)) {
    faults.push(...(await listEntryFaults(db, period.id)), ...(await listTreeFaults(db, period.id)), ...(await listHeadFaults(db, period)));
  }
  return { counts: await summarizeTickets(db), faults };
}

async function listHeadFaults(db: Reader, period: Period): Promise<Fault[]> {
  const { log } = await getStoredTerms(db, period.id);
  const isSigned = createHeadVerifier(log.publicKey);
  const heads = await listLogHeads(db, period.id);
  const rootsAt = await getRoots(db, period, new Set(heads.map(({ size }) => size)));
  const faults = heads.flatMap(({ size, root, checkpoint }) => {
    const head = parseHead(checkpoint);
    const report = (fault: string) => [{ id: `${period.origin} ${size}`, fault }];
    if (!head || !isSigned(head)) return report('the head was not signed with the key that the terms name');
    if (head.origin !== period.origin || head.size !== size || !root.equals(head.root))
      return report('the signed head names another log, size or root');
    return rootsAt.get(size)?.equals(root)
      ? []
      : report('the head does not match the beginning of the log: leaves were changed or removed');
  });
  if (period.closedAt && heads.at(-1)?.size !== period.logSize)
    faults.push({ id: period.origin, fault: 'the last head does not cover the whole log' });
  return faults;
}

async function getRoots(db: Reader, { id, logSize }: Period, sizes: ReadonlySet<number>): Promise<Map<number, Buffer>> {
  const tree = new IncrementalTree();
  const roots = new Map<number, Buffer>();
  const saveRoot = () => sizes.has(tree.size) && roots.set(tree.size, Buffer.from(tree.root()));
  saveRoot();
  for (let from = 0; from < logSize; from += maxLeavesPerCall) {
    for (const leaf of await listLeaves(db, id, from, from + maxLeavesPerCall)) {
      tree.add(leaf);
      saveRoot();
    }
  }
  return roots;
}

export type Fault = { id: string; fault: string };

const toLeafTime = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);

/** Entries and leaves that disagree. */
export async function listEntryFaults(db: Reader, periodId: string): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    with leaves as (
      select index, left(data, 1) as kind, substr(data, 3, 32) as id, split_part(data, ' ', 3) as what, split_part(data, ' ', 4) as at
      from ticket_log_leaves where period_id = ${periodId}
    ), entries as (select * from draw_entries where period_id = ${periodId}),
    issued as (select * from leaves where kind = '+'), voided as (select * from leaves where kind = '-')
    select coalesce(entries.id, issued.id) as id, case
        when entries.id is null then format('leaf %s issued an entry that is not there', index)
        when issued.id is null then 'no leaf issued the entry'
        else format('leaf %s issued %s tickets at %s, the entry says leaf %s, %s tickets at %s',
          index, what, at, leaf_index, tickets, ${toLeafTime('created_at')})
      end as fault
    from entries full join issued on issued.id = entries.id
    where entries.id is null or issued.id is null or (index, what, at) <> (leaf_index, tickets::text, ${toLeafTime('created_at')})
    union all
    select coalesce(entries.id, voided.id), case
        when entries.id is null then format('leaf %s made an entry void that is not', index)
        when voided.id is null then 'no leaf made the entry void'
        else format('leaf %s says void: %s at %s, the entry says %s at %s, issued by leaf %s',
          index, what, at, void_reason, ${toLeafTime('voided_at')}, leaf_index)
      end
    from (select * from entries where voided_at is not null) as entries full join voided on voided.id = entries.id
    where entries.id is null or voided.id is null or (what, at) <> (void_reason, ${toLeafTime('voided_at')}) or index < leaf_index`.execute(
    db,
  );
  return rows;
}

/** Missing leaves or subtrees, and subtrees that are not the hash of their two halves. */
export async function listTreeFaults(db: Reader, periodId: string): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    with parts as (
      select 0 as level, index, sha256('\\x00'::bytea || convert_to(data, 'UTF8')) as hash from ticket_log_leaves where period_id = ${periodId}
      union all select level, index, hash from ticket_log_nodes where period_id = ${periodId}
    )
    select whole.level || '.' || whole.index as id, 'the stored hash is not that of its two halves' as fault
    from parts as whole
    left join parts as one on one.level = whole.level - 1 and one.index = whole.index * 2
    left join parts as other on other.level = whole.level - 1 and other.index = whole.index * 2 + 1
    where whole.level > 0 and whole.hash is distinct from sha256('\\x01'::bytea || one.hash || other.hash)
    union all
    select origin, format('of %s leaves level %s has %s hashes instead of %s, up to the one at place %s',
      log_size, steps.level, count(parts.index), log_size >> steps.level, max(parts.index))
    from draw_periods cross join generate_series(0, 30) as steps (level) left join parts on parts.level = steps.level
    where id = ${periodId}
    group by origin, log_size, steps.level
    having count(parts.index) <> log_size >> steps.level or max(parts.index) >= log_size >> steps.level`.execute(db);
  return rows;
}

const listLogHeads = (db: Reader, periodId: string) =>
  db.selectFrom('ticket_log_heads').select(['size', 'root', 'checkpoint']).where('period_id', '=', periodId).orderBy('size').execute();

async function summarizeTickets(db: Reader) {
  const { rows } = await sql<{ text: string }>`
    select format('%s issued = %s active + %s drawn + %s void in %s leaves under %s heads',
      count(*), count(*) filter (where voided_at is null and closed_at is null),
      count(*) filter (where voided_at is null and closed_at is not null), count(voided_at),
      (select count(*) from ticket_log_leaves), (select count(*) from ticket_log_heads)) as text
    from draw_entries join draw_periods on draw_periods.id = period_id`.execute(db);
  return rows[0]?.text ?? '';
}
