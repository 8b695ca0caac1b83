import type { Tx } from '../../kit/database/database.ts';

/** Nothing by which somebody signed in is kept when they leave. */
export async function forgetWaysIn(tx: Tx, userId: string): Promise<void> {
  for (const table of ['authenticators', 'recovery_codes', 'passkeys', 'sign_in_challenges'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}
