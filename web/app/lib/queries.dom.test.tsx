import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { savedCards } from '../domains/payments/payment-queries.ts';
import { Queries } from './queries.tsx';
import { useSession } from './session/session.ts';
import { forgetUser, storeUser } from './session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from './testing/document.tsx';

const cards = (...last4: string[]) => ({ body: { data: last4.map((cardLast4) => ({ _id: cardLast4, cardLast4 })) } });
const signIn = (id: string) => act(() => storeUser({ _id: id, token: `token-of-${id}` } as Parameters<typeof storeUser>[0]));

function Cards() {
  const { data } = useQuery(savedCards);
  return (
    <>
      {data?.map(({ cardLast4 }) => (
        <p key={cardLast4}>Card {cardLast4}</p>
      ))}
      <input aria-label="Note" />
    </>
  );
}
const Page = () => (useSession().user ? <Cards /> : <p>Please sign in</p>);
const show = () =>
  renderPart(
    <Queries>
      <Page />
    </Queries>,
  );
const shown = () => screen.queryAllByText(/^Card/).map(({ textContent }) => textContent);

test('whoever signs in after somebody else, in this tab or another one, is shown nothing that was loaded for them', async () => {
  const late = createLateAnswer(cards('2222'));
  const calls = answerCalls({ 'GET /credit/all': [cards('1111'), late.answer, cards('3333')] });
  const { user } = show();
  signIn('mere');
  await screen.findByText('Card 1111');
  await user.type(screen.getByLabelText('Note'), 'For Mere');
  // Another tab signs somebody else in.
  signIn('tama');
  expect([shown(), screen.getByLabelText<HTMLInputElement>('Note').value]).toEqual([[], '']);
  late.give();
  await screen.findByText('Card 2222');
  // The session is over, and somebody else signs in here.
  act(() => forgetUser());
  await screen.findByText('Please sign in');
  signIn('wiremu');
  expect(shown()).toEqual([]);
  await screen.findByText('Card 3333');
  expect(calls).toHaveLength(3);
});

test('what was loaded for a person stays while they are signed in, and if they come back', async () => {
  signIn('ana');
  const calls = answerCalls({ 'GET /credit/all': [cards('4444')] });
  const { user } = show();
  await screen.findByText('Card 4444');
  await user.type(screen.getByLabelText('Note'), 'For Ana');
  act(() => storeUser({ _id: 'ana', token: 'another-token', emailConfirmed: true } as Parameters<typeof storeUser>[0]));
  expect([shown(), screen.getByLabelText<HTMLInputElement>('Note').value]).toEqual([['Card 4444'], 'For Ana']);
  act(() => forgetUser());
  await screen.findByText('Please sign in');
  signIn('ana');
  await screen.findByText('Card 4444');
  expect(calls).toHaveLength(1);
});

test('a page that opens before the person is known keeps what was typed into it', async () => {
  act(() => forgetUser());
  const { user } = renderPart(
    <Queries>
      <input aria-label="Note" />
    </Queries>,
  );
  await user.type(screen.getByLabelText('Note'), 'Typed early');
  signIn('ana');
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Typed early');
});
