import { addDays, getDay } from '@handwise/contract/dates';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startConversation, twoPeople } from './selling.ts';

test('a visit is proposed, taken, moved and cancelled, each seen by the other side at once @phone @main', async ({ page, browser }) => {
  const { seller, listing, other, theirs, buyer } = await twoPeople(page, browser);
  const conversation = await startConversation(theirs, buyer, seller, listing, 'My tap drips.');
  const today = getDay(new Date(), 'Pacific/Auckland');

  await page.goto(conversation);
  await page.getByRole('button', { name: 'Propose a visit' }).click();
  const form = page.getByRole('dialog', { name: 'Times for a visit' });
  await form.getByRole('button', { name: 'Send times' }).click();
  const first = form.getByRole('group', { name: 'Time 1' });
  await expect(first.getByText('Choose a day and a time')).toBeVisible();
  await expect(first.getByLabel('Day')).toBeFocused();
  await first.getByLabel('Day').fill(addDays(today, 7));
  await form.getByRole('button', { name: 'Add another time' }).click();
  const second = form.getByRole('group', { name: 'Time 2' });
  await second.getByLabel('Day').fill(addDays(today, 7));
  await second.getByLabel('From').fill('09:30');
  await form.getByRole('button', { name: 'Send times' }).click();
  await expect(second.getByText('This time overlaps another one.')).toBeVisible();
  await second.getByLabel('Day').fill(addDays(today, 8));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await form.getByRole('button', { name: 'Send times' }).click();
  const own = page.getByRole('article', { name: 'Visit' });
  await expect(own).toContainText('Waiting for an answer');
  await expect(page.getByRole('button', { name: 'Propose a visit' })).toBeHidden();

  await theirs.goto(conversation);
  const received = theirs.getByRole('article', { name: 'Visit' });
  await expect(received).toContainText('Choose a time');
  await expectAccessible(theirs);
  await expectNoSidewaysScroll(theirs);
  await received.getByRole('button', { name: /^Take this time.* 9:00 am to 10:00 am$/ }).click();
  await expect(received).toContainText('Agreed');
  await expect(received.getByRole('heading', { name: 'Visit' })).toBeFocused();
  await expect(own).toContainText('Agreed');
  const file = theirs.waitForEvent('download');
  await received.getByRole('button', { name: 'Add to calendar' }).click();
  expect((await file).suggestedFilename()).toBe('visit.ics');

  await own.getByRole('button', { name: 'Move' }).click();
  const move = page.getByRole('dialog', { name: 'Move this visit' });
  await move.getByLabel('Day').fill(addDays(today, 9));
  await move.getByLabel('From').fill('14:00');
  // What the other side does meanwhile moves the card, not the dialog: it says so, and keeps what was typed.
  await received.getByRole('button', { name: 'Move' }).click();
  const theirMove = theirs.getByRole('dialog', { name: 'Move this visit' });
  await theirMove.getByLabel('Day').fill(addDays(today, 10));
  await theirMove.getByRole('button', { name: 'Send times' }).click();
  await expect(received).toContainText('You want to move it');
  await expect(page.getByText('Move it?')).toBeVisible();
  await move.getByRole('button', { name: 'Send times' }).click();
  await expect(move.getByRole('alert')).toContainText('This visit has just changed.');
  await expect(move.getByLabel('From')).toHaveValue('14:00');
  await move.getByRole('button', { name: 'Send times' }).click();
  await expect(move).toBeHidden();
  await expect(own).toContainText('You want to move it');
  await received.getByRole('button', { name: /^Take this time.* 2:00 pm to 3:00 pm$/ }).click();
  await expect(own).toContainText(/Agreed.*2:00 pm to 3:00 pm/);
  await expectAccessible(theirs);

  await received.getByRole('button', { name: 'Cancel visit' }).click();
  const cancel = theirs.getByRole('dialog', { name: 'Cancel this visit?' });
  await cancel.getByLabel('Why?').fill('We have mended it.');
  await cancel.getByRole('button', { name: 'Cancel visit' }).click();
  await expect(own).toContainText('We have mended it.');
  await expect(own).toContainText('Cancelled');
  await expect(page.getByRole('button', { name: 'Propose a visit' })).toBeVisible();

  await theirs.goto('/account');
  const calendar = theirs.getByRole('region', { name: 'Visits in your calendar' });
  await calendar.getByRole('button', { name: 'Create an address' }).click();
  const link = calendar.getByRole('link', { name: 'Open in your calendar app' });
  await expect(link).toHaveAttribute('href', /^webcal:\/\/.+\/api\/visits\/feed\.ics\?token=/);
  await expectAccessible(theirs);
  await expectNoSidewaysScroll(theirs);
  const address = ((await link.getAttribute('href')) ?? '').replace(/^webcal:\/\/[^/]+/, '');
  expect((await theirs.request.get(address)).status()).toBe(200);
  await calendar.getByRole('button', { name: 'End it' }).click();
  await expect(calendar.getByRole('button', { name: 'Create an address' })).toBeVisible();
  expect((await theirs.request.get(address)).status()).toBe(404);
  await other.close();
});
