import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { ShowNumber } from './show-number.tsx';

test('a number is asked for by a press only, once, and again after a failure, which says why', async () => {
  const late = createLateAnswer({ body: { number: '+6473771234', text: '07 377 1234' } });
  const refused = { status: 429, body: { code: 'too_many_requests', message: 'Too many numbers. Please wait a minute.' } };
  const calls = answerCalls({ 'POST /listing/l1/phone': [refused, late.answer] });
  const { user } = renderPart(<ShowNumber listingId="l1" business="Ana Plumbing" />);
  expect(calls).toEqual([]);
  await user.click(await screen.findByText('Show number'));
  expect((await screen.findByRole('alert')).textContent).toBe('Too many numbers. Please wait a minute.');
  await user.dblClick(screen.getByText('Show number'));
  expect(screen.queryByRole('alert')).toBeNull();
  late.give();
  const link = await screen.findByRole('link', { name: /^07 377 1234\s*: call Ana Plumbing$/ });
  expect(link.getAttribute('href')).toBe('tel:+6473771234');
  expect(document.activeElement).toBe(link);
  expect(calls).toHaveLength(2);
});
