import { createEvents, type DateArray, type EventAttributes } from 'ics';
import { formatTimeZone } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { site } from '@handwise/contract/site/site';
import { formatVisitTime, getVisitEnd } from '@handwise/contract/visits/words';
import { headerText } from '../../kit/mail/mail.ts';
import type { Role } from '../messages/messages.service.ts';
import type { VisitRow } from './visits.queries.ts';
import { isCancelled } from './visits.states.ts';
import { getAgreedTime, getOtherName, getTimeZone, toVisitTime } from './visits.views.ts';

type Method = 'PUBLISH' | 'REQUEST' | 'CANCEL';

const maxNameLength = 100;
// Within a parameter's quotation marks the format has no way to write one.
const cleanName = (name: string) => headerText(name, maxNameLength).replaceAll('"', '’');

// Moments in UTC, because a calendar then shows them on its own clocks without knowing ours or when they change.
const toUtc = (time: Date): DateArray => [
  time.getUTCFullYear(),
  time.getUTCMonth() + 1,
  time.getUTCDate(),
  time.getUTCHours(),
  time.getUTCMinutes(),
];

type Reader = { role: Role; appUrl: string; attendee?: { name: string; email: string } };

function toEvent(row: VisitRow, { role, appUrl, attendee }: Reader): EventAttributes {
  const time = getAgreedTime(row);
  if (!time) throw new Error(`visit ${row.id} has no time`);
  const timeZone = getTimeZone(row);
  const url = appUrl + paths.conversation(row.conversation_id);
  const other = cleanName(getOtherName(row, role));
  return {
    uid: row.id,
    sequence: row.sequence,
    start: toUtc(time.starts_at),
    startInputType: 'utc',
    startOutputType: 'utc',
    end: toUtc(getVisitEnd(time.starts_at, time.minutes)),
    endInputType: 'utc',
    endOutputType: 'utc',
    title: role === 'buyer' ? `Visit by ${other}` : `Visit to ${other}`,
    description: `${row.service_title}\n${formatVisitTime(toVisitTime(time), timeZone)}, ${formatTimeZone(timeZone)}\nMove or cancel it here: ${url}`,
    url,
    status: isCancelled(row.status) ? 'CANCELLED' : 'CONFIRMED',
    busyStatus: isCancelled(row.status) ? 'FREE' : 'BUSY',
    // Nothing reads an answer to the invitation: it is agreed, and moved or cancelled in the conversation.
    ...(attendee && {
      organizer: { name: cleanName(site.name), email: site.senderEmail },
      attendees: [{ name: cleanName(attendee.name), email: attendee.email, rsvp: false, partstat: 'ACCEPTED', role: 'REQ-PARTICIPANT' }],
    }),
  };
}

function build(events: EventAttributes[], method: Method, calendarName?: string): string {
  const { error, value } = createEvents(events, {
    productId: `-//${cleanName(site.name)}//Visits//EN`,
    method,
    ...(calendarName !== undefined && { calName: calendarName }),
  });
  if (error || value === undefined || value === null) throw error ?? new Error('no calendar was made');
  return value;
}

/** For an email: programs add, move or remove the visit by its UID and number. Each reader gets their own, which names nobody else's address. */
export const buildInvitation = (row: VisitRow, reader: Reader & { attendee: { name: string; email: string } }) => {
  const method = isCancelled(row.status) ? 'CANCEL' : 'REQUEST';
  return { method, content: build([toEvent(row, reader)], method) } as const;
};

/** For a download. */
export const buildVisitFile = (row: VisitRow, reader: Reader) => build([toEvent(row, reader)], 'PUBLISH');

/** For a calendar that reads an address from time to time. */
export const buildFeed = (rows: readonly VisitRow[], { roleOf, appUrl }: { roleOf: (row: VisitRow) => Role; appUrl: string }) =>
  build(
    rows.map((row) => toEvent(row, { role: roleOf(row), appUrl })),
    'PUBLISH',
    `${cleanName(site.name)} visits`,
  );
