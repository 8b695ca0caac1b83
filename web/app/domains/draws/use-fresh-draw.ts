import type { PublicDraw } from '@handwise/contract/draws/calls';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';
import { drawRefetchMs } from './draw-view.ts';

/** Polls a draw while its page is open: the cached page may be a minute old, and the round seconds away. */
export function useFreshDraw(asRendered: PublicDraw): PublicDraw {
  const [draw, setDraw] = useState(asRendered);
  const { period } = asRendered;
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function refresh() {
      const answer = await call('GET /draws/:period', { params: { period } }, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      if (answer) setDraw(answer.draw);
      const ms = answer ? drawRefetchMs(answer.draw) : 10_000;
      if (ms !== null) timer = setTimeout(() => void refresh(), ms);
    }
    void refresh();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [period]);
  return draw;
}
