import type { Visit } from '@handwise/contract/visits/calls';
import { QueryObserver } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import { VisitCard } from './visit-card.tsx';
import { type VisitAsking, VisitDialog } from './visit-dialog.tsx';
import { visitsQuery } from './visit-queries.ts';

const time = { start: '2090-12-07T21:00:00.000Z', minutes: 60 };
const later = { start: '2090-12-09T01:30:00.000Z', minutes: 90 };
const visit: Visit = {
  _id: 'visit',
  conversationId: 'talk',
  messageNumber: 2,
  role: 'buyer',
  state: 'proposed',
  revision: 3,
  timeZone: 'Pacific/Auckland',
  agreed: null,
  times: [time, later],
  proposedBy: 'seller',
  isOver: false,
  cancelled: null,
};
const agreed: Partial<Visit> = { state: 'agreed', agreed: time, times: [], proposedBy: null };
const fine = { body: { message: 'Done' } };

/** A card with its dialog, as a conversation has them. */
function CardWithDialog({ shown }: { shown: Visit }) {
  const [asking, setAsking] = useState<VisitAsking>();
  return (
    <>
      <VisitCard visit={shown} text="The message." canAnswer onAsk={setAsking} />
      {asking && (
        <VisitDialog conversationId="talk" timeZone={shown.timeZone} asking={asking} open canAnswer onClose={() => setAsking(undefined)} />
      )}
      <Toaster />
    </>
  );
}
const show = (changed: Partial<Visit> = {}) => renderPart(<CardWithDialog shown={{ ...visit, ...changed }} />);
const button = (name: string) => screen.findByRole('button', { name });
const findTake = async (place: number) => (await screen.findAllByRole('button', { name: /^Take this time/ }))[place] as HTMLElement;
const dialog = async () => within(await screen.findByRole('dialog'));

test('a time that could not be taken is not called agreed, and the server says why where it does', async () => {
  const refusal = { status: 409, body: { code: 'visit_changed', message: 'The times have changed since.' } };
  answerCalls({ 'POST /visits/visit/take': [null, refusal, fine] });
  const { user } = show();
  const press = async () => user.click(await findTake(0));
  await press();
  await screen.findByText('Your choice could not be saved. Please try again.');
  await press();
  await screen.findByText('The times have changed since.');
  expect(screen.queryByText(/^Agreed/)).toBeNull();
  await press();
  await screen.findByText('Agreed. Both of you get it for your calendars.');
});

test('the pressed time of a visit is taken, as it stood, and once', async () => {
  const { answer, give } = createLateAnswer(fine);
  const calls = answerCalls({ 'POST /visits/visit/take': [answer] });
  const { user } = show();
  await user.dblClick(await findTake(1));
  give();
  await expect.poll(() => document.activeElement?.id).toBe('visit-visit');
  expect(calls).toEqual([{ method: 'POST', path: '/visits/visit/take', body: { start: later.start, revision: 3 } }]);
});

test('a visit is cancelled after a question, with its reason, which stays if it fails', async () => {
  const calls = answerCalls({ 'POST /visits/visit/cancel': [null, fine] });
  const { user } = show(agreed);
  await user.click(await button('Cancel visit'));
  const asking = await dialog();
  asking.getByRole('heading', { name: 'Cancel this visit?' });
  await user.type(asking.getByLabelText(/^Why\?/), 'We are away.');
  expect(calls).toEqual([]);
  const press = () => user.click(asking.getByRole('button', { name: 'Cancel visit' }));
  await press();
  expect((await asking.findByRole('alert')).textContent).toBe('Your choice could not be saved. Please try again.');
  await press();
  await screen.findByText('Cancelled. Both of you have been told.');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const sent = { method: 'POST', path: '/visits/visit/cancel', body: { reason: 'We are away.', revision: 3 } };
  expect(calls).toEqual([sent, sent]);
});

test('after a change of the other side a failed choice is sent for the visit as it is now', async () => {
  const refusal = { status: 409, body: { code: 'visit_changed', message: 'The times have changed since.' } };
  const calls = answerCalls({
    'POST /visits/visit/ask': [refusal, fine],
    'GET /visits': [{ body: { visits: [visit] } }, { body: { visits: [{ ...visit, revision: 4, times: [later] }] } }],
  });
  const { user, client } = show();
  await client.prefetchQuery(visitsQuery('talk'));
  // A conversation shows its visits while the dialog is open.
  const stop = new QueryObserver(client, visitsQuery('talk')).subscribe(() => {});
  await user.click(await button('None of these suits'));
  const asking = await dialog();
  asking.getByText('The business is asked to propose others than these.');
  await user.type(asking.getByLabelText(/^When would suit you\?/), 'Any Friday.');
  await user.click(asking.getByRole('button', { name: 'Ask for others' }));
  await asking.findByText('The business is asked to propose others than this one.');
  await user.click(asking.getByRole('button', { name: 'Ask for others' }));
  await screen.findByText('Sent.');
  stop();
  const asked = calls.filter(({ path }) => path === '/visits/visit/ask').map(({ body }) => body);
  expect(asked).toEqual([3, 4].map((revision) => ({ note: 'Any Friday.', revision })));
});
