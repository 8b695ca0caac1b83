import { leafHash, type Place, type ReadNodes, type StoredNode } from '@handwise/proof/tree';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';

const keyOf = ({ level, index }: Place) => `${level}.${index}`;

/** The hashes of a log's tree as they are stored: of leaves from their text, of larger subtrees from their nodes. */
export function nodesOf(db: Reader, periodId: string): { read: ReadNodes; know: (nodes: readonly StoredNode[]) => void } {
  const known = new Map<string, Uint8Array>();
  const know = (nodes: readonly StoredNode[]) => nodes.forEach((node) => known.set(keyOf(node), node.hash));
  const read: ReadNodes = async (places) => {
    const missing = places.filter((place) => !known.has(keyOf(place)));
    const [leaves, nodes] = [missing.filter(({ level }) => level === 0), missing.filter(({ level }) => level > 0)];
    if (leaves.length > 0) know(await readLeafHashes(db, periodId, leaves));
    if (nodes.length > 0) know(await readNodes(db, periodId, nodes));
    return places.map((place) => {
      const hash = known.get(keyOf(place));
      if (!hash) throw new Error(`the ticket log lacks node ${keyOf(place)}`);
      return hash;
    });
  };
  return { read, know };
}

async function readLeafHashes(db: Reader, periodId: string, places: Place[]): Promise<StoredNode[]> {
  const rows = await db
    .selectFrom('ticket_log_leaves')
    .select(['index', 'data'])
    .where('period_id', '=', periodId)
    .where('index', '=', sql<number>`any(${places.map(({ index }) => index)}::int[])`)
    .execute();
  return rows.map(({ index, data }) => ({ level: 0, index, hash: leafHash(data) }));
}

async function readNodes(db: Reader, periodId: string, places: Place[]): Promise<StoredNode[]> {
  return db
    .selectFrom('ticket_log_nodes')
    .innerJoin(
      unnestTable('wanted', { level: ['smallint', places.map(({ level }) => level)], index: ['int', places.map(({ index }) => index)] }),
      (join) => join.onRef('ticket_log_nodes.level', '=', 'wanted.level').onRef('ticket_log_nodes.index', '=', 'wanted.index'),
    )
    .select(['ticket_log_nodes.level', 'ticket_log_nodes.index', 'hash'])
    .where('period_id', '=', periodId)
    .execute();
}

/** Adds leaves behind the others, with the subtrees that they complete. */
export async function insertLeaves(
  tx: Tx,
  periodId: string,
  size: number,
  leaves: readonly string[],
  nodes: readonly StoredNode[],
): Promise<void> {
  // As one text: the driver takes several times as long over a list of them.
  const lines = sql<{ data: string; place: string }>`string_to_table(${leaves.join('\n')}::text, E'\\n') with ordinality`;
  await tx
    .insertInto('ticket_log_leaves')
    .columns(['period_id', 'index', 'data'])
    .expression((from) =>
      from
        .selectFrom(lines.as<'leaves'>(sql`leaves (data, place)`))
        .select([sql<string>`${periodId}::uuid`.as('period_id'), sql<number>`${size}::int + place - 1`.as('index'), 'data']),
    )
    .execute();
  if (nodes.length === 0) return;
  // In hexadecimal: the driver takes several times as long over a list of bytes.
  const given = unnestTable('nodes', {
    level: ['smallint', nodes.map(({ level }) => level)],
    index: ['int', nodes.map(({ index }) => index)],
    hash: ['text', nodes.map(({ hash }) => Buffer.from(hash).toString('hex'))],
  });
  await tx
    .insertInto('ticket_log_nodes')
    .columns(['period_id', 'level', 'index', 'hash'])
    .expression((from) =>
      from
        .selectFrom(given)
        .select([sql<string>`${periodId}::uuid`.as('period_id'), 'level', 'index', sql<Buffer>`decode(hash, 'hex')`.as('hash')]),
    )
    .execute();
}

export const insertHead = (tx: Tx, head: { period_id: string; size: number; root: Buffer; checkpoint: string; signed_at: Date }) =>
  tx
    .insertInto('ticket_log_heads')
    .values(head)
    .onConflict((conflict) => conflict.columns(['period_id', 'size']).doNothing())
    .execute();

export const findNewestHead = (db: Reader, periodId: string) =>
  db
    .selectFrom('ticket_log_heads')
    .select(['size', 'root', 'checkpoint'])
    .where('period_id', '=', periodId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();

export const findLeaf = async (db: Reader, periodId: string, index: number) =>
  (
    await db
      .selectFrom('ticket_log_leaves')
      .select('data')
      .where('period_id', '=', periodId)
      .where('index', '=', index)
      .executeTakeFirstOrThrow()
  ).data;

/** The leaves from one place up to, but not with, another one. */
export async function listLeaves(db: Reader, periodId: string, from: number, to: number): Promise<string[]> {
  const rows = await db
    .selectFrom('ticket_log_leaves')
    .select('data')
    .where('period_id', '=', periodId)
    .where('index', '>=', from)
    .where('index', '<', to)
    .orderBy('index')
    .execute();
  return rows.map(({ data }) => data);
}

/** Open periods whose log has grown beyond its newest head. */
export const listGrown = (db: Reader) =>
  db
    .selectFrom('draw_periods')
    .select('id')
    .where('closed_at', 'is', null)
    .where(({ eb, not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ticket_log_heads')
            .select(eb.lit(1).as('one'))
            .whereRef('period_id', '=', 'draw_periods.id')
            .whereRef('size', '=', 'log_size'),
        ),
      ),
    )
    .execute();
