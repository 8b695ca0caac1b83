import { formatMoment } from '@handwise/contract/dates';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { maxOthersAsked, unansweredHours, unansweredInARow } from '@handwise/contract/messages/reply-time';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { formatGreeting, headerText, type Mail } from '../../kit/mail/mail.ts';
import type { MailReader } from '../messages/messages.service.ts';

type About = { conversationId: string; at: Date; timeZone: string };

const subjectTitle = ({ title }: MailReader) => `"${headerText(title, 60)}"`;
const toBusiness = 'You get this email because somebody wrote to you about your listing.';

const compose = (reader: MailReader, { conversationId }: Pick<About, 'conversationId'>) => ({
  to: reader.to,
  greeting: formatGreeting(reader.name),
  end: reader.end,
  url: reader.appUrl + paths.conversation(conversationId),
});

/** To the business. Each happens once for a conversation. */
export function waitingEmail(reader: MailReader, about: About & { text: string; isSecond: boolean }): Mail {
  const { url, ...mail } = compose(reader, about);
  const since = formatMoment(about.at, about.timeZone);
  return {
    ...mail,
    ...(reader.replyTo !== undefined && { replyTo: reader.replyTo }),
    subject: `${headerText(reader.sender, 40)} is ${about.isSecond ? 'still ' : ''}waiting for your answer about ${subjectTitle(reader)}`,
    preview: 'A short answer is enough: when you can look at it, or that you can’t.',
    blocks: [
      { kind: 'text', text: `${reader.sender} wrote to you about “${reader.title}” on ${since} and has no answer yet:` },
      { kind: 'quote', text: about.text.slice(0, maxMessageLength) || '[a picture]' },
      {
        kind: 'text',
        text: about.isSecond
          ? `${reader.sender} can now send the same message to up to ${inWords(maxOthersAsked)} other businesses. A short answer is enough: when you can look at it, or that you can’t.`
          : `A short answer is enough: when you can look at it, or that you can’t. After ${unansweredHours} hours without one, customers can ask other businesses.`,
      },
      { kind: 'button', label: 'Answer', url },
    ],
    limit: { kind: 'message.waiting', perHour: 20 },
    reason: toBusiness,
  };
}

/** To the household, once. `others` is how many businesses it can ask. */
export function noAnswerEmail(reader: MailReader, { others, ...about }: About & { others: number }): Mail {
  const { url, ...mail } = compose(reader, about);
  const [some, them] = others === 1 ? ['One other business does', 'it'] : [`${capital(inWords(others))} other businesses do`, 'them'];
  return {
    ...mail,
    subject: `No answer yet from ${headerText(reader.sender, 60)}`,
    preview: others > 0 ? 'You can ask others with one tap.' : 'They have been reminded.',
    blocks: [
      {
        kind: 'text',
        text: `${reader.sender} has not answered your message about “${reader.title}” of ${formatMoment(about.at, about.timeZone)}. We have reminded them.`,
      },
      {
        kind: 'text',
        text:
          others > 0
            ? `${some} this work near you and usually answer${others === 1 ? 's' : ''}. With one tap your message goes to ${them} too; nothing is sent unless you choose to.`
            : 'We found no other business near you that does this work and usually answers. You can search further away.',
      },
      others > 0
        ? { kind: 'button', label: 'Ask others', url }
        : { kind: 'button', label: 'Search again', url: reader.appUrl + paths.search },
    ],
    reason: 'You get this email, once, because your message has no answer.',
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** To the business that answered after others were asked. */
export function othersAskedEmail(reader: MailReader, about: About & { asked: number }): Mail {
  const { url, ...mail } = compose(reader, about);
  const others = about.asked === 1 ? 'one other business' : `${inWords(about.asked)} other businesses`;
  return {
    ...mail,
    subject: `${headerText(reader.sender, 40)} has asked others about ${subjectTitle(reader)} as well`,
    preview: 'Your answer has been sent.',
    blocks: [
      {
        kind: 'text',
        text: `Your answer to ${reader.sender} has been sent. While there was none, they sent the same message to ${others}, on ${formatMoment(about.at, about.timeZone)}.`,
      },
      { kind: 'button', label: 'Open conversation', url },
    ],
    reason: toBusiness,
  };
}

/** To the business, once until it answers again. */
export function unansweredStreakEmail(reader: MailReader, conversationId: string): Mail {
  const { url: _, ...mail } = compose(reader, { conversationId });
  return {
    ...mail,
    subject: `${capital(inWords(unansweredInARow))} customers in a row have no answer from you`,
    preview: 'What that costs you, and how to change it.',
    blocks: [
      {
        kind: 'text',
        text: `The last ${inWords(unansweredInARow)} customers who wrote to you have waited for more than ${unansweredHours} hours without an answer. Each of them can now ask other businesses.`,
      },
      {
        kind: 'text',
        text: 'Your listings no longer say how fast you answer, and are left out when people look for businesses that reply within a day. They come back once you answer again. If you have no time for new work, say so on your listing, or deactivate it for a while.',
      },
      { kind: 'button', label: 'Open messages', url: reader.appUrl + paths.messages },
    ],
    reason: 'You get this email because customers wrote to you about your listings.',
  };
}
