import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { FindPage } from '@handwise/contract/search/calls';
import { expect, freshName, test } from './journey.ts';
import { secondServer } from './second-server.ts';

// The server ends below the page, with its stream of events.
test.use({ provoked: /status of 503|^http:\/\/localhost:|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION/ });

const trades = ['plumber', 'electrician', 'roofer', 'house cleaning', 'lawn mowing'];
const places = ['Auckland', 'Waikato', 'Wellington', 'Queensland', 'Victoria'];
const searches = trades.flatMap((q) => places.map((where) => new URLSearchParams({ q, where }).toString()));

/** Keeps every core busy until it is called. */
function startBusyLoops() {
  const loops = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  process.once('exit', () => loops.forEach((loop) => loop.kill('SIGKILL')));
  return async () => {
    const ended = loops.map((loop) => once(loop, 'exit'));
    for (const loop of loops) loop.kill('SIGKILL');
    await Promise.all(ended);
  };
}

test('with all cores busy a search is answered in full, or tried again until it is, and never empty @desk', async ({ page, baseURL }) => {
  test.setTimeout(600_000);
  const answers = new Map<string, FindPage>();
  for (const search of searches) {
    const answer = await page.request.get(`/api/search?${search}`);
    expect([search, answer.status()]).toEqual([search, 200]);
    answers.set(search, await answer.json());
  }
  // Its searches have the usual time limit, and its caches are empty.
  const server = await secondServer(baseURL ?? '');
  const stopBusyLoops = startBusyLoops();
  const shownAsEmpty: string[] = [];
  let retried = 0;
  try {
    for (const [search, { listings, totalListings }] of answers) {
      const answer = await page.goto(`${server.address}/search?${search}`);
      expect([search, [200, 503]]).toEqual([search, expect.arrayContaining([answer?.status()])]);
      if (answer?.status() === 503) retried += 1;
      const matches = listings.filter(({ section }) => section === 'match').length;
      const sentence = totalListings === 0 && listings.length > 0 ? 'None here yet' : `${matches} of ${totalListings} Active Listings`;
      const right = page.getByText(sentence);
      await expect(async () => {
        // A page that is not answered tries again by itself; a partial one, or one that is refused because the server is busy, is loaded again.
        const isRight = await right.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
        if (listings.length > 0 && (await page.getByText('No listings found').isVisible())) shownAsEmpty.push(search);
        if (!isRight) await page.reload();
        expect(isRight).toBe(true);
      }).toPass();
      await expect(page.getByRole('article')).toHaveCount(listings.length);
    }
  } finally {
    await stopBusyLoops();
    await server.close();
  }
  expect(shownAsEmpty).toEqual([]);
  console.log(`${retried} of ${answers.size} searches were tried again`);
});

test('with all cores busy a household finds a business, signs up and its message is sent once @phone', async ({ page, baseURL }) => {
  test.setTimeout(600_000);
  const server = await secondServer(baseURL ?? '');
  const stopBusyLoops = startBusyLoops();
  /** Does it again, as a person would, after an answer that the server is busy. */
  const patiently = (work: () => Promise<void>) => expect(work).toPass({ timeout: 150_000 });
  try {
    await patiently(async () => {
      await page.goto(`${server.address}/search?q=plumber&where=Waikato`);
      await page.getByRole('article').first().getByRole('link').first().click({ timeout: 20_000 });
      await expect(page).toHaveURL(/\/listing\//, { timeout: 20_000 });
      await expect(page.getByRole('link', { name: 'Message the seller' }).filter({ visible: true }).last()).toBeVisible({
        timeout: 20_000,
      });
    });
    const listing = page.url();
    await patiently(async () => {
      await page.goto(`${new URL(listing).origin}/auth/register?redirect=${encodeURIComponent(`${new URL(listing).pathname}?message`)}`);
      await expect(page.getByLabel(/^Your message to/)).toBeVisible({ timeout: 20_000 });
    });
    const text = `Can you come on Tuesday? ${freshName()}`;
    await page.getByLabel(/^Your message to/).fill(text);
    const name = freshName();
    await page.getByLabel('Full name').fill('Aroha Ngata');
    await page.getByLabel('Username').fill(name);
    await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@${name}.example`);
    await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
    await patiently(async () => {
      const create = page.getByRole('button', { name: 'Create account' });
      if (await create.isVisible()) await create.click({ timeout: 20_000 });
      const send = page.getByRole('button', { name: 'Send message' });
      // The message was not sent by itself, because the server was busy.
      if (await send.isVisible()) {
        await send.click({ timeout: 20_000 });
        await expect(send).toBeHidden({ timeout: 60_000 });
        await page.goto(`${server.address}/messages`);
        await page.locator('main a[href^="/messages/"]').first().click({ timeout: 20_000 });
      }
      await expect(page).toHaveURL(/\/messages\/[\da-f-]{36}$/, { timeout: 60_000 });
    });
    await patiently(async () => {
      await page.reload();
      await expect(page.getByRole('log', { name: 'Messages' }).getByText(text)).toHaveCount(1, { timeout: 30_000 });
    });
  } finally {
    await stopBusyLoops();
    await server.close();
  }
});
