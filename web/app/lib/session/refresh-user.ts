import type { getSession } from '@handwise/contract/accounts/calls';
import { call } from '../api.ts';
import { readUser, updateUser } from './stored-user.ts';

/** Updates the stored user from the server. Failing to is no error. */
export async function refreshUser() {
  const user = readUser();
  if (!user) return;
  const answer = await call<typeof getSession>({ method: 'GET', url: '/auth/session' }, {}).catch(() => undefined);
  if (answer) updateUser({ ...user, ...answer.data, token: user.token });
}
