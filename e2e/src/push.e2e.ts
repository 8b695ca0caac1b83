import type { Page, Worker } from '@playwright/test';
import {
  allowNotifications,
  atRest,
  countPermissionRequests,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  freshName,
  test,
} from './journey.ts';
import { buyPlan, newBusiness, newSeller, publish, startConversation } from './selling.ts';

// The journey goes offline, and the page may be loading something then.
test.use({ provoked: /ERR_INTERNET_DISCONNECTED/ });

const mailbox = process.env['MAILBOX_URL'] ?? '';
const subscribe = async (): Promise<{ endpoint: string }> => (await fetch(`${mailbox}/push/subscriptions`, { method: 'POST' })).json();

type Received = { endpoint: string; payload: string };
type Shown = { title: string; body: string; data: { path: string } };
declare const self: {
  shown: Shown[];
  opened: string[];
  registration: Record<string, unknown>;
  clients: Record<string, unknown>;
  dispatchEvent: (event: Event) => void;
};

const stubWorker = (worker: Worker) =>
  worker.evaluate(() => {
    self.shown = [];
    self.opened = [];
    self.registration['showNotification'] = async (title: string, options: Omit<Shown, 'title'>) =>
      void self.shown.push({ title, ...options });
    self.clients['openWindow'] = async (url: string) => void self.opened.push(url);
  });

/** Delivers a push to the page's worker, as the browser does for its vendor's service. */
async function deliver(page: Page, data: string) {
  const tools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    tools.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId),
    );
  });
  await tools.send('ServiceWorker.enable');
  const registrationId = await found;
  await tools.send('ServiceWorker.deliverPushMessage', { origin: new URL(page.url()).origin, registrationId, data });
}

test('a customer is notified of the answer, opens it, and sees a page of ours without a connection @phone @main', async ({
  page,
  browser,
  context,
}) => {
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const { seller, listing } = await newBusiness(theirs);

  const subscription = await subscribe();
  await allowNotifications(page, subscription);
  const buyer = await newSeller(page);
  const conversation = await startConversation(page, buyer, seller, listing, 'Could you come on Tuesday?');
  await page.goto(conversation);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await page.getByRole('button', { name: 'Tell me when they answer' }).click();
  await expect(page.getByText('Notifications are on for this device')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tell me when they answer' })).toBeHidden();

  await page.goto('/account');
  await expect(page.getByRole('checkbox', { name: 'Show who wrote' })).not.toBeChecked();
  await atRest(page);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // The seller answers; the sandbox decrypts what the server has sent.
  const answer = await theirs.request.post(`/api${conversation}`, {
    headers: seller.headers,
    multipart: { message: 'Yes, at nine.', clientId: crypto.randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const payloadOf = async () =>
    ((await (await fetch(`${mailbox}/push`)).json()) as Received[]).find((one) => one.endpoint === subscription.endpoint)?.payload ?? '';
  await expect.poll(payloadOf).toContain('You have a new message');
  const payload = await payloadOf();
  expect(payload).not.toContain('nine');

  await stubWorker(worker);
  await deliver(page, payload);
  await expect
    .poll(() => worker.evaluate(() => self.shown.map(({ title, body }) => [title, body])))
    .toEqual([['You have a new message', 'Handwise']]);
  await worker.evaluate(() => {
    const [notification] = self.shown;
    self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification: { ...notification, close() {} }, waitUntil() {} }));
  });
  await expect.poll(() => worker.evaluate(() => self.opened)).toEqual([new URL(conversation, page.url()).href]);
  await page.goto(conversation);
  await expect(page.getByRole('log')).toContainText('Yes, at nine.');

  await context.setOffline(true);
  await page.goto('/home').catch(() => {});
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  expect(
    await worker.evaluate(async () =>
      Promise.all(
        (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)),
      ),
    ),
  ).toEqual([['/offline.html']]);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeHidden();
  await other.close();
});

test('a seller is offered notifications in My Listings, dismisses the offer for good or takes it @phone @main', async ({ page }) => {
  await allowNotifications(page, await subscribe());
  const seller = await newSeller(page);
  await page.goto('/mylistings/mylistings');
  await expect(page.getByText('No listings found')).toBeVisible();
  const offer = page.getByRole('button', { name: 'Turn on notifications' });
  await expect(offer).toBeHidden();
  await buyPlan(page, seller, 'basic');
  await publish(page, seller, 'basic', `Plumber ${freshName()}`);
  await page.reload();
  await expect(offer).toBeVisible();
  await atRest(page);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(page.getByRole('article')).toBeVisible();
  await atRest(page);
  await expect(offer).toBeHidden();

  await page.evaluate(() => localStorage.removeItem('pushDismissed'));
  await page.reload();
  await expect(offer).toBeVisible();
  expect(await countPermissionRequests(page)).toBe(0);
  await offer.click();
  await expect(page.getByText('Notifications are on for this device')).toBeVisible();
  expect(await countPermissionRequests(page)).toBe(1);
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(page.getByRole('article')).toBeVisible();
  await atRest(page);
  await expect(offer).toBeHidden();
});
