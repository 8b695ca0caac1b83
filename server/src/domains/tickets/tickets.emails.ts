import { type DrawOpening, formatOpening } from '@handwise/contract/draws/permits';
import { type Mail, type MailBlock, formatGreeting } from '../../kit/mail/mail.ts';

/** Ends every email about a ticket with a log head that includes it, so that each mailbox is a witness of the log. */
export const ticketEmailFooter = (head: string): MailBlock => ({
  kind: 'fixed',
  label:
    'Keep this email. These lines record what the log of all tickets contained when we sent it. After the draw, anyone can use them to check that nothing in it was changed:',
  text: head.trimEnd(),
});

/** The permits of a draw, and to whom it is not open. */
export const drawOpeningNote = (opening: DrawOpening | undefined): MailBlock[] => {
  const text = opening ? formatOpening(opening) : '';
  return text === '' ? [] : [{ kind: 'note', text }];
};

const counted = (tickets: number) => `${tickets} ${tickets === 1 ? 'ticket' : 'tickets'}`;

type GrantedTickets = {
  to: string;
  name: string;
  tickets: number;
  reason: string;
  closes: string;
  opening: DrawOpening | undefined;
  head: string;
  url: string;
};

export const ticketsGivenEmail = ({ to, name, tickets, reason, closes, opening, head, url }: GrantedTickets): Mail => ({
  to,
  subject: `You have ${counted(tickets)} more for this month’s draw`,
  preview: 'We gave them to you.',
  greeting: formatGreeting(name),
  blocks: [
    { kind: 'text', text: `We have given you ${counted(tickets)} for this month’s draw, which closes on ${closes}.` },
    { kind: 'text', text: 'The reason:' },
    { kind: 'quote', text: reason },
    { kind: 'button', label: 'See your tickets', url },
    ...drawOpeningNote(opening),
    ticketEmailFooter(head),
  ],
});
