import { daysBetween, formatTimeZone } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { formatVisitTime } from '@handwise/contract/visits/words';
import { formatGreeting, headerText, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import type { MailReader, Role } from '../messages/messages.service.ts';
import { buildInvitation } from './visits.calendar.ts';
import type { VisitRow } from './visits.queries.ts';
import { isAgreed } from './visits.states.ts';
import { getAgreedTime, getTimeZone, toVisitTime } from './visits.views.ts';

type About = { row: VisitRow; role: Role; now: Date };
type Parts = { subject: string; preview: string; blocks: MailBlock[]; button?: string; kind: string };

const maxNameLength = 60;
const nameOf = ({ sender }: MailReader) => headerText(sender, maxNameLength);
const titleOf = ({ title }: MailReader) => `“${title}”`;

const compose = (reader: MailReader, { row }: About, { subject, preview, blocks, button, kind }: Parts): Mail => ({
  to: reader.to,
  ...(reader.replyTo !== undefined && { replyTo: reader.replyTo }),
  subject,
  preview,
  greeting: formatGreeting(reader.name),
  blocks: [
    ...blocks,
    { kind: 'button', label: button ?? 'Open conversation', url: reader.appUrl + paths.conversation(row.conversation_id) },
  ],
  // More than both sides can change in an hour: a dropped email leaves a calendar wrong.
  limit: { kind: `visit.${kind}`, perHour: 120 },
  end: reader.end,
  reason: 'You get this email because of a visit that you arrange in your messages.',
});

/** When the visit is, or was before it was cancelled. */
function formatWhen(row: VisitRow): string {
  const time = getAgreedTime(row);
  if (!time) throw new Error(`visit ${row.id} has no time`);
  return formatVisitTime(toVisitTime(time), getTimeZone(row));
}

const invitationFor = (reader: MailReader, { row, role }: About) =>
  buildInvitation(row, { role, appUrl: reader.appUrl, attendee: { name: reader.name, email: reader.to } });

const whenBlock = (row: VisitRow): MailBlock => ({
  kind: 'facts',
  rows: [{ label: 'When', value: `${formatWhen(row)}, ${formatTimeZone(getTimeZone(row))}`, strong: true }],
});

/** To the side that may take one of the times. */
export function proposedEmail(reader: MailReader, about: About): Mail {
  const { row } = about;
  const isMove = isAgreed(row.status);
  const timeZone = getTimeZone(row);
  const isOne = row.times.length === 1;
  return compose(reader, about, {
    subject: isMove
      ? `${nameOf(reader)} would like to move your visit`
      : `${nameOf(reader)} proposes ${isOne ? 'a time' : 'times'} for a visit`,
    preview: isOne ? 'Say whether it suits you.' : 'Choose the one that suits you.',
    blocks: [
      {
        kind: 'text',
        text: isMove
          ? `${reader.sender} would like to move the visit on ${formatWhen(row)} about ${titleOf(reader)}. It stays as it is until you agree to another time:`
          : `${reader.sender} proposes ${isOne ? 'a time' : 'times'} for a visit about ${titleOf(reader)}:`,
      },
      {
        kind: 'facts',
        rows: row.times.map((time, index) => ({
          label: isOne ? 'When' : `${index + 1}.`,
          value: formatVisitTime(toVisitTime(time), timeZone),
          strong: true,
        })),
      },
      { kind: 'note', text: `${formatTimeZone(timeZone)}. If ${isOne ? 'it does not suit' : 'none suits'}, say so with one tap.` },
    ],
    button: isOne ? 'Answer' : 'Choose a time',
    kind: 'proposed',
  });
}

/** To both sides, with the visit for their calendars. */
export const agreedEmail =
  (takenBy: Role) =>
  (reader: MailReader, about: About): Mail => {
    const { row, role } = about;
    const isMoved = row.sequence > 0;
    const isOwn = role === takenBy;
    const title = titleOf(reader);
    const moves = `to move the visit about ${title} to this time`;
    return {
      ...compose(reader, about, {
        subject: `Visit ${isMoved ? 'moved' : 'agreed'}: ${formatWhen(row)}`,
        preview: `With ${nameOf(reader)}.`,
        blocks: [
          {
            kind: 'text',
            text: isOwn
              ? `You have agreed with ${reader.sender} ${isMoved ? moves : `to a visit about ${title}`}.`
              : `${reader.sender} has ${isMoved ? `agreed ${moves}` : `taken this time for a visit about ${title}`}.`,
          },
          whenBlock(row),
          {
            kind: 'note',
            text: 'The attached file puts it into your calendar. Either of you can move or cancel it in the conversation; it is not a contract.',
          },
        ],
        kind: 'agreed',
      }),
      calendar: invitationFor(reader, about),
    };
  };

/** To the side whose times do not suit. */
export const askedEmail =
  (note: string) =>
  (reader: MailReader, about: About): Mail => {
    const { row } = about;
    const stays = isAgreed(row.status);
    return compose(reader, about, {
      subject: stays ? `The visit stays on ${formatWhen(row)}` : `${nameOf(reader)} asks for other times`,
      preview: 'None of the proposed times suits.',
      blocks: [
        {
          kind: 'text',
          text: `${reader.sender} cannot make any of the times that you proposed for a visit about ${titleOf(reader)}. ${stays ? `It stays on ${formatWhen(row)}.` : 'Could you propose others?'}`,
        },
        ...(note === '' ? [] : [{ kind: 'quote' as const, text: note }]),
      ],
      ...(!stays && { button: 'Propose other times' }),
      kind: 'asked',
    });
  };

/** To both sides if it was agreed, with what removes it from their calendars, else to the other side. */
export function cancelledEmail(reader: MailReader, about: About): Mail {
  const { row, role } = about;
  const isOwn = row.cancelled_by === role;
  const wasAgreed = getAgreedTime(row) !== null;
  const mail = compose(reader, about, {
    subject: wasAgreed ? `Visit cancelled: ${formatWhen(row)}` : `No visit for now with ${nameOf(reader)}`,
    preview: isOwn ? 'You have cancelled it.' : `${nameOf(reader)} has cancelled it.`,
    blocks: [
      {
        kind: 'text',
        text: wasAgreed
          ? `${isOwn ? 'You have' : `${reader.sender} has`} cancelled the visit about ${titleOf(reader)}.`
          : `${reader.sender} no longer wants to arrange a visit about ${titleOf(reader)} at the proposed times.`,
      },
      ...(wasAgreed ? [whenBlock(row)] : []),
      ...(row.cancel_reason === '' ? [] : [{ kind: 'quote' as const, text: row.cancel_reason }]),
    ],
    kind: 'cancelled',
  });
  return wasAgreed ? { ...mail, calendar: invitationFor(reader, about) } : mail;
}

/** To both sides, the evening before. */
export function reminderEmail(reader: MailReader, about: About): Mail {
  const { row, now } = about;
  const days = daysBetween(now, row.starts_at ?? now, getTimeZone(row));
  const day = days === 1 ? 'tomorrow' : days === 0 ? 'today' : 'soon';
  return {
    ...compose(reader, about, {
      subject: `Your visit ${day}: ${formatWhen(row)}`,
      preview: `With ${nameOf(reader)}.`,
      blocks: [
        { kind: 'text', text: `A reminder of the visit with ${reader.sender} about ${titleOf(reader)}.` },
        whenBlock(row),
        { kind: 'note', text: 'If it no longer suits, move or cancel it in the conversation, so that nobody waits.' },
      ],
      kind: 'reminder',
    }),
    onlyIf: { check: 'visit_ahead', key: `${row.id} ${row.sequence}` },
  };
}
