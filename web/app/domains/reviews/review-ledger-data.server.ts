import { getReviewLedger } from '@handwise/contract/reviews/calls';
import type { ServerContext } from '../../lib/server-context.ts';
import { toLedgerView } from './review-ledger-view.ts';

/** What became of all reviews, as the page shows it. */
export const getLedgerData = async ({ call }: ServerContext) => toLedgerView((await call(getReviewLedger, {})).months);
