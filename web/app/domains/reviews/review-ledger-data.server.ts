import { getReviewLedger } from '@handwise/contract/reviews/calls';
import type { ServerContext } from '../../lib/server-context.ts';
import { ledgerView } from './review-ledger-view.ts';

/** What became of all reviews, as the page shows it. */
export const ledgerData = async ({ call }: ServerContext) => ledgerView((await call(getReviewLedger, {})).months);
