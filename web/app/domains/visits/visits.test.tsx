import type { Visit } from '@handwise/contract/visits/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { VisitCard } from './visit-card.tsx';
import { type VisitAsking, VisitDialog } from './visit-dialog.tsx';
import { createClientIds } from './visit-form.tsx';

const time = { start: '2026-12-07T21:00:00.000Z', minutes: 60 };
const visit: Visit = {
  _id: 'visit',
  conversationId: 'talk',
  messageNumber: 2,
  role: 'buyer',
  state: 'proposed',
  revision: 0,
  timeZone: 'Pacific/Auckland',
  agreed: null,
  times: [time, { start: '2026-12-09T01:30:00.000Z', minutes: 90 }],
  proposedBy: 'seller',
  isOver: false,
  cancelled: null,
};
const agreed: Partial<Visit> = { state: 'agreed', agreed: time, times: [], proposedBy: null };
const move: Partial<Visit> = { ...agreed, times: [{ start: '2026-12-09T01:30:00.000Z', minutes: 90 }] };

function show(changed: Partial<Visit> = {}, { canAnswer = true, text = 'The message.' } = {}) {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <VisitCard visit={{ ...visit, ...changed }} text={text} canAnswer={canAnswer} onAsk={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const buttons = [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, label = '']) => label.replace(/<span.*/, ''));
  return { text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '), buttons, html };
}

test.each<[string, Partial<Visit>, string, string[]]>([
  ['a proposal to its customer', {}, 'Choose a time', ['Take this time', 'Take this time', 'None of these suits', 'No visit']],
  ['a proposal to its business', { role: 'seller' }, 'Waiting for an answer', ['Change times', 'Withdraw']],
  [
    'other times wanted, to the business',
    { role: 'seller', state: 'asked', times: [], proposedBy: null },
    'Other times wanted',
    ['Propose other times', 'Withdraw'],
  ],
  ['other times wanted, to the customer', { state: 'asked', times: [], proposedBy: null }, 'You asked for other times', ['No visit']],
  ['an agreed visit', agreed, 'Agreed', ['Add to calendar', 'Move', 'Cancel visit']],
  [
    'a move to the side that is asked',
    { ...move, proposedBy: 'seller' },
    'Move it?',
    ['Take this time', 'Leave it as it is', 'Add to calendar', 'Cancel visit'],
  ],
  [
    'a move to the side that wants it',
    { ...move, proposedBy: 'buyer' },
    'You want to move it',
    ['Add to calendar', 'Move', 'Cancel visit'],
  ],
  ['a visit that has begun', { ...agreed, isOver: true }, 'Past', []],
  ['a cancelled visit', { ...agreed, state: 'cancelled', cancelled: { by: 'buyer', reason: '' } }, 'Cancelled', []],
  ['a lapsed proposal', { state: 'lapsed', times: [], proposedBy: null }, 'Times have passed', []],
])('shows %s with what can be done', (_, changed, state, buttons) => {
  const shown = show(changed);
  expect(shown.text).toContain(state);
  expect(shown.buttons).toEqual(buttons);
});

test('where messages are stopped, only cancelling and the calendar are left', () => {
  expect(show({}, { canAnswer: false }).buttons).toEqual(['No visit']);
  expect(show(agreed, { canAnswer: false }).buttons).toEqual(['Add to calendar', 'Cancel visit']);
  expect(show({ ...move, proposedBy: 'seller' }, { canAnswer: false }).buttons).toEqual(['Add to calendar', 'Cancel visit']);
});

test('times are those of the listing, which is said to whoever is elsewhere', () => {
  const { text, html } = show({ timeZone: 'Australia/Adelaide' });
  expect(text).toContain('Tue, Dec 8, 2026, 7:30 am to 8:30 am');
  expect(text).toContain('Adelaide time, where the listing is.');
  expect(html).toContain('Take this time<span class="visually-hidden">: Tue, Dec 8, 2026, 7:30 am to 8:30 am</span>');
});

test('shows why other times are wanted or it was cancelled, and not the text that lists the times', () => {
  expect(show({ state: 'asked', times: [], proposedBy: null }, { text: 'Mornings <suit>.' }).html).toContain('Mornings &lt;suit&gt;.');
  expect(show({ ...agreed, state: 'cancelled', cancelled: { by: 'seller', reason: 'Ill.' } }, { text: 'Ill.' }).text).toContain('Ill.');
  expect(show().text).not.toContain('The message.');
});

function showDialog(what: 'ask' | 'cancel', changed: Partial<Visit>, canAnswer: boolean): string {
  const asking: VisitAsking = { what, visit: { ...visit, ...changed } };
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <VisitDialog conversationId="talk" timeZone="Pacific/Auckland" asking={asking} open canAnswer={canAnswer} onClose={() => {}} />
    </QueryClientProvider>,
  );
}

test('a reason is asked for only where it would reach the other side', () => {
  for (const changed of [{}, agreed]) {
    expect(showDialog('cancel', changed, true)).toMatch(/Why\?.*The other side reads it\./s);
    expect(showDialog('cancel', changed, false)).not.toMatch(/Why\?|The other side reads it|<input/);
  }
  expect(showDialog('ask', {}, true)).toContain('When would suit you?');
});

test('other times are another proposal, and the same ones tried again are the same', () => {
  const clientIdOf = createClientIds();
  const nine = { start: '2026-12-07T09:00', minutes: 60 };
  const first = clientIdOf([nine]);
  expect(clientIdOf([{ ...nine }])).toBe(first);
  const ids = [[{ ...nine, start: '2026-12-07T10:00' }], [{ ...nine, minutes: 90 }], [nine, { ...nine, start: '2026-12-08T09:00' }]].map(
    clientIdOf,
  );
  expect(new Set([first, ...ids]).size).toBe(4);
});
