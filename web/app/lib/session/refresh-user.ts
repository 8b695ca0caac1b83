import { call } from '../api.ts';
import { readUser, updateUser } from './stored-user.ts';
import { useEffect } from 'react';
import { onLive } from '../live/live-events.ts';

/** Updates the stored user from the server; failures are ignored. */
export async function refreshUser() {
  const user = readUser();
  if (!user) return;
  const answer = await call('GET /auth/session', {}).catch(() => undefined);
  if (answer) updateUser({ ...user, ...answer.data, token: user.token });
}

const pollMs = 10_000;

/** Updates the stored user once their address is confirmed, on any device. `urgent` also polls, in case no event arrives. */
export function useConfirmedAddress(urgent: boolean) {
  useEffect(() => {
    const refresh = () => {
      if (readUser()?.emailConfirmed === false) void refreshUser();
    };
    const stops = [onLive('address-confirmed', refresh), onLive('reset', refresh)];
    const timer = urgent ? setInterval(refresh, pollMs) : undefined;
    return () => {
      for (const stop of stops) stop();
      clearInterval(timer);
    };
  }, [urgent]);
}
