import { counted } from '@handwise/contract/numbers';
import { noticeDays, subscriptionDays } from '@handwise/contract/plans/table';

// Texts about every plan, used in several places.
export const afterTheEnd = `Your listing ends after ${subscriptionDays} days.`;
const inWords = (days: number) => (days === 7 ? 'a week' : days === 1 ? 'the day' : counted(days, 'day'));
export const reminders = `We’ll remind you ${inWords(noticeDays.first)} and ${inWords(noticeDays.last)} before`;

export const bankText =
  'Your bank is still deciding. Nothing is lost and nothing is charged twice: we check every few seconds, and you can also come back later.';
