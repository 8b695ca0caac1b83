import type { testApp } from './app.ts';

/** Emailed links to confirm an address or reset a password. */
export function getAccountLinks({ db, callers, outbox }: Pick<Awaited<ReturnType<typeof testApp>>, 'db' | 'callers' | 'outbox'>) {
  return {
    confirmation: (email: string) => outbox.mailed(email, /^Confirm your email address/),
    verify: (token: string) => callers.asVisitor.post('/auth/verify-email', { token }),
    isConfirmed: async (id: string) =>
      (await db.selectFrom('users').select('email_confirmed_at').where('id', '=', id).executeTakeFirstOrThrow()).email_confirmed_at !==
      null,
    /** Makes all links expire after this time. */
    endLinks: (inMs: number) =>
      db
        .updateTable('account_links')
        .set({ expires_at: new Date(Date.now() + inMs) })
        .execute(),
    lifeOf: async (userId: string) => {
      const { expires_at } = await db
        .selectFrom('account_links')
        .select('expires_at')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return expires_at.getTime() - Date.now();
    },
  };
}
