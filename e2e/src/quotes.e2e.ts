import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startConversation, twoPeople } from './selling.ts';

test('a business sends a quote from its phone, the customer accepts it, and both see it @phone @main', async ({ page, browser }) => {
  const { seller, listing, other, theirs, buyer } = await twoPeople(page, browser);
  const conversation = await startConversation(theirs, buyer, seller, listing, 'My tap drips.');

  await page.goto(conversation);
  await page.getByRole('link', { name: 'Write a quote' }).click();
  await page.getByRole('button', { name: 'Send quote' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please check the marked fields.' })).toBeFocused();
  const first = page.getByRole('group', { name: 'Line 1' });
  await first.getByLabel('Description').fill('Labour');
  await first.getByLabel('Quantity').fill('2.5');
  await first.getByLabel('Price each').fill('95');
  await page.getByRole('button', { name: 'Add a line' }).click();
  const second = page.getByRole('group', { name: 'Line 2' });
  await expect(second.getByLabel('Description')).toBeFocused();
  await second.getByLabel('Description').fill('Tap washer');
  await second.getByLabel('Quantity').fill('3');
  await second.getByLabel('Price each').fill('3.33');
  await expect(page.getByRole('status').filter({ hasText: '$247.49 NZD' })).toContainText('GST of $32.28 NZD included');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // The draft survives a reload.
  await page.reload();
  await expect(second.getByLabel('Description')).toHaveValue('Tap washer');
  await page.getByRole('button', { name: 'Send quote' }).click();
  await expect(page).toHaveURL(conversation);
  const sent = page.getByRole('article', { name: /^Quote Q-/ });
  await expect(sent).toContainText('Not seen yet.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await theirs.goto('/messages');
  await expect(theirs.getByText('New quote', { exact: true })).toBeVisible();
  await theirs.goto(conversation);
  const received = theirs.getByRole('article', { name: /^Quote Q-/ });
  await expect(received).toContainText('Total, GST included$247.49 NZD');
  // The business sees that it was seen without a reload.
  await expect(sent).toContainText('Seen on');
  await received.getByRole('button', { name: 'Ask a question' }).click();
  await expect(theirs.getByRole('textbox', { name: /^Message to / })).toBeFocused();
  const file = theirs.waitForEvent('download');
  await received.getByRole('button', { name: 'Download PDF' }).click();
  expect((await file).suggestedFilename()).toMatch(/ Q-\d+\.pdf$/);
  await received.getByRole('button', { name: 'Accept quote' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Accept $247.49 NZD?' });
  await expect(dialog).toContainText('Nothing is paid here');
  await expectAccessible(theirs);
  await dialog.getByRole('button', { name: 'Accept quote' }).click();
  await expect(received).toContainText('Accepted on');
  await expect(sent).toContainText('Accepted on');
  await page.goto('/messages');
  await expect(page.getByText('Quote accepted', { exact: true })).toBeVisible();
  await other.close();
});
