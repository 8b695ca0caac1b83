import type { QuoteRequest } from '@handwise/contract/messages/quotes';

type Receiver = QuoteRequest['receivers'][number];

const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
/** "Today" in the middle of a sentence. A date stays as it is. */
const within = (day: string) => (/^[A-Z][a-z]+$/.test(day) ? day.toLowerCase() : `on ${day}`);

/** "Sent today to 3 businesses, 1 has answered." */
export function askedWords({ receivers }: Pick<QuoteRequest, 'receivers'>, day: string): string {
  const answers = receivers.filter(({ answeredAt }) => answeredAt !== null).length;
  const said = answers === 0 ? 'nobody has answered yet' : `${counted(answers, 'has', 'have')} answered`;
  return `Sent ${within(day)} to ${counted(receivers.length, 'business', 'businesses')}, ${said}.`;
}

/** What has become of it at one business. */
export function answerWords({ answeredAt, unread }: Pick<Receiver, 'answeredAt' | 'unread'>, day: string): string {
  if (answeredAt === null) return 'No answer yet';
  return unread > 0 ? `Answered ${within(day)}, ${unread} unread` : `Answered ${within(day)}`;
}
