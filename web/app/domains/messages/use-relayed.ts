import type { getConfig } from '@handwise/contract/site';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';

/** Whether answers by mail come through us; undefined until that is known. It does not change while the site runs. */
export function useRelayed(): boolean | undefined {
  const [relayed, setRelayed] = useState<boolean>();
  useEffect(() => {
    const asking = new AbortController();
    call<typeof getConfig>({ method: 'GET', url: '/config' }, {}, asking.signal).then(
      ({ messages }) => setRelayed(messages.relayed),
      () => {},
    );
    return () => asking.abort();
  }, []);
  return relayed;
}
