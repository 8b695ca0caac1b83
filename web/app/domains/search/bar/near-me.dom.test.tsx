import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../../../lib/testing/document.tsx';
import { NearMe } from './near-me.tsx';

type Found = (position: { coords: { latitude: number; longitude: number } }) => void;
type Failed = (problem: { code: number }) => void;

/** The browser's question for the position: answered by the test. */
function answerPosition() {
  const asked: { find: (latitude: number, longitude: number) => void; fail: (code: number) => void }[] = [];
  const getCurrentPosition = (found: Found, failed: Failed) =>
    asked.push({ find: (latitude, longitude) => found({ coords: { latitude, longitude } }), fail: (code) => failed({ code }) });
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  return asked;
}

function show(locatesAtOnce = false) {
  const [onPosition, onRejected] = [vi.fn<(near: string) => void>(), vi.fn<() => void>()];
  const part = <NearMe instead="New Zealand" {...{ onPosition, onRejected, locatesAtOnce }} />;
  return { onPosition, onRejected, ...renderPart(part) };
}
const status = async () => (await screen.findByRole('status')).textContent;

test('the position is asked for by a press only, once, and passed on too coarse for a house', async () => {
  const asked = answerPosition();
  const { user, onPosition } = show();
  await user.dblClick(await screen.findByRole('button', { name: 'Near me' }));
  expect(asked).toHaveLength(1);
  await screen.findByRole('button', { name: 'Finding where you are…' });
  asked[0]?.find(-38.68512, 176.07021);
  await expect.poll(() => onPosition.mock.calls).toEqual([['-38.69,176.07']]);
  await screen.findByRole('button', { name: 'Near me' });
  expect(await status()).toBe('');
});

test('a refusal says what is shown instead and how to go on, and can be tried again', async () => {
  const asked = answerPosition();
  const { user, onPosition, onRejected } = show();
  const press = async () => user.click(await screen.findByRole('button', { name: 'Near me' }));
  await press();
  asked[0]?.fail(1);
  await expect.poll(status).toMatch(/^Your browser’s settings do not let this site ask where you are.* Showing New Zealand\.$/);
  expect(onRejected).toHaveBeenCalledOnce();
  await press();
  asked[1]?.find(-36.85, 174.76);
  await expect.poll(() => onPosition.mock.calls).toEqual([['-36.85,174.76']]);
  expect(await status()).toBe('');
});

test('a position outside both countries is no search', async () => {
  const asked = answerPosition();
  const { user, onPosition } = show();
  await user.click(await screen.findByRole('button', { name: 'Near me' }));
  asked[0]?.find(51.5, -0.13);
  await expect.poll(status).toMatch(/^You seem to be outside New Zealand and Australia/);
  expect(onPosition).not.toHaveBeenCalled();
});

test('a search “near me” asks by itself, and an answer after the page was left does nothing', async () => {
  const asked = answerPosition();
  const { unmount, onPosition, onRejected } = show(true);
  await expect.poll(() => asked.length).toBe(1);
  unmount();
  asked[0]?.find(-36.85, 174.76);
  asked[0]?.fail(1);
  expect([onPosition, onRejected].map((one) => one.mock.calls.length)).toEqual([0, 0]);
});
