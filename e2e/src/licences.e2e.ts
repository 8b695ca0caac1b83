import { expect, expectAccessible, expectNoSidewaysScroll, freshName, signIn, test } from './journey.ts';
import { buyPlan, publish, register } from './selling.ts';

test('an administrator looks a licence up, and the listing says since when it is checked; an ended one is gone @desk', async ({
  page,
  browser,
}) => {
  const seller = await register(page);
  await buyPlan(page, seller, 'basic');
  const title = `Plumber ${freshName()}`;
  const id = await publish(page, seller, 'basic', title);
  const visitor = await (await browser.newContext()).newPage();
  const licence = visitor.getByText(/12345 \(.*Certifying plumber.*\), held by Hana Walker/);
  await visitor.goto(`/listing/${id}`);
  await expect(licence).toContainText('Licence stated, not checked');

  await page.context().clearCookies();
  const { token } = await signIn(page, 'admin@example.com', 'demo-admin-1');
  const headers = { authorization: `Bearer ${token}` };
  // Others wait too, and the job that queues it takes a moment.
  let queuePage = 0;
  await expect
    .poll(
      async () => {
        const first = await (await page.request.get('/api/admin/licences/queue', { headers })).json();
        for (let at = 1; at <= first.totalPages; at += 1) {
          const { claims } = await (await page.request.get(`/api/admin/licences/queue?page=${at}`, { headers })).json();
          if (claims.some((claim: { listingId: string }) => claim.listingId === id)) queuePage = at;
        }
        return queuePage;
      },
      { timeout: 90_000 },
    )
    .toBeGreaterThan(0);
  await page.goto(`/admin/licences?page=${queuePage}`);
  const claim = page.getByRole('article').filter({ has: page.getByRole('link', { name: title }) });
  await claim.getByRole('button', { name: 'Say what is there' }).click();
  await claim.getByLabel('Address of the record').fill('https://www.pgdb.co.nz/record/12345');
  await claim.getByLabel('Holder in the register').fill('Hana Walker');
  await claim.getByLabel('Class in the register').fill('Certifying plumber');
  await claim.getByLabel('Status in the register').fill('Current');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await claim.getByRole('button', { name: 'Save' }).click();
  await expect(claim).toHaveCount(0);
  await visitor.reload();
  await expect(licence).toContainText(/\(Certifying plumber in the register\).+Licence checked on \w+ \d+, \d{4}/);
  await visitor.context().close();

  // The form opens where it can be seen, and closing it leads back to the row.
  const row = page.getByRole('button', { name: /^Correct / }).last();
  await row.click();
  const correction = page.getByRole('form', { name: /^Correct / });
  await expect(correction.getByRole('heading')).toBeFocused();
  await expect(correction.getByRole('heading')).toBeInViewport();
  await correction.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toBeFocused();
});

test('an exemption was for one kind of work: for another the question is asked again @phone', async ({ page }) => {
  const seller = await register(page);
  await buyPlan(page, seller, 'basic');
  const id = await publish(page, seller, 'basic', `Plumber ${freshName()}`);
  await page.goto(`/editListing/${id}`);
  const exempt = page.getByRole('radio', { name: 'An exemption applies to us' });
  await exempt.check();
  await page.getByLabel('Which exemption').fill('We only clear drains');
  await page.getByLabel('Sub-category').selectOption({ label: 'Drain cleaning' });
  await expect(exempt).not.toBeChecked();
  await exempt.check();
  await page.getByLabel('Category', { exact: true }).selectOption('Cleaning');
  await expect(exempt).toHaveCount(0);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Listing updated successfully')).toBeVisible();
  await page.goto(`/listing/${id}`);
  await expect(page.getByText('an exemption applies')).toHaveCount(0);
});
