import { signHead } from '@handwise/proof/checkpoint';
import { leafText, leafTime, type LogLeaf } from '@handwise/proof/log';
import { appendLeaves, leafHash, rootOf } from '@handwise/proof/tree';
import type { Tx } from '../../kit/database/database.ts';
import type { TicketContext } from './tickets.context.ts';
import * as log from './tickets.log-queries.ts';
import { type PeriodRow, setLogSize } from './tickets.queries.ts';

export type SignedHead = { size: number; root: Buffer; checkpoint: string };
type LeafToBe = { kind: 'issued'; entryId: string; tickets: number } | Omit<Extract<LogLeaf, { kind: 'voided' }>, 'at'>;

/** Writes behind a month's log while this transaction holds the row of its period: nobody else gets the same places. */
export class LogEnd {
  readonly #tx: Tx;
  readonly #period: PeriodRow;
  readonly #nodes: ReturnType<typeof log.nodesOf>;
  size: number;

  constructor(tx: Tx, period: PeriodRow) {
    this.#tx = tx;
    this.#period = period;
    this.#nodes = log.nodesOf(tx, period.id);
    this.size = period.log_size;
  }

  /** One pass, however many they are. */
  async append(leaves: readonly LeafToBe[], at: Date): Promise<void> {
    if (leaves.length === 0) return;
    const texts = leaves.map((leaf) => leafText({ ...leaf, at: leafTime(at) }));
    const nodes = await appendLeaves(this.size, texts.map(leafHash), this.#nodes.read);
    this.#nodes.know(nodes);
    await log.insertLeaves(
      this.#tx,
      this.#period.id,
      this.size,
      texts,
      nodes.filter(({ level }) => level > 0),
    );
    this.size += leaves.length;
    await setLogSize(this.#tx, this.#period.id, this.size);
  }

  /** The same size has the same head, however often it is signed. */
  async sign({ logKey, clock }: Pick<TicketContext, 'logKey' | 'clock'>): Promise<SignedHead> {
    const { origin, id } = this.#period;
    const root = await rootOf(this.size, this.#nodes.read);
    const head = { size: this.size, root: Buffer.from(root), checkpoint: signHead({ origin, size: this.size, root }, logKey) };
    await log.insertHead(this.#tx, { ...head, period_id: id, signed_at: clock.now() });
    return head;
  }
}
