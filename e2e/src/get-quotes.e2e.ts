import { expect, expectAccessible, expectNoSidewaysScroll, freshName, test } from './journey.ts';
import { buyPlan, newBusiness, newSeller, photoFile, publish } from './selling.ts';

test('a visitor describes a job once for three businesses and signs up on the way; each gets it once, and answers show @phone @main', async ({
  page,
  browser,
}) => {
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const { listing } = await newBusiness(theirs);

  await page.goto(`/listing/${listing}`);
  await page.getByRole('main').getByRole('link', { name: 'Get quotes' }).click();
  await expect(page.getByRole('checkbox', { name: /Walker Plumbing/ })).toBeChecked();
  await expect(page.getByLabel('Kind of job')).toHaveValue(/^Plumbing\|/);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please check the marked fields.' })).toBeFocused();
  await page.getByRole('link', { name: 'Describe the job' }).click();
  const job = `The pipe under the sink leaks. ${freshName()}`;
  await page.keyboard.type(job);
  const where = page.getByRole('combobox', { name: 'Where is the job?' });
  await where.fill('hamilt');
  await page.getByRole('option', { name: /^Hamilton Waikato/ }).click();
  await expect(where).toHaveValue('Hamilton, Waikato');
  await page.getByText('Within two weeks').click();
  await page.locator('input[type=file]').setInputFiles([await photoFile('sink.png')]);
  await expect(page.getByRole('button', { name: 'Remove sink.png' })).toBeVisible();
  const others = page.getByRole('checkbox', { checked: false });
  await others.first().check();
  await others.first().check();
  await expect(page.getByText('3 of 3 chosen.')).toBeVisible();
  // A fourth business cannot be selected.
  await others.first().press('Space');
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // The draft survives a reload.
  await page.reload();
  await expect(page.getByLabel('What do you need done?')).toHaveValue(job);
  await expect(page.getByRole('button', { name: 'Remove sink.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Your quote request is kept.')).toBeVisible();
  const name = freshName();
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Sent to 3 businesses' })).toBeFocused();
  await expectAccessible(page);

  // Nothing is sent twice.
  await page.reload();
  await expect(page.getByLabel('What do you need done?')).toHaveValue('');

  await theirs.goto('/messages');
  await theirs.getByRole('link', { name: new RegExp(job) }).click();
  await expect(theirs.getByRole('region', { name: 'Quote request' })).toContainText('Hamilton, Waikato');
  await expect(theirs.getByRole('region', { name: 'Quote request' })).toContainText('Within two weeks');
  const message = theirs.getByRole('log', { name: 'Messages' }).getByRole('listitem').filter({ hasText: job });
  await expect(message).toHaveCount(1);
  await expect(message.getByRole('img')).toBeVisible();

  await page.goto('/quote-requests');
  const request = page.getByRole('article').filter({ hasText: job });
  await expect(request).toContainText('Sent today to 3 businesses, nobody has answered yet.');
  await theirs.getByRole('textbox', { name: /^Message to / }).fill('I can come on Tuesday, for about 180 dollars.');
  await theirs.getByRole('button', { name: 'Send', exact: true }).click();
  // The answer shows without a reload.
  await expect(request).toContainText('1 has answered');
  await expect(request.getByRole('listitem').filter({ hasText: 'Walker Plumbing' })).toContainText('Answered today, 1 unread');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await request.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close request' }).click();
  await expect(request.getByText('Closed', { exact: true })).toBeVisible();
  await expect(theirs.getByRole('region', { name: 'Quote request' })).toContainText('The customer needs no more quotes');
  await other.close();
});

test('a job that is changed after a lost answer and a reload is sent as changed @phone', async ({ page, browser }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const listing = await publish(page, seller, 'basic', `Plumber ${freshName()}`);
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const member = await newSeller(theirs);
  let isLost = true;
  await theirs.route('**/api/quote-requests', async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await theirs.goto(`/get-quotes?listing=${listing}`);
  await expect(theirs.getByRole('checkbox', { name: /Walker Plumbing/ })).toBeChecked();
  const job = theirs.getByLabel('What do you need done?');
  const [first, changed] = [`The tap drips. ${freshName()}`, `The tap drips, and the sink is blocked. ${freshName()}`];
  await job.fill(first);
  const where = theirs.getByRole('combobox', { name: 'Where is the job?' });
  await where.fill('hamilt');
  await theirs.getByRole('option', { name: /^Hamilton Waikato/ }).click();
  await theirs.getByText('Within two weeks').click();
  await theirs.getByRole('button', { name: 'Ask 1 business' }).click();
  await expect(theirs.getByText(/^Not sent to /)).toBeVisible();
  await theirs.reload();
  isLost = false;
  await expect(job).toHaveValue(first);
  await job.fill(changed);
  await theirs.getByRole('button', { name: 'Ask 1 business' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your request is sent' })).toBeVisible();
  const { conversations } = await (await theirs.request.get('/api/messages', { headers: member.headers })).json();
  const { messages } = await (await theirs.request.get(`/api/messages/${conversations[0]._id}`, { headers: member.headers })).json();
  expect(messages.map((one: { text: string }) => one.text)).toEqual([changed, first]);
  await other.close();
});
