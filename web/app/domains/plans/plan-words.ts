import { noticeDays, subscriptionDays } from '@handwise/contract/plan-table';
import { counted } from '../../lib/format.ts';

// What is said about every plan, in several places.
export const afterTheEnd = `After ${subscriptionDays} days the listing ends.`;
export const reminders = `We remind you ${counted(noticeDays.first, 'day')} and ${counted(noticeDays.last, 'day')} before`;
