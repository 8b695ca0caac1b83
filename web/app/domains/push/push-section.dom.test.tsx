import type { PushDevice } from '@handwise/contract/push/calls';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import { PushOfferToBusiness } from './push-offer.tsx';
import { PushSection } from './push-section.tsx';

const device = (_id: string, browser: string, changes: Partial<PushDevice> = {}): PushDevice => ({
  _id,
  browser,
  showsText: false,
  current: false,
  createdAt: '2026-11-20T01:00:00.000Z',
  lastUsedAt: null,
  ...changes,
});
const phone = device('phone', 'Chrome on Android');
const desk = device('desk', 'Firefox on Windows');
const list = (...subscriptions: PushDevice[]) => ({ body: { subscriptions } });
const fine = { body: { message: 'Notifications are off for that device.' } };

/** A browser that can show notifications. Returns what was done to its own subscription. */
function stubPush({ answer = 'granted', had = false }: { answer?: NotificationPermission; had?: boolean } = {}) {
  const done: string[] = [];
  const subscription = {
    unsubscribe: async () => done.push('unsubscribed'),
    toJSON: () => ({ endpoint: 'https://push.example.org/1', keys: { p256dh: 'p', auth: 'a' } }),
  };
  const pushManager = {
    getSubscription: async () => (had ? subscription : null),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      done.push(`subscribed with ${applicationServerKey}`);
      return subscription;
    },
  };
  const Notification = {
    permission: 'default' as NotificationPermission,
    requestPermission: async () => (Notification.permission = answer),
  };
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('PushManager', {});
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => ({ active: {}, pushManager }) },
  });
  return done;
}
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  localStorage.clear();
});

const show = () =>
  renderPart(
    <>
      <PushSection className={undefined} />
      <Toaster />
    </>,
  );
const box = async (at: number) =>
  (await screen.findAllByLabelText<HTMLInputElement>('Show who wrote and what, also on a locked screen'))[at] as HTMLInputElement;
const turnOff = (browser: string) => screen.findByRole('button', { name: `Turn off on ${browser}` });

test('devices that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /push/subscriptions': [null, list(phone)] });
  const { user } = show();
  await screen.findByText('Connection Problem');
  expect(screen.queryByText(/^This browser cannot show notifications/)).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('Chrome on Android');
  screen.getByText(/^This browser cannot show notifications/);
});

test('a choice is that of the pressed device, goes back if it was not saved, and the last of two presses counts', async () => {
  const late = createLateAnswer({ body: { ...desk, showsText: true } });
  const calls = answerCalls({
    'GET /push/subscriptions': [list(phone, desk)],
    'PUT /push/subscriptions/desk': [null, late.answer, { body: desk }],
  });
  const { user } = show();
  await user.click(await box(1));
  await screen.findByText(/trouble connecting/);
  await expect.poll(async () => (await box(1)).checked).toBe(false);
  await user.click(await box(1));
  expect([(await box(0)).checked, (await box(1)).checked]).toEqual([false, true]);
  await user.click(await box(1));
  expect((await box(1)).checked).toBe(false);
  late.give();
  await screen.findByText('Your choice is saved');
  await expect
    .poll(() => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body))
    .toEqual([{ showsText: true }, { showsText: true }, { showsText: false }]);
  expect((await box(1)).checked).toBe(false);
});

test('a device that could not be turned off stays; turned off it goes, with this browser’s subscription only if it is this one', async () => {
  const done = stubPush({ had: true });
  answerCalls({
    'GET /push/subscriptions': [list({ ...phone, current: true }, desk)],
    'DELETE /push/subscriptions/desk': [null, fine],
    'DELETE /push/subscriptions/phone': [fine],
  });
  const { user } = show();
  await user.click(await turnOff('Firefox on Windows'));
  await screen.findByText(/trouble connecting/);
  await user.click(await turnOff('Firefox on Windows'));
  await expect.poll(() => screen.queryByText('Firefox on Windows')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Notifications on your devices');
  expect(done).toEqual([]);
  expect(screen.queryByText('Turn on for this device')).toBeNull();
  await user.click(await turnOff('Chrome on Android'));
  await screen.findByText('Turn on for this device');
  expect(done).toEqual(['unsubscribed']);
});

test('this device is turned on by a press with the key of today, in place of an older subscription', async () => {
  const done = stubPush({ had: true });
  const calls = answerCalls({
    'GET /push/subscriptions': [list(desk), list({ ...phone, current: true }, desk)],
    'GET /push/key': [null, { body: { key: 'key-of-today' } }],
    'POST /push/subscriptions': [{ body: phone }],
  });
  const { user } = show();
  await user.click(await screen.findByText('Turn on for this device'));
  await screen.findByText(/trouble connecting/);
  expect(done).toEqual([]);
  await user.click(screen.getByText('Turn on for this device'));
  await screen.findByText('Notifications are on for this device');
  await screen.findByText('This device');
  expect(screen.queryByText('Turn on for this device')).toBeNull();
  expect(done).toEqual(['unsubscribed', 'subscribed with key-of-today']);
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    endpoint: 'https://push.example.org/1',
    keys: { p256dh: 'p', auth: 'a' },
  });
});

test('who does not allow notifications is told where to change that, and is not asked again', async () => {
  stubPush({ answer: 'denied' });
  const calls = answerCalls({ 'GET /push/subscriptions': [list(desk)] });
  const { user } = show();
  await user.click(await screen.findByText('Turn on for this device'));
  await screen.findByText('Your browser does not allow notifications from this site. You can change that in its settings.');
  await screen.findByText(/^This browser blocks notifications from us/);
  expect(screen.queryByText('Turn on for this device')).toBeNull();
  expect(calls.every(({ method }) => method === 'GET')).toBe(true);
});

test('the offer to a business is dismissed for good', async () => {
  stubPush();
  answerCalls({ 'GET /push/subscriptions': [list(desk)] });
  const first = renderPart(<PushOfferToBusiness />);
  await first.user.click(await screen.findByText('Not now'));
  expect(screen.queryByText('Turn on notifications')).toBeNull();
  first.unmount();
  renderPart(
    <>
      <PushOfferToBusiness />
      <p>The page</p>
    </>,
  );
  await screen.findByText('The page');
  expect(screen.queryByText('Turn on notifications')).toBeNull();
});
