export { listPublicEntries } from './admin.audit-queries.ts';
export { flagReviewBurst, flagSamePerson } from './admin.review-flags.ts';
export { flagSameText } from './admin.same-text.ts';
export { flagSharedNumber } from './admin.shared-number.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { grantAdminRole } from '../accounts/accounts.service.ts';
import * as decisions from './admin.decision-queries.ts';
import type { DecisionRow } from './admin.decision-queries.ts';
import * as queries from './admin.queries.ts';
import { asOwnDecision } from './admin.views.ts';

/** What somebody has reported and objected to, what was decided about them, and who of the staff looked as them. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    'reports-by-you': () => queries.listReportsBy(db, userId),
    'decisions-about-you': () => decisions.listTold(db, userId, decisions.toldKinds).then((rows) => rows.map(asOwnRow)),
    'looks-at-your-account': () =>
      queries.listLooksAt(db, userId).then((rows) => rows.map(({ reason, begun_at: begunAt }) => ({ reason, begunAt }))),
  },
  pictures: [],
});

const asOwnRow = (row: DecisionRow) => asOwnDecision(row, false);

const obstacles = {
  unknown: 'there is no account with this address yet',
  unconfirmed: 'the account has not confirmed its address yet',
} as const;

/** Makes the account with this address an administrator's. Resolves to what stands in the way, as people read it, if anything does. */
export async function makeAdministrator(db: Context['db'], email: string): Promise<string | undefined> {
  const obstacle = await grantAdminRole(db, email);
  return obstacle && obstacles[obstacle];
}

/** At a start. What stands in the way is logged; a later start tries again. */
export async function appointAdministrator({ db, logger }: Pick<Context, 'db' | 'logger'>, email: string): Promise<void> {
  const obstacle = await makeAdministrator(db, email);
  if (obstacle) logger.warn({ email }, `ADMIN_EMAIL gives nobody the role: ${obstacle}`);
}
