import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { MessageSeveral } from './message-several.tsx';

const receivers = [
  { listingId: 'one', sellerId: 'ana', name: 'Ana Plumbing' },
  { listingId: 'two', sellerId: 'tane', name: 'Tāne Drains' },
];

test('a message to several is sent to nobody while it is empty or too long', async () => {
  const calls = answerCalls({});
  const { user } = renderPart(<MessageSeveral receivers={receivers} />);
  const press = async () => user.click(await screen.findByRole('button', { name: 'Send to all 2' }));
  await press();
  await screen.findByText('Message is required');
  await user.click(screen.getByLabelText('Your message'));
  await user.paste('a'.repeat(maxMessageLength + 1));
  await press();
  await screen.findByText(`Message cannot exceed ${maxMessageLength} characters`);
  expect(calls).toEqual([]);
});
