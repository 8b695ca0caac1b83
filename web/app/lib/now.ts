import { useEffect, useState } from 'react';

/** The time to the minute, so that yesterday begins at midnight on an open page too. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
