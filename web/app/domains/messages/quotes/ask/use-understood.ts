import { useCallback, useEffect, useRef, useState } from 'react';
import { askAfter } from '../../../../lib/ask-after.ts';

type Read = { category: string; subCategory: string; place: string };
export type Understand = (job: string, signal: AbortSignal) => Promise<Read | null>;

// So long nothing more must be typed before it is read.
const pauseMs = 700;
const shortest = 6;

/**
 * Reads what a description is about while it is typed, until the kind of job is chosen by hand. `isRead`: what is shown was read.
 */
export function useUnderstood({ job, category }: { job: string; category: string }, understand: Understand, onRead: (read: Read) => void) {
  const [isRead, setIsRead] = useState(false);
  const byHand = useRef(false);
  const told = useRef(onRead);
  useEffect(() => {
    told.current = onRead;
  });
  const text = job.trim();
  useEffect(() => {
    if (byHand.current || text.length < shortest) return undefined;
    async function read(signal: AbortSignal) {
      // Where it cannot be read it is chosen by hand.
      const answer = await understand(text, signal).catch(() => null);
      if (!answer || byHand.current || signal.aborted) return;
      setIsRead(true);
      told.current(answer);
    }
    return askAfter(pauseMs, (signal) => void read(signal));
  }, [text, understand]);
  const chosen = useCallback(() => {
    byHand.current = true;
    setIsRead(false);
  }, []);
  return { isRead: isRead && category !== '', chosen };
}
