import { counted } from '@handwise/contract/numbers';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { FilterOpener } from './filter-opener.tsx';

type FilterSheetProps = {
  /** How many filters are set. */
  active: number;
  /** How many listings match; undefined while that is being found out. */
  matching: number | undefined;
  onClear: (() => void) | undefined;
  children: ReactNode;
};

/** Holds the filters on windows that have no room for them in a row. They work at once; the button only closes the sheet. */
export function FilterSheet({ active, matching, onClear, children }: FilterSheetProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <FilterOpener name="Filters" active={active} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Filters"
        kind="sheet"
        actions={
          <>
            {onClear && (
              <Button kind="secondary" onClick={onClear}>
                Clear all filters
              </Button>
            )}
            <Button onClick={() => setOpen(false)}>
              {matching === undefined ? 'Show listings' : `Show ${counted(matching, 'listing')}`}
            </Button>
          </>
        }
      >
        {children}
      </Dialog>
    </>
  );
}
