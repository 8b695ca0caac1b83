import { useEffect, useRef } from 'react';

/** Puts the focus on a field when it comes: what was pressed to get it is gone. Spread on the form that it is the first field of. */
export function useFirstFieldFocus() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return form;
}
