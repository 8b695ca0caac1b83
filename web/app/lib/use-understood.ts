import { useCallback, useEffect, useRef, useState } from 'react';
import { debounce } from './debounce.ts';

type Read = { category: string; subCategory: string; place: string };
export type Understand = (job: string, signal: AbortSignal) => Promise<Read | null>;

const pauseMs = 700;
const shortest = 6;

type Described = {
  text: string;
  category: string;
  /** Whether the initial category was chosen by hand. */
  startsChosen?: boolean;
};

/** Guesses the category of a description while it is typed, until a category is chosen by hand. `isRead`: the shown category is a guess. */
export function useUnderstood(
  { text: typed, category, startsChosen = false }: Described,
  understand: Understand,
  onRead: (read: Read) => void,
) {
  const [isRead, setIsRead] = useState(false);
  const byHand = useRef(startsChosen);
  const latestOnRead = useRef(onRead);
  useEffect(() => {
    latestOnRead.current = onRead;
  });
  const text = typed.trim();
  useEffect(() => {
    if (byHand.current || text.length < shortest) return undefined;
    async function read(signal: AbortSignal) {
      // Without a guess, the category is chosen by hand.
      const answer = await understand(text, signal).catch(() => null);
      if (!answer || byHand.current || signal.aborted) return;
      setIsRead(true);
      latestOnRead.current(answer);
    }
    return debounce(pauseMs, (signal) => void read(signal));
  }, [text, understand]);
  const chosen = useCallback(() => {
    byHand.current = true;
    setIsRead(false);
  }, []);
  return { isRead: isRead && category !== '', chosen };
}
