import type { markSeen } from '@handwise/contract/messages/calls';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { lastOfOthers, type Thread } from './thread-view.ts';

/** Tells the other side what was seen: their last message, once its end is in sight of somebody who looks. Give the end the ref. */
export function useSeen(conversationId: string, thread: Thread | undefined) {
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const told = useRef<number>(undefined);
  const lastNumber = thread && lastOfOthers(thread);
  const unread = thread?.conversation.unread;
  useEffect(() => {
    if (!end || lastNumber === undefined) return;
    // What was seen at an earlier visit need not be told again.
    told.current ??= unread === 0 ? lastNumber : 0;
    let inSight = false;
    const tell = () => {
      const before = told.current ?? 0;
      if (!inSight || document.visibilityState !== 'visible' || before >= lastNumber) return;
      told.current = lastNumber;
      call<typeof markSeen>(
        { method: 'POST', url: '/messages/:id/seen' },
        { params: { id: conversationId }, body: { number: lastNumber } },
      ).catch(() => {
        // Told again with the next message, or when somebody looks again.
        told.current = before;
      });
    };
    const observer = new IntersectionObserver(([entry]) => {
      inSight = entry?.isIntersecting ?? false;
      tell();
    });
    observer.observe(end);
    document.addEventListener('visibilitychange', tell);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', tell);
    };
  }, [end, conversationId, lastNumber, unread]);
  return setEnd;
}
