import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';

const usually = 10;

/** Shows a long list's first rows (ten by default), with a button for the rest. */
export function useFirstRows<Row>(rows: readonly Row[], what: string, first = usually) {
  const [all, setAll] = useState(false);
  if (all || rows.length <= first) return { shown: rows, more: null };
  const more = (
    <div>
      <Button kind="secondary" size="sm" onClick={() => setAll(true)}>
        Show all {rows.length} {what}
      </Button>
    </div>
  );
  return { shown: rows.slice(0, first), more };
}
