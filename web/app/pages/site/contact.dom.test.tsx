import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import ContactPage from './contact.tsx';

const sent = { body: { message: 'Sent' } };
const show = () => renderPart(<ContactPage />);
const box = (label: string | RegExp) => screen.findByLabelText<HTMLInputElement>(label);

beforeEach(() => forgetUser());

test('a message to the site that failed to send keeps all that was typed, and is sent by the next press', async () => {
  const calls = answerCalls({ 'POST /contact': [null, sent] });
  const { user } = show();
  const body = { fullName: 'Mere Kingi', email: 'mere@example.org', website: '', message: 'A listing of mine has gone.' };
  await user.type(await box('Full name'), body.fullName);
  await user.type(await box('Email'), body.email);
  await user.type(await box('Message'), body.message);
  const press = () => user.click(screen.getByRole('button', { name: 'Send message' }));
  await press();
  await screen.findByText(/Nothing you typed is lost/);
  expect((await box('Message')).value).toBe(body.message);
  await press();
  await screen.findByText(/reply to mere@example\.org/);
  expect(document.activeElement?.textContent).toBe('Message sent');
  expect(calls.map((one) => one.body)).toEqual([body, body]);
});

test('a member need not type name and address, and what they did type stays', async () => {
  answerCalls({});
  const { user } = show();
  await user.type(await box('Email'), 'work@example.org');
  storeUser({ _id: 'mere', token: 't', fullName: 'Mere Kingi', email: 'mere@example.org' } as Parameters<typeof storeUser>[0]);
  await expect.poll(async () => (await box('Full name')).value).toBe('Mere Kingi');
  expect((await box('Email')).value).toBe('work@example.org');
});

test('without a message nothing is sent, and the fields say what is missing', async () => {
  const calls = answerCalls({});
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Send message' }));
  await expect.poll(async () => (await box('Message')).getAttribute('aria-invalid')).toBe('true');
  expect(calls).toEqual([]);
});
