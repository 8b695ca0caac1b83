import { leafHash, type Place, type ReadNodes, type StoredNode } from '@handwise/proof/tree';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

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
  const { rows } = await sql<StoredNode>`
    select level, index, hash from ticket_log_nodes
    join unnest(${places.map(({ level }) => level)}::smallint[], ${places.map(({ index }) => index)}::int[]) as wanted (level, index)
      using (level, index)
    where period_id = ${periodId}`.execute(db);
  return rows;
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
  await sql`insert into ticket_log_leaves (period_id, index, data)
    select ${periodId}::uuid, ${size}::int + place - 1, data
    from string_to_table(${leaves.join('\n')}::text, E'\\n') with ordinality as leaves (data, place)`.execute(tx);
  if (nodes.length === 0) return;
  // In hexadecimal: the driver takes several times as long over a list of bytes.
  await sql`insert into ticket_log_nodes (period_id, level, index, hash)
    select ${periodId}::uuid, level, index, decode(hash, 'hex')
    from unnest(${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ index }) => index)}::int[],
      ${nodes.map(({ hash }) => Buffer.from(hash).toString('hex'))}::text[]) as nodes (level, index, hash)`.execute(tx);
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
