import { counted } from '@handwise/contract/numbers';
import { noticeDays, subscriptionDays } from '@handwise/contract/plans/table';

// Texts about every plan, used in several places.
export const afterTheEnd = `After ${subscriptionDays} days the listing ends.`;
export const reminders = `We remind you ${counted(noticeDays.first, 'day')} and ${counted(noticeDays.last, 'day')} before`;

export const bankText =
  'Your bank is still deciding. Nothing is lost and nothing is charged twice: we check every few seconds, and you can also come back later.';
