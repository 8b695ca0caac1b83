export const replyTimeDays = 90;
/** With fewer first answers no reply time is shown, and with fewer first messages not how many were answered. */
export const minReplyTimeAnswers = 3;
/** How many of a business's newest first messages count. */
export const answerRecordLength = 20;
/** A first message counts as unanswered after this time. */
export const unansweredHours = 24;
/** After so many unanswered first messages in a row a business no longer counts as fast. */
export const unansweredInARow = 5;
/** Other businesses that get an unanswered message at most. */
export const maxOthersAsked = 3;

const hour = 60;
const day = 24 * hour;
// Steps in everyday words.
const steps = [
  [10, '10 minutes'],
  [30, '30 minutes'],
  [hour, 'an hour'],
  [2 * hour, '2 hours'],
  [4 * hour, '4 hours'],
  [8 * hour, '8 hours'],
  [day, 'a day'],
  [2 * day, '2 days'],
  [4 * day, '4 days'],
  [7 * day, 'a week'],
] as const;

/** "Answers within about 2 hours" */
export function formatReplyTime(medianMinutes: number): string {
  const [, words] = steps.find(([minutes]) => medianMinutes <= minutes) ?? [];
  return words ? `Answers within about ${words}` : 'Takes more than a week to answer';
}

/** Of a business's newest first messages `of`, `given` were answered; `minutes` is null without a reply time. */
export type Answering = { minutes: number | null; given: number; of: number };

/** "Answers within about 2 hours, 18 of the last 20 messages"; null if too little is known. */
export function formatAnswering({ minutes, given, of }: Answering): string | null {
  const isCounted = of >= minReplyTimeAnswers;
  if (minutes !== null) return formatReplyTime(minutes) + (isCounted ? `, ${given} of the last ${of} messages` : '');
  return isCounted ? `Answered ${given} of the last ${of} messages` : null;
}

/** @public */
export const replyTimeFormula = `The median time from a customer’s first message to the first answer, over the last ${replyTimeDays} days, and how many of the last ${answerRecordLength} first messages were answered. Shown from ${minReplyTimeAnswers} on; a message counts as unanswered after ${unansweredHours} hours.`;
