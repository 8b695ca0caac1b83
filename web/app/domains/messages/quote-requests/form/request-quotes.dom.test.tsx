import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../../../lib/testing/document.tsx';
import {
  createEmptyDraft,
  hasPendingQuoteRequest,
  type QuoteRequestDraft,
  readQuoteRequestDraft,
  saveQuoteRequestDraft,
  setPendingQuoteRequest,
} from './quote-request-draft.ts';
import { type QuoteRequestStart, RequestQuotes } from './request-quotes.tsx';

const [ana, tane] = [
  { listingId: 'one', name: 'Ana Plumbing', title: 'Leaks fixed' },
  { listingId: 'two', name: 'Tāne Drains', title: 'Drains cleared' },
];
const described = {
  ...createEmptyDraft(),
  job: 'The tap in the kitchen drips.',
  category: 'Plumbing',
  place: 'Taupō, Waikato',
  when: 'two_weeks' as const,
  picks: [ana, tane],
};
const sent = (conversationId: string) => ({ body: { requestId: 'request', conversationId } });

beforeEach(() => {
  forgetUser();
  localStorage.clear();
});
const signIn = () => storeUser({ _id: 'mere', token: 'token-of-mere', email: 'mere@example.org' } as Parameters<typeof storeUser>[0]);
/** A visitor who described the job, pressed “Continue” and has signed up. */
function comeBack(draft: Partial<QuoteRequestDraft> = {}) {
  saveQuoteRequestDraft({ ...described, ...draft });
  setPendingQuoteRequest();
  signIn();
}
const show = (start: QuoteRequestStart = { sends: true }) =>
  renderPart(
    <RequestQuotes
      start={start}
      understand={async () => null}
      suggest={async () => ({ place: null, pros: [] })}
      placeField={({ text, onText }) => (
        <input key={text} aria-label="Where is the job?" defaultValue={text} onChange={({ target }) => onText(target.value)} />
      )}
    />,
  );
const job = () => screen.findByLabelText<HTMLTextAreaElement>('What do you need done?');
type Sent = { listingId: string; clientId: string; job: string };
const listSent = (calls: ReturnType<typeof answerCalls>) => calls.map(({ body }) => body as Sent);

test('a request that waited for an account is sent by itself, once, to each business', async () => {
  const calls = answerCalls({ 'POST /quote-requests': [sent('talk-one'), sent('talk-two')] });
  comeBack();
  const { unmount } = show();
  const heading = await screen.findByText('Sent to 2 businesses');
  await expect.poll(() => document.activeElement).toBe(heading);
  expect(screen.getAllByRole('link', { name: 'See it in your messages' }).map((link) => link.getAttribute('href'))).toEqual([
    '/messages/talk-one',
    '/messages/talk-two',
  ]);
  const { job: text, category, place, when, clientId } = described;
  expect(listSent(calls)).toMatchObject(['one', 'two'].map((listingId) => ({ listingId, job: text, category, place, when, clientId })));
  unmount();
  show();
  expect((await job()).value).toBe('');
  expect(calls).toHaveLength(2);
});

test('a request whose photo the browser has lost is not sent by itself, now or later, but by a press', async () => {
  const calls = answerCalls({ 'POST /quote-requests': [sent('talk')] });
  comeBack({ picks: [ana], photos: [{ id: 'quote 1', name: 'tap.jpg' }] });
  const first = show();
  await screen.findByText('“tap.jpg” could not be kept in this browser. Add it again if you want to send it.');
  expect(hasPendingQuoteRequest()).toBe(false);
  first.unmount();
  const { user } = show();
  expect((await job()).value).toBe(described.job);
  expect(calls).toEqual([]);
  await user.click(screen.getByText('Ask 1 business'));
  await screen.findByText('Your request is sent');
  expect(listSent(calls)).toMatchObject([{ listingId: 'one', job: described.job }]);
});

test('a request that could not be sent by itself stays, and a press sends it as the same one', async () => {
  const calls = answerCalls({ 'POST /quote-requests': [null, null, sent('talk-one'), sent('talk-two')] });
  comeBack();
  const { user } = show();
  await screen.findByText(/^Not sent to Tāne Drains/);
  expect((await job()).value).toBe(described.job);
  await user.click(screen.getByText('Ask 2 businesses'));
  await screen.findByText('Sent to 2 businesses');
  expect(listSent(calls).map(({ listingId, clientId }) => [listingId, clientId === described.clientId])).toEqual([
    ['one', true],
    ['two', true],
    ['one', true],
    ['two', true],
  ]);
});

test('a request that was changed after a failure is another one', async () => {
  const calls = answerCalls({ 'POST /quote-requests': [null, sent('talk')] });
  comeBack({ picks: [ana] });
  const { user } = show();
  await screen.findByText(/^Not sent to Ana Plumbing/);
  await user.type(await job(), ' Badly.');
  expect(screen.queryByText(/^Not sent to/)).toBeNull();
  await user.click(screen.getByText('Ask 1 business'));
  await screen.findByText('Your request is sent');
  const [before, changed] = listSent(calls);
  expect(changed?.job).toBe(`${described.job} Badly.`);
  expect(changed?.clientId).not.toBe(before?.clientId);
});

test('what only some have goes to the others unchanged, also after a reload', async () => {
  const calls = answerCalls({ 'POST /quote-requests': [sent('talk-one'), null, sent('talk-two')] });
  comeBack();
  const first = show();
  const heading = await screen.findByText('Some businesses don’t have it yet');
  await expect.poll(() => document.activeElement).toBe(heading);
  screen.getByText(/^Sent to Ana Plumbing/);
  screen.getByText(/^Not sent to Tāne Drains/);
  first.unmount();
  const { user } = show();
  await screen.findByText(/^Sent to Ana Plumbing/);
  screen.getByText(described.job);
  await user.click(screen.getByText('Try again'));
  await screen.findByText('Sent to 2 businesses');
  const parts = listSent(calls);
  expect(parts.map(({ listingId }) => listingId)).toEqual(['one', 'two', 'two']);
  expect(new Set(parts.map(({ clientId, job: text }) => `${clientId} ${text}`)).size).toBe(1);
});

test('who gives up the business that could not be asked is done, and one that has it cannot be taken back', async () => {
  answerCalls({ 'POST /quote-requests': [sent('talk-one'), null] });
  comeBack();
  const { user, unmount } = show();
  await screen.findByText('Some businesses don’t have it yet');
  const box = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(name), { selector: 'input' });
  await user.click(box('Ana Plumbing'));
  expect(box('Ana Plumbing').checked).toBe(true);
  await user.click(box('Tāne Drains'));
  await screen.findByText('Your request is sent');
  unmount();
  expect(readQuoteRequestDraft().job).toBe('');
});

test('a visitor chooses a business first, and then goes to sign up with the request kept', async () => {
  const calls = answerCalls({});
  saveQuoteRequestDraft({ ...described, picks: [] });
  const first = show({});
  expect((await job()).value).toBe(described.job);
  await first.user.click(screen.getByText('Continue'));
  await screen.findByText('Choose at least one business to ask.');
  expect(hasPendingQuoteRequest()).toBe(false);
  first.unmount();
  const { user, router } = show({ category: 'Plumbing', listing: tane });
  await job();
  await user.click(screen.getByText('Continue'));
  await expect.poll(() => router.state.location.pathname).toBe('/auth/register');
  expect(router.state.location.search).toBe('?redirect=/get-quotes%3Fsend');
  expect(hasPendingQuoteRequest()).toBe(true);
  expect(readQuoteRequestDraft()).toMatchObject({ job: described.job, picks: [tane] });
  expect(calls).toEqual([]);
});

test('nothing is sent by itself without a press before, after an hour, or on another way to the form', async () => {
  const calls = answerCalls({});
  saveQuoteRequestDraft(described);
  signIn();
  const first = show();
  await job();
  first.unmount();
  setPendingQuoteRequest(Date.now() - 60 * 60 * 1000);
  const second = show();
  await job();
  second.unmount();
  setPendingQuoteRequest();
  show({});
  expect((await job()).value).toBe(described.job);
  expect(calls).toEqual([]);
});
