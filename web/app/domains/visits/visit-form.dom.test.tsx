import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { renderPart } from '../../lib/testing/document.tsx';
import { VisitForm } from './visit-form.tsx';

test('times that failed to send are sent again as the same proposal, other times as another', async () => {
  const failure = new ApiError(0, 'network', 'The server could not be reached.');
  const send = vi.fn<(body: { clientId: string; times: { start: string }[] }) => Promise<unknown>>().mockRejectedValue(failure);
  const { user } = renderPart(
    <VisitForm conversationId="talk" timeZone="Pacific/Auckland" title="Propose a visit" open onClose={() => {}} send={send} />,
  );
  const day = await screen.findByLabelText(/^Day/);
  fireEvent.change(day, { target: { value: '2090-12-07' } });
  const press = () => user.click(screen.getByRole('button', { name: 'Send times' }));
  await press();
  await screen.findByText(/trouble connecting to the server/);
  await press();
  fireEvent.change(day, { target: { value: '2090-12-08' } });
  await press();
  const [first, again, other] = send.mock.calls.map(([body]) => body);
  expect(again).toEqual(first);
  expect(other?.times[0]?.start).toBe('2090-12-08T09:00');
  expect(other?.clientId).not.toBe(first?.clientId);
});
