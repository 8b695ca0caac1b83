import { useEffect } from 'react';
import { newTicketKey, removeStored } from '../../lib/browser-storage.ts';

/** On pages that show one's tickets: the red badge has done its work. */
export const useSeenTickets = (seen: boolean) =>
  useEffect(() => {
    if (seen) removeStored(newTicketKey);
  }, [seen]);
