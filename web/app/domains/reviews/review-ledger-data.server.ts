import type { ServerContext } from '../../lib/server-context.ts';
import { toLedgerView } from './review-ledger-view.ts';

/** The outcomes of all reviews, for the ledger's page. */
export const getLedgerData = async ({ call }: ServerContext) => toLedgerView((await call('GET /reviews/ledger', {})).months);
