import { useEffect, useState } from 'react';

/** A text that is shown for a while and then goes by itself. The same text said again stays as long again. */
export function usePassing(ms: number): [text: string | undefined, say: (text: string | undefined) => void] {
  const [said, setSaid] = useState<{ text: string | undefined }>();
  useEffect(() => {
    if (said?.text === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), ms);
    return () => clearTimeout(timer);
  }, [said, ms]);
  return [said?.text, (text) => setSaid({ text })];
}
