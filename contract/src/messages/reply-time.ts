export const replyTimeDays = 90;
/** With fewer first answers no reply time is shown. */
export const minReplyTimeAnswers = 3;

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

/** "Usually replies within 2 hours" */
export function formatReplyTime(medianMinutes: number): string {
  const [, words] = steps.find(([minutes]) => medianMinutes <= minutes) ?? [];
  return words ? `Usually replies within ${words}` : 'Usually takes more than a week to reply';
}

/** @public */
export const replyTimeFormula = `The median time from a customer’s first message to the first answer, over the last ${replyTimeDays} days. Shown from ${minReplyTimeAnswers} answers on; messages without an answer yet are not counted.`;
