import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';

const usually = 10;

/** A long list begins with its first rows, ten unless it is said otherwise. Gives what is shown, and the button for the rest where there is one. */
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
