import { useCallback, useState } from 'react';

/** Whether files are still being checked. What is sent before would go without them. */
export function useFileChecks() {
  const [running, setRunning] = useState(0);
  const watch = useCallback((work: Promise<unknown>) => {
    setRunning((now) => now + 1);
    void work.finally(() => setRunning((now) => now - 1));
  }, []);
  return { isChecking: running > 0, watch };
}

export const checkingLabel = 'Checking files...';
