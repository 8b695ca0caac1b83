import type { Context } from '../../kit/context.ts';
import { grantAdministration } from '../accounts/accounts.service.ts';

const obstacles = {
  unknown: 'there is no account with this address yet',
  unconfirmed: 'the account has not confirmed its address yet',
} as const;

/** Makes the account with this address an administrator's. Resolves to what stands in the way, as people read it, if anything does. */
export async function makeAdministrator(db: Context['db'], email: string): Promise<string | undefined> {
  const obstacle = await grantAdministration(db, email);
  return obstacle && obstacles[obstacle];
}

/** At a start. What stands in the way is logged; a later start tries again. */
export async function appointAdministrator({ db, logger }: Pick<Context, 'db' | 'logger'>, email: string): Promise<void> {
  const obstacle = await makeAdministrator(db, email);
  if (obstacle) logger.warn({ email }, `ADMIN_EMAIL gives nobody the role: ${obstacle}`);
}
