import { useEffect } from 'react';
import { onLive } from '../live/live-events.ts';
import { refreshUser } from './refresh-user.ts';
import { readUser } from './stored-user.ts';

const pollMs = 10_000;

/** Updates the stored user once their address is confirmed, wherever the link was opened. `urgent` also polls, in case no event arrives. */
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
