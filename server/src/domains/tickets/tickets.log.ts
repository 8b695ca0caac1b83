import { sql } from 'kysely';
import { signHead } from '@handwise/proof/checkpoint';
import { formatLeaf, formatLeafTime, type LogLeaf } from '@handwise/proof/log';
import { hashLeaf, type NodePosition, type ReadNodes, type StoredNode, appendLeaves, computeRoot } from '@handwise/proof/tree';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';
import type { TicketContext } from './tickets.context.ts';
import { type PeriodRow, setLogSize } from './tickets.queries.ts';

const getKey = ({ level, index }: NodePosition) => `${level}.${index}`;

/** Reads hashes of a log's tree: leaves from their text, larger subtrees from stored nodes. */
export function createNodeReader(db: Reader, periodId: string): { read: ReadNodes; cache: (nodes: readonly StoredNode[]) => void } {
  const cached = new Map<string, Uint8Array>();
  const cache = (nodes: readonly StoredNode[]) => nodes.forEach((node) => cached.set(getKey(node), node.hash));
  const read: ReadNodes = async (positions) => {
    const missing = positions.filter((position) => !cached.has(getKey(position)));
    const [leaves, nodes] = [missing.filter(({ level }) => level === 0), missing.filter(({ level }) => level > 0)];
    if (leaves.length > 0) cache(await readLeafHashes(db, periodId, leaves));
    if (nodes.length > 0) cache(await readNodes(db, periodId, nodes));
    return positions.map((position) => {
      const hash = cached.get(getKey(position));
      if (!hash) throw new Error(`the ticket log lacks node ${getKey(position)}`);
      return hash;
    });
  };
  return { read, cache };
}

async function readLeafHashes(db: Reader, periodId: string, positions: NodePosition[]): Promise<StoredNode[]> {
  const rows = await db
    .selectFrom('ticket_log_leaves')
    .select(['index', 'data'])
    .where('period_id', '=', periodId)
    .where('index', '=', sql<number>`any(${positions.map(({ index }) => index)}::int[])`)
    .execute();
  return rows.map(({ index, data }) => ({ level: 0, index, hash: hashLeaf(data) }));
}

async function readNodes(db: Reader, periodId: string, positions: NodePosition[]): Promise<StoredNode[]> {
  return db
    .selectFrom('ticket_log_nodes')
    .innerJoin(
      unnestTable('wanted', {
        level: ['smallint', positions.map(({ level }) => level)],
        index: ['int', positions.map(({ index }) => index)],
      }),
      (join) => join.onRef('ticket_log_nodes.level', '=', 'wanted.level').onRef('ticket_log_nodes.index', '=', 'wanted.index'),
    )
    .select(['ticket_log_nodes.level', 'ticket_log_nodes.index', 'hash'])
    .where('period_id', '=', periodId)
    .execute();
}

/** Appends leaves and the subtrees that they complete. */
async function insertLeaves(
  tx: Tx,
  periodId: string,
  size: number,
  leaves: readonly string[],
  nodes: readonly StoredNode[],
): Promise<void> {
  // One text, because the driver is several times slower with a list.
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
  // Hexadecimal, because the driver is several times slower with a list of bytes.
  const nodeRows = unnestTable('nodes', {
    level: ['smallint', nodes.map(({ level }) => level)],
    index: ['int', nodes.map(({ index }) => index)],
    hash: ['text', nodes.map(({ hash }) => Buffer.from(hash).toString('hex'))],
  });
  await tx
    .insertInto('ticket_log_nodes')
    .columns(['period_id', 'level', 'index', 'hash'])
    .expression((from) =>
      from
        .selectFrom(nodeRows)
        .select([sql<string>`${periodId}::uuid`.as('period_id'), 'level', 'index', sql<Buffer>`decode(hash, 'hex')`.as('hash')]),
    )
    .execute();
}

const insertHead = (tx: Tx, head: { period_id: string; size: number; root: Buffer; checkpoint: string; signed_at: Date }) =>
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

export const getLeaf = async (db: Reader, periodId: string, index: number) =>
  (
    await db
      .selectFrom('ticket_log_leaves')
      .select('data')
      .where('period_id', '=', periodId)
      .where('index', '=', index)
      .executeTakeFirstOrThrow()
  ).data;

/** The leaves from index `from` up to, but excluding, `to`. */
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
export const listPeriodsToSign = (db: Reader) =>
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

export type SignedHead = { size: number; root: Buffer; checkpoint: string };
type NewLeaf = { kind: 'issued'; entryId: string; tickets: number } | Omit<Extract<LogLeaf, { kind: 'voided' }>, 'at'>;

/** Appends to a month's log. The transaction must hold the lock of the period's row, which reserves the next indexes. */
export class TicketLogWriter {
  readonly #tx: Tx;
  readonly #period: PeriodRow;
  readonly #nodes: ReturnType<typeof createNodeReader>;
  size: number;

  constructor(tx: Tx, period: PeriodRow) {
    this.#tx = tx;
    this.#period = period;
    this.#nodes = createNodeReader(tx, period.id);
    this.size = period.log_size;
  }

  async append(leaves: readonly NewLeaf[], at: Date): Promise<void> {
    if (leaves.length === 0) return;
    const texts = leaves.map((leaf) => formatLeaf({ ...leaf, at: formatLeafTime(at) }));
    const nodes = await appendLeaves(this.size, texts.map(hashLeaf), this.#nodes.read);
    this.#nodes.cache(nodes);
    await insertLeaves(
      this.#tx,
      this.#period.id,
      this.size,
      texts,
      nodes.filter(({ level }) => level > 0),
    );
    this.size += leaves.length;
    await setLogSize(this.#tx, this.#period.id, this.size);
  }

  /** Signing the same size again is idempotent. */
  async sign({ logKey, clock }: Pick<TicketContext, 'logKey' | 'clock'>): Promise<SignedHead> {
    const { origin, id } = this.#period;
    const root = await computeRoot(this.size, this.#nodes.read);
    const head = { size: this.size, root: Buffer.from(root), checkpoint: signHead({ origin, size: this.size, root }, logKey) };
    await insertHead(this.#tx, { ...head, period_id: id, signed_at: clock.now() });
    return head;
  }
}
