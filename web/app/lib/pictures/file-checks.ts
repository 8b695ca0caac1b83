import { useCallback, useMemo, useState } from 'react';

/** The names of the files that are still being checked. What is sent before would go without them. */
export function useFileChecks() {
  const [running, setRunning] = useState<readonly (readonly File[])[]>([]);
  const watch = useCallback((work: Promise<unknown>, picked: readonly File[]) => {
    setRunning((now) => [...now, picked]);
    void work.finally(() => setRunning((now) => now.filter((one) => one !== picked)));
  }, []);
  const checking = useMemo(() => running.flat().map(({ name }) => name), [running]);
  return { isChecking: running.length > 0, checking, watch };
}

export const checkingLabel = 'Checking files...';
