export { listPublicEntries } from './admin.audit.ts';
export { flagReviewBurst, flagSamePerson } from './admin.flags.ts';
export { flagSameText } from './admin.flags.ts';
export { flagSharedNumber } from './admin.flags.ts';
export { hideLicence } from './admin.decisions.ts';
export { hasOpenAppeal } from './admin.decisions.queries.ts';
export { countModeration, hasReported } from './admin.queries.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { grantAdminRole } from '../accounts/accounts.service.ts';
import * as decisions from './admin.decisions.queries.ts';
import type { DecisionRow } from './admin.decisions.queries.ts';
import * as queries from './admin.queries.ts';
import { toOwnDecision } from './admin.views.ts';

/** A user's reports and appeals, decisions about them, and staff views of their account. */
export const getOwnModerationData = (db: Reader, userId: string): OwnData => ({
  lists: {
    'reports-by-you': () => queries.listReportsBy(db, userId),
    'decisions-about-you': () => decisions.listNotifiedDecisions(db, userId, decisions.notifiedKinds).then((rows) => rows.map(toOwnRow)),
    'looks-at-your-account': () =>
      queries.listLooksAt(db, userId).then((rows) => rows.map(({ reason, begun_at: begunAt }) => ({ reason, begunAt }))),
  },
});

const toOwnRow = (row: DecisionRow) => toOwnDecision(row, false);

const obstacles = {
  unknown: 'there is no account with this address yet',
  unconfirmed: 'the account has not confirmed its address yet',
} as const;

/** Makes the account with this address an administrator. Resolves to a readable reason when it cannot. */
export async function makeAdministrator(db: Context['db'], email: string): Promise<string | undefined> {
  const obstacle = await grantAdminRole(db, email);
  return obstacle && obstacles[obstacle];
}

/** Runs at every start. Logs the reason when it cannot appoint the administrator. */
export async function appointAdministrator({ db, logger }: Pick<Context, 'db' | 'logger'>, email: string): Promise<void> {
  const obstacle = await makeAdministrator(db, email);
  if (obstacle) logger.warn({ email }, `ADMIN_EMAIL makes nobody an administrator: ${obstacle}`);
}
