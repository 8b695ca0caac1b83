import { useOutletContext } from 'react-router';

/** What the layout of visitors tells its pages. */
export type Visit = {
  /** Where to go once signed in: the page that asked for it, the wizard with its draft, or home. */
  target: string;
  /** A listing waits in the wizard, and that is where to go back to. */
  continuesListing: boolean;
  /** Where to go instead. Must be known before the user is stored, which leaves the page at once. */
  leadTo: (path: string) => void;
};

export const useVisit = () => useOutletContext<Visit>();
