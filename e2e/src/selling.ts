import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import pg from 'pg';
import { usePostgres } from '@handwise/sandbox/postgres';
import { expect, freshName, listPayments } from './journey.ts';
import { confirmAddress } from './mailbox.ts';

type PlanType = 'basic' | 'premium' | 'featured';

export type Seller = {
  user: { _id: string; fullName: string; email: string; token: string; referralCode: string };
  headers: { authorization: string };
};

const photo = new URL('../../web/public/og.png', import.meta.url);
export const photoFile = async (name: string) => ({ name, mimeType: 'image/png', buffer: await readFile(photo) });

async function answered(answer: Awaited<ReturnType<APIRequestContext['get']>>): Promise<any> {
  expect(answer.ok(), `${answer.url()}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

const part = () => Math.floor(Math.random() * 254) + 1;
/** The header of a network of its own: accounts that use referral codes from one network or mail domain are held. */
export const ownNetwork = () => ({ 'x-forwarded-for': `${part()}.${part()}.${part()}.7` });

/** Lets a page sign up and enter codes from a network of its own. */
export async function comeFromOwnNetwork(page: Page): Promise<void> {
  const network = ownNetwork();
  await page.route(/\/api\/(auth\/register|plan-user\/use-referral)$/, (route) =>
    route.continue({ headers: { ...route.request().headers(), ...network } }),
  );
}

/** What a request to the site needs; a page has it. */
export type Client = Pick<Page, 'request'>;

/** Registers a new member. */
export async function register(page: Client, headers: Record<string, string> = {}): Promise<Seller> {
  const name = freshName();
  const { data: user } = await answered(
    await page.request.post('/api/auth/register', {
      headers,
      data: { fullName: 'Hemi Walker', username: name, email: `${name}@${name}.example`, password: 'pohutukawa-9' },
    }),
  );
  return { user, headers: { authorization: `Bearer ${user.token}` } };
}

/** Registers a new member and signs the page in. */
export async function newSeller(page: Page, headers: Record<string, string> = {}): Promise<Seller> {
  const seller = await register(page, headers);
  await page.addInitScript((stored) => localStorage.setItem('user', JSON.stringify(stored)), seller.user);
  return seller;
}

async function planId(page: Client, type: PlanType): Promise<string> {
  const plans = await answered(await page.request.get('/api/plan/all'));
  return plans.find((one: { planType: PlanType }) => one.planType === type)._id;
}

/** Confirms an intent at the provider as its script does, with a confirmed bank check. */
async function confirmAtProvider(page: Client, kind: 'payment_intents' | 'setup_intents', clientSecret: string, method: string) {
  const payments = await listPayments(page);
  const form = { key: payments.publishableKey, client_secret: clientSecret };
  const address = `${payments.apiBase}/v1/${kind}/${clientSecret.split('_secret_')[0]}/confirm`;
  const { status } = await answered(await page.request.post(address, { form: { ...form, payment_method: method } }));
  if (status !== 'requires_action') return;
  await answered(await page.request.post(`${payments.apiBase}/sandbox/authenticate`, { form: { ...form, outcome: 'success' } }));
}

/** Pays for a plan, which gives a subscription with its slots. */
export async function buyPlan(page: Client, { headers }: Seller, type: PlanType) {
  const data = { planId: await planId(page, type), country: 'NZ' };
  const intent = await answered(await page.request.post('/api/plan-user/create-intent', { headers, data }));
  await confirmAtProvider(page, 'payment_intents', intent.clientSecret, 'pm_card_visa');
  const paid = { paymentIntentId: intent.paymentIntentId };
  await answered(await page.request.post('/api/plan-user/confirm-payment', { headers, data: paid }));
  return intent.paymentIntentId as string;
}

/** Publishes a listing with one photo, under a running subscription unless a free month pays for it. Returns its id. */
export async function publish(
  page: Client,
  { headers, user }: Seller,
  type: PlanType,
  title: string,
  { covered = true }: { covered?: boolean } = {},
): Promise<string> {
  const { _id } = await answered(
    await page.request.post('/api/listing/create', {
      headers,
      // A busy machine prepares the photo for longer than a step of a journey may take.
      timeout: 150_000,
      multipart: {
        submissionId: `journey-${freshName()}`,
        servicePlan: await planId(page, type),
        isUsingExistingSubscription: String(covered),
        serviceTitle: title,
        businessTitle: 'Walker Plumbing',
        businessEmailAddress: user.email,
        businessInfo: 'Three plumbers with forty years of experience between them, on time and tidy.',
        serviceDescription: 'Leaks, blocked drains and hot water, day and night, with a fixed price before we start.',
        serviceCategory: 'Plumbing',
        licenceRegister: 'pgdb',
        licenceNumber: '12345',
        licenceName: 'Hana Walker',
        licenceClass: 'Certifying plumber',
        location: 'Taupō, Waikato, New Zealand',
        services: 'Leaks,Drains',
        usingDefaultLogo: 'true',
        defaultLogoColor: '#10B981',
        serviceImages: await photoFile('van.png'),
      },
    }),
  );
  return _id;
}

/** Registers a business with a plan and a listing, and signs the page in. */
export async function newBusiness(page: Page) {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const title = `Plumber ${freshName()}`;
  return { seller, title, listing: await publish(page, seller, 'basic', title) };
}

/** A business at the page, and a buyer in another browser. */
export async function twoPeople(page: Page, browser: Browser, theirAddress?: string) {
  const business = await newBusiness(page);
  const other = await browser.newContext(theirAddress ? { baseURL: theirAddress } : {});
  const theirs = await other.newPage();
  return { ...business, other, theirs, buyer: await newSeller(theirs) };
}

/** Starts a conversation as the dialog does; returns its address. */
export async function startConversation(page: Client, buyer: Seller, seller: Seller, listingId: string, message: string): Promise<string> {
  const data = { sellerId: seller.user._id, listingId, message };
  const { conversationId } = await answered(await page.request.post('/api/email/send', { headers: buyer.headers, data }));
  return `/messages/${conversationId}`;
}

/** Says in the wizard which licence a plumber holds. The register is the one that the law names. */
export async function stateLicence(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'We hold a licence' }).check();
  await expect(page.getByLabel('Licence register')).toHaveValue('pgdb');
  await page.getByLabel('Licence number').fill('12345');
  await page.getByLabel('Licence class').fill('Certifying plumber');
  await page.getByLabel('Licence holder').fill('Hana Walker');
}

/** Gives a seller an unused free month: a friend signs up with the code, lists and pays for a plan, and the seller swaps the tickets. */
export async function earnFreeMonth(page: Page, { headers, user: { referralCode } }: Seller): Promise<void> {
  const username = freshName();
  const data = { fullName: 'Mere Kingi', username, email: `${username}@${username}.example`, password: 'pohutukawa-9', referralCode };
  const { data: user } = await answered(await page.request.post('/api/auth/register', { headers: ownNetwork(), data }));
  await confirmAddress(page, user.email);
  const friend = { user, headers: { authorization: `Bearer ${user.token}` } };
  await publish(page, friend, 'basic', `Plumber ${freshName()}`, { covered: false });
  await buyPlan(page, friend, 'basic');
  const { referrals } = await answered(await page.request.get('/api/referral/dashboard', { headers }));
  await answered(await page.request.post(`/api/referral/rewards/${referrals[0].id}`, { headers, data: { rewardType: 'free_month' } }));
}

/** Saves one of the provider's test cards, such as `pm_card_visa`. Returns its id. */
export async function saveCard(page: Page, { headers }: Seller, method = 'pm_card_visa'): Promise<string> {
  const { clientSecret, setupIntentId } = await answered(await page.request.post('/api/credit/setup-intent', { headers }));
  await confirmAtProvider(page, 'setup_intents', clientSecret, method);
  const card = await answered(await page.request.post('/api/credit', { headers, data: { setupIntentId } }));
  return card._id;
}

/** Ages a seller's plans and their renewals, which no page or call can do. */
export async function agePlans({ user }: Seller, days = 31): Promise<void> {
  const dataDir = process.env['DATA_DIR'];
  if (!dataDir) throw new Error('DATA_DIR does not say where the data of the site under test lie');
  const { url } = await usePostgres(dataDir);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const by = `- make_interval(days => $2)`;
  for (const text of [
    `update renewals set charge_at = charge_at ${by} where user_id = $1`,
    `update subscriptions set starts_at = starts_at ${by}, ends_at = ends_at ${by} where user_id = $1`,
    `update listings set subscription_ends_at = subscription_ends_at ${by} where seller_id = $1`,
  ])
    await client.query(text, [user._id, days]);
  await client.end();
}
