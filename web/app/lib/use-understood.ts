import { useCallback, useEffect, useRef, useState } from 'react';
import { askAfter } from './ask-after.ts';

type Read = { category: string; subCategory: string; place: string };
export type Understand = (job: string, signal: AbortSignal) => Promise<Read | null>;

// So long nothing more must be typed before it is read.
const pauseMs = 700;
const shortest = 6;

type Described = {
  text: string;
  category: string;
  /** Whether the category that it starts with was chosen. */
  startsChosen?: boolean;
};

/**
 * Reads the category of a description while it is typed, until the category is chosen by hand. `isRead`: the category shown was read.
 */
export function useUnderstood(
  { text: typed, category, startsChosen = false }: Described,
  understand: Understand,
  onRead: (read: Read) => void,
) {
  const [isRead, setIsRead] = useState(false);
  const byHand = useRef(startsChosen);
  const told = useRef(onRead);
  useEffect(() => {
    told.current = onRead;
  });
  const text = typed.trim();
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
