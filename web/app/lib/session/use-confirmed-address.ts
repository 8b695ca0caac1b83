import { useEffect } from 'react';
import { onLive } from '../live/live-events.ts';
import { refreshUser } from './refresh-user.ts';
import { readUser } from './stored-user.ts';

const askAgainMs = 10_000;

/**
 * Knows in this browser that the member's address was confirmed, wherever the link was opened. `urgent`: somebody waits for it, so it is
 * asked for as well where no event comes.
 */
export function useConfirmedAddress(urgent: boolean) {
  useEffect(() => {
    const ask = () => {
      if (readUser()?.emailConfirmed === false) void refreshUser();
    };
    const stops = [onLive('address-confirmed', ask), onLive('reset', ask)];
    const timer = urgent ? setInterval(ask, askAgainMs) : undefined;
    return () => {
      for (const stop of stops) stop();
      clearInterval(timer);
    };
  }, [urgent]);
}
