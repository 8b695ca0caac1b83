import type { Plan } from '@handwise/contract/plans/calls';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDraft } from '../../domains/selling/wizard/wizard-draft.ts';
import type { Draft } from '../../domains/selling/wizard/wizard-checks.ts';
import { listingDraftKey } from '../../lib/browser-storage.ts';
import { forgetUser, storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AddListPage from './add-list.tsx';

const mere = {
  _id: '0190f2c4-0000-7000-8000-000000000001',
  token: 'token',
  name: 'Mere',
  fullName: 'Mere Kingi',
  email: 'mere@example.org',
  emailConfirmed: true,
  referralCode: 'REF-MER-1',
} as StoredUser;
const createPlan = (planType: Plan['planType'], number: number, photos: number, priceMinor: number): Plan => ({
  _id: `0190f2c4-0000-7000-8000-00000000010${number}`,
  planType,
  name: planType[0]?.toUpperCase() + planType.slice(1),
  planPrice: priceMinor / 100,
  priceMinor,
  features: [],
  rank: number,
  slots: 5,
  photos,
  mostPopular: false,
});
const basic = createPlan('basic', 1, 5, 1500);
const premium = createPlan('premium', 2, 10, 2500);
type Sent = Record<string, unknown> & { serviceImages?: File[]; logo?: File[] };
const plans = { body: [basic, premium] as object };
const subscription = {
  _id: 'sub',
  plan: basic,
  planId: basic,
  country: 'NZ',
  timeZone: 'Pacific/Auckland',
  startDate: '2026-11-20T00:00:00.000Z',
  endDate: '2026-12-20T00:00:00.000Z',
  slots: 5,
  slotsUsed: 1,
  isActive: true,
  isDisputed: false,
  isRenewed: false,
  renewal: null,
};
const bought = (...subscriptions: object[]) => ({ body: { data: { subscriptions, freeFirstMonth: false, credits: [] } } });
const nothingAsked = { body: { required: 'no', thresholdMinor: null, what: '', registerName: '', registerUrl: '', register: null } };
const askedLicence = { body: { ...nothingAsked.body, required: 'yes', what: 'a plumbing licence', register: 'pgdb' } };
const refusal = (status: number, code: string, message: string, errors: object[] = []) => ({ status, body: { code, message, errors } });
const created = { status: 201, body: { _id: 'the-listing' } };
const intent = { body: { paymentIntentId: 'pi_2', clientSecret: 'secret', amount: 1500, free: null, heldReferral: null } };

/** A draft of a business and a listing that can be published. */
const fullDraft = (change: Partial<Draft> = {}): Draft => {
  const draft = createDraft('NZ');
  return {
    ...draft,
    begun: true,
    step: 'payment',
    business: {
      ...draft.business,
      businessName: 'Kingi Plumbing',
      businessEmail: 'office@kingi.example',
      region: 'Waikato',
      district: 'Taupō',
      services: 'Leaks, Drains',
      aboutBusiness: 'Three plumbers with forty years of experience between them, on time and tidy.',
    },
    listing: {
      ...draft.listing,
      title: `Plumber ${draft.submissionId}`,
      mainCategory: 'trade',
      category: 'Plumbing',
      description: 'Leaks, blocked drains and hot water, day and night.',
    },
    planId: basic._id,
    ...change,
  };
};
const paid = { paymentIntentId: 'pi_1', userId: mere._id, planId: basic._id, country: 'NZ', state: 'paid' } as const;
const store = (draft: Draft) => localStorage.setItem(listingDraftKey, JSON.stringify(draft));
const stored = () => JSON.parse(localStorage.getItem(listingDraftKey) ?? 'null') as Draft | null;
const png = (name: string) => new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), name], name, { type: 'image/png' });

function show(answers: Parameters<typeof answerCalls>[0] = {}, path = '/addList') {
  const calls = answerCalls({
    'GET /plan/all': [plans],
    'GET /plan-user/my-subscriptions': [bought()],
    'GET /listing/mylistings': [{ body: { listings: [] } }],
    'GET /licences/requirement': [nothingAsked],
    'GET /listing/towns': [{ body: { towns: [] } }],
    'GET /listing/bases': [{ body: { bases: [], named: 'Acacia Bay' } }],
    'GET /search': [{ body: { understood: {} } }],
    'GET /config': [{ body: { payments: { mode: 'sandbox', apiBase: '', publishableKey: 'pk_test' } } }],
    'POST /listing/check-photos': [{ body: { refused: [] } }],
    'POST /plan-user/create-intent': [intent],
    'GET /referral/dashboard': [{ body: { ownReferral: null } }],
    'GET /credit/all': [{ body: { data: [] } }],
    ...answers,
  });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 800, height: 600, close() {} }));
  vi.stubGlobal('scrollTo', () => {});
  const part = renderPart(
    <>
      <Toaster />
      <Routes>
        <Route path="/addList" element={<AddListPage />} />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
    </>,
    { path, root: { market: null, signInWith: [] } },
  );
  const press = async (name: string | RegExp) => part.user.click(await screen.findByRole('button', { name }));
  const type = async (label: string | RegExp, text: string) => {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await part.user.clear(field);
    if (text) await part.user.type(field, text);
  };
  const choose = async (label: string, name: string) => part.user.selectOptions(await screen.findByLabelText(label), name);
  const addPhotos = async (...names: string[]) =>
    part.user.upload(
      await screen.findByLabelText<HTMLInputElement>('Choose photos'),
      names.map((name) => png(name)),
    );
  const sentTo = (address: string) => calls.filter((one) => `${one.method} ${one.path}` === address).map(({ body }) => body as Sent);
  return { ...part, press, type, choose, addPhotos, calls, sentTo };
}
const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const photos = () =>
  within(screen.getByRole('list', { name: 'Your photos' }))
    .getAllByRole('img')
    .map((one) => one.getAttribute('alt'));
const namesOf = ({ serviceImages = [] }: Sent) => serviceImages.map(({ name }) => name);
const valueOf = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  forgetUser();
});

test('a listing that was not published after its payment is sent again as the same one, and not paid for again', async () => {
  storeUser(mere);
  const draft = fullDraft({ payment: paid });
  store(draft);
  const busy = refusal(500, 'internal', 'An unexpected error occurred');
  const { press, sentTo, calls, unmount } = show({ 'POST /listing/create': [null, busy] });
  for (const _ of ['no answer', 'a fault of the server']) {
    await screen.findByText('Your Basic plan is paid.');
    await press('Create Listing');
    expect((await screen.findByText('Failed to create your listing. Please try again.')).closest('[role=alert]')).toBeTruthy();
    await screen.findByText('Failed to create listing. Please try again.');
    expect(screen.queryByText('Your listing is live')).toBeNull();
    expect(stored()).toMatchObject({ submissionId: draft.submissionId, payment: paid, listing: draft.listing, business: draft.business });
  }
  unmount();
  // On another day.
  const later = show({ 'POST /listing/create': [created] });
  await screen.findByText('Your Basic plan is paid.');
  await later.press('Create Listing');
  await title('Your listing is live');
  screen.getByText(`People can find “${draft.listing.title}” in the search now.`);
  expect(screen.getByRole('link', { name: 'See your listing' }).getAttribute('href')).toBe('/listing/the-listing');
  const sent = [...sentTo('POST /listing/create'), ...later.sentTo('POST /listing/create')];
  expect(sent).toHaveLength(3);
  for (const one of sent)
    expect(one).toMatchObject({
      submissionId: draft.submissionId,
      paymentId: 'pi_1',
      servicePlan: basic._id,
      isUsingExistingSubscription: 'false',
      location: 'Taupō, Waikato, New Zealand',
      services: 'Leaks, Drains',
      usingDefaultLogo: 'true',
      defaultLogoText: 'K',
      defaultLogoColor: draft.logoColor,
    });
  expect([...calls, ...later.calls].filter(({ path }) => /plan-user\/(create-intent|pay)/.test(path))).toEqual([]);
  expect(stored()).toBeNull();
  expect(localStorage.getItem('listingFormStatus')).toBe('completed');
});

test('a plan that covers the listing publishes it without a payment, once for two presses', async () => {
  storeUser(mere);
  store(fullDraft({ planId: premium._id }));
  const { answer, give } = createLateAnswer(created);
  const { press, sentTo } = show({ 'GET /plan-user/my-subscriptions': [bought(subscription)], 'POST /listing/create': [null, answer] });
  await press('Create Listing');
  await screen.findByText('Failed to create your listing. Please try again.');
  await press('Create Listing');
  await title('Creating Your Listing');
  await screen.findByText('Almost there: we are putting your listing into the search.');
  expect(screen.queryByRole('button', { name: 'Create Listing' })).toBeNull();
  give();
  await title('Your listing is live');
  const sent = sentTo('POST /listing/create');
  expect(sent).toHaveLength(2);
  for (const one of sent) {
    // The covering plan, not the one that was chosen.
    expect(one).toMatchObject({ isUsingExistingSubscription: 'true', servicePlan: basic._id });
    expect(one).not.toHaveProperty('paymentId');
  }
  expect(sentTo('POST /plan-user/create-intent')).toEqual([]);
});

test('a free listing that failed says so in its own words and can be tried again', async () => {
  storeUser(mere);
  store(fullDraft());
  const free = { body: { ...intent.body, paymentIntentId: null, amount: 0, free: { source: 'free_first_month', needs: null } } };
  const { press, sentTo } = show({ 'POST /plan-user/create-intent': [free], 'POST /listing/create': [null, created] });
  await press('Create Listing (Free)');
  await screen.findByText('An unexpected error occurred with the free listing. Please try again.');
  await press('Create Listing (Free)');
  await title('Your listing is live');
  for (const one of sentTo('POST /listing/create')) {
    expect(one).toMatchObject({ isUsingExistingSubscription: 'false' });
    expect(one).not.toHaveProperty('paymentId');
  }
});

test.each([
  ['has bought another listing', 'payment_used'],
  ['was refunded', 'payment_required'],
  ['bought a plan that has ended', 'no_free_slot'],
])('a payment that %s is forgotten and another one offered; the listing stays', async (_, code) => {
  storeUser(mere);
  const draft = fullDraft({ payment: paid });
  store(draft);
  const { press, sentTo } = show({ 'POST /listing/create': [refusal(409, code, 'This payment cannot be used.')] });
  await press('Create Listing');
  await screen.findByRole('button', { name: 'Pay Now · $15.00 NZD' });
  expect(screen.getAllByText('This payment cannot be used.').length).toBeGreaterThan(0);
  expect(stored()).toMatchObject({ payment: null, listing: draft.listing, submissionId: draft.submissionId });
  expect(sentTo('POST /plan-user/create-intent')).toMatchObject([{ planId: basic._id, country: 'NZ' }]);
});

test('a listing whose id is taken is sent under another one, with the same payment', async () => {
  storeUser(mere);
  const draft = fullDraft({ payment: paid });
  store(draft);
  const { press, sentTo } = show({ 'POST /listing/create': [refusal(409, 'submission_taken', 'This has been sent before.'), created] });
  await press('Create Listing');
  await waitFor(() => expect(screen.getAllByText('This has been sent before.').length).toBeGreaterThan(0));
  await press('Create Listing');
  await title('Your listing is live');
  const [first, second] = sentTo('POST /listing/create');
  expect(first?.submissionId).toBe(draft.submissionId);
  expect(second?.submissionId).not.toBe(draft.submissionId);
  expect([first?.paymentId, second?.paymentId]).toEqual(['pi_1', 'pi_1']);
});

test('a photo that is refused at the end is left out, and the listing is published with the others and the logo', async () => {
  storeUser(mere);
  store(fullDraft({ step: 'details', payment: paid }));
  const message = '“pipe.png” is damaged or incomplete.';
  const refused = refusal(400, 'unsupported_picture', message, [{ field: 'serviceImages[1]', message }]);
  // Without an answer of the check, the server decides at the end.
  const { press, addPhotos, sentTo } = show({ 'POST /listing/check-photos': [null], 'POST /listing/create': [refused, created] });
  await addPhotos('van.png', 'pipe.png', 'tap.png');
  await waitFor(() => expect(photos()).toHaveLength(3));
  await press('Continue');
  await press('Create Listing');
  await title('Your listing is live');
  await screen.findByText(message);
  expect(sentTo('POST /listing/create').map(namesOf)).toEqual([
    ['van.png', 'pipe.png', 'tap.png'],
    ['van.png', 'tap.png'],
  ]);
});

test('nothing is paid before the photos are checked, and what was left out is said until the draft is begun anew', async () => {
  storeUser(mere);
  store(fullDraft({ step: 'details' }));
  const message = '“pipe.png” is damaged or incomplete.';
  const { answer, give } = createLateAnswer({ body: { refused: [{ field: 'serviceImages[1]', message }] } });
  const { user, press, addPhotos, sentTo } = show({ 'POST /listing/check-photos': [answer, { body: { refused: [] } }] });
  await addPhotos('van.png', 'pipe.png');
  await waitFor(() => expect(photos()).toHaveLength(2));
  await press('Continue');
  await screen.findByText('Checking your photos before anything is paid …');
  expect(screen.queryByRole('button', { name: /^Pay Now/ })).toBeNull();
  give();
  await screen.findByRole('button', { name: /^Pay Now/ });
  const leftOut = /We left out what we cannot use/;
  screen.getByText(leftOut);
  screen.getByText(/ · 1 photo$/);
  expect(stored()?.photos.map(({ name }) => name)).toEqual(['van.png']);
  await press('Back');
  await screen.findByText(leftOut);
  await addPhotos('tap.png');
  await waitFor(() => expect(sentTo('POST /listing/check-photos').map(namesOf)).toEqual([['van.png', 'pipe.png'], ['tap.png']]));
  await press('Start fresh');
  await screen.findByRole('dialog', { name: 'Start fresh?' });
  await press('Keep my draft');
  await screen.findByText(leftOut);
  await press('Start fresh');
  const dialog = within(await screen.findByRole('dialog', { name: 'Start fresh?' }));
  dialog.getByText(/A plan you paid for stays yours/);
  await user.click(dialog.getByRole('button', { name: 'Start fresh' }));
  await title('Tell us about your business');
  expect(stored()).toBeNull();
  await waitFor(() => expect(valueOf('Business name')).toBe(''));
});

test('a visitor’s draft is the tab’s until step 1 is finished, then waits in the browser at the step where it was left', async () => {
  const { user, press, type, choose, addPhotos, unmount, router, sentTo } = show();
  await title('Tell us about your business');
  await type('Business name', 'Kingi Plumbing');
  await press('Continue');
  expect((await screen.findAllByText('Business email is required')).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Start fresh' })).toBeNull();
  await type('Business email', 'office@kingi.example');
  await choose('Country', 'NZ');
  await choose('Region', 'Waikato');
  await choose('District or city', 'Taupō');
  await type('Services', 'Leaks, Drains,, leaks');
  await press('Remove Drains');
  await type(/^About your business/, 'Three plumbers with forty years of experience between them, on time.');
  expect(stored()).toBeNull();
  expect(JSON.parse(sessionStorage.getItem(listingDraftKey) ?? '')).toMatchObject({
    begun: false,
    business: { businessName: 'Kingi Plumbing' },
  });
  await press('Continue');
  await title('Choose a plan');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose a plan'));
  expect(stored()).toMatchObject({ begun: true, step: 'plan', business: { services: 'leaks', district: 'Taupō' } });
  await user.click(await screen.findByRole('radio', { name: /Premium/ }));
  await title('Describe your listing');
  expect(stored()).toMatchObject({ planId: premium._id, step: 'details' });
  await type('Title', 'Plumber in Taupō');
  await choose('Main category', 'trade');
  await choose('Category', 'Plumbing');
  await choose('Sub-category (optional)', 'Drain cleaning');
  await type('Description', 'Leaks and drains.');
  await addPhotos('van.png');
  await waitFor(() => expect(photos()).toHaveLength(1));
  unmount();
  expect(localStorage.getItem('listingFormStatus')).toBe('incompleteExit');
  expect(router.state.location.search).toBe('');

  const later = show({
    'POST /plan-user/create-intent': [{ body: { ...intent.body, amount: 2500 } }],
    'POST /auth/register': [null, { status: 201, body: { data: mere, device: 'd'.repeat(43) } }],
  });
  await title('Describe your listing');
  expect([valueOf('Title'), valueOf('Category'), valueOf('Description')]).toEqual(['Plumber in Taupō', 'Plumbing', 'Leaks and drains.']);
  await later.press('Continue');
  expect((await screen.findAllByText('Description must be at least 20 characters')).length).toBeGreaterThan(0);
  await later.type('Description', 'Leaks, drains and hot water.');
  await later.press('Continue');
  await title('Create your account');
  expect(valueOf('Email')).toBe('office@kingi.example');
  await later.type('Full name', 'Mere Kingi');
  await later.type('Password', 'secret words');
  await later.press('Create account');
  await screen.findByText(/Nothing you typed is lost/);
  await later.press('Create account');
  await title('Payment');
  await screen.findByRole('button', { name: 'Pay Now · $25.00 NZD' });
  expect(later.sentTo('POST /plan-user/create-intent')).toMatchObject([{ planId: premium._id, country: 'NZ' }]);
  expect(sentTo('POST /listing/check-photos')).toEqual([]);
  expect(stored()).toMatchObject({ step: 'payment', listing: { title: 'Plumber in Taupō', subCategory: 'Drain cleaning' } });
});

test('back from the payment leads to the listing, the plan and the business, and another plan is paid for instead', async () => {
  storeUser(mere);
  store(fullDraft());
  const { press, user, sentTo, router } = show({
    'POST /plan-user/create-intent': [intent, { body: { ...intent.body, amount: 2500 } }],
  });
  await screen.findByRole('button', { name: 'Pay Now · $15.00 NZD' });
  await press('Back');
  await title('Describe your listing');
  expect(stored()?.step).toBe('details');
  await press('Back');
  await title('Choose a plan');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Basic/ }).checked).toBe(true);
  await press('Back');
  await title('Tell us about your business');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  await router.navigate(-1);
  await user.click(await screen.findByRole('radio', { name: /Premium/ }));
  await title('Describe your listing');
  await press('Continue');
  await screen.findByRole('button', { name: 'Pay Now · $25.00 NZD' });
  expect(sentTo('POST /plan-user/create-intent').map(({ planId }) => planId)).toEqual([basic._id, premium._id]);
});

test('photos over the plan’s number are marked, and taken out when the seller goes on', async () => {
  storeUser(mere);
  store(fullDraft({ step: 'details' }));
  const { press, addPhotos } = show();
  await addPhotos(...'abcdefg'.split('').map((letter) => `${letter}.png`));
  await waitFor(() => expect(photos()).toHaveLength(7));
  screen.getByText('7 of 5');
  expect(screen.getAllByText('Over your plan’s limit: removed when you continue')).toHaveLength(2);
  await press('Move left: photo 6');
  await press('Continue');
  await screen.findByRole('button', { name: /^Pay Now/ });
  expect(stored()?.photos.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png', 'd.png', 'f.png']);
});

test('no photo is taken out while the plans are still loading', async () => {
  storeUser(mere);
  store(fullDraft({ step: 'details', planId: premium._id }));
  const { answer, give } = createLateAnswer(plans);
  const { press, addPhotos } = show({ 'GET /plan/all': [answer] });
  await addPhotos(...'abcdef'.split('').map((letter) => `${letter}.png`));
  await waitFor(() => expect(photos()).toHaveLength(6));
  await press('Continue');
  await title('Payment');
  give();
  await screen.findByText(/ · 6 photos$/);
  expect(stored()?.photos).toHaveLength(6);
});

test('the category of a title is chosen, and one that was chosen by hand stays', async () => {
  store(fullDraft({ step: 'details', listing: createDraft('NZ').listing }));
  const { type, choose, calls } = show({
    'GET /search': [null, { body: { understood: { category: 'Plumbing', subCategory: 'Drain cleaning' } } }],
  });
  await type('Title', 'Emergency');
  await waitFor(() => expect(calls.some((one) => one.path.startsWith('/search'))).toBe(true));
  await type('Title', 'Emergency plumbing');
  await screen.findByText('We chose the category from your title. Change it if that’s wrong.');
  expect([valueOf('Main category'), valueOf('Category'), valueOf('Sub-category (optional)')]).toEqual([
    'trade',
    'Plumbing',
    'Drain cleaning',
  ]);
  await choose('Main category', 'domestic');
  expect([valueOf('Category'), valueOf('Sub-category (optional)')]).toEqual(['', '']);
  expect(screen.queryByText(/We chose the category/)).toBeNull();
  await type('Title', 'Emergency plumbing in Taupō');
  expect(stored()?.listing).toMatchObject({
    title: 'Emergency plumbing in Taupō',
    mainCategory: 'domestic',
    category: '',
    subCategory: '',
  });
});

test('a licence that the law asks for is asked for before anything is paid, also of a draft from before', async () => {
  storeUser(mere);
  store(fullDraft());
  const { press, type, user, choose } = show({ 'GET /licences/requirement': [askedLicence] });
  await title('Describe your listing');
  await press('Continue');
  expect((await screen.findAllByText(/The law asks for a licence for this work here/)).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('radio', { name: 'We hold a licence' }));
  // The register that the law names.
  await waitFor(() => expect(valueOf('Licence register')).toBe('pgdb'));
  await type('Licence number', '12345');
  await press('Continue');
  expect((await screen.findAllByText('Say who holds the licence')).length).toBeGreaterThan(0);
  await choose('Licence register', 'pgdb');
  await type('Licence holder', 'M. Kingi');
  await press('Continue');
  expect((await screen.findAllByText('Name the class of the licence, as the register has it')).length).toBeGreaterThan(0);
  await type('Licence class', 'Certifying plumber');
  await press('Continue');
  await screen.findByRole('button', { name: /^Pay Now/ });
  expect(stored()?.facts).toMatchObject({ licenceAnswer: 'licence', licenceNumber: '12345', licenceRegister: 'pgdb' });
});

test('an exemption that was named for one place is asked for again in another', async () => {
  storeUser(mere);
  const draft = fullDraft({ step: 'business' });
  store({ ...draft, facts: { ...draft.facts, licenceAnswer: 'exempt', licenceExemption: 'Only drains' } });
  const { choose } = show({ 'GET /licences/requirement': [askedLicence] });
  await title('Tell us about your business');
  await choose('District or city', 'Hamilton');
  expect(stored()?.facts).toMatchObject({ licenceAnswer: 'exempt', licenceExemption: 'Only drains' });
  await choose('Region', 'Otago');
  expect(stored()).toMatchObject({ business: { region: 'Otago', district: '' }, facts: { licenceAnswer: '', licenceExemption: '' } });
});

test('a town fills in its place, and one that is not in the district is refused', async () => {
  const town = { label: 'Acacia Bay, Taupō', name: 'Acacia Bay', base: 'Acacia Bay', country: 'NZ', region: 'Waikato', district: 'Taupō' };
  const draft = fullDraft({ step: 'business' });
  store(draft);
  const { type, press, choose, user, calls } = show({
    'GET /listing/towns': [null, { body: { towns: [town] } }],
    'GET /listing/bases': [{ body: { bases: [], named: null } }, null],
  });
  await choose('Region', 'Otago');
  await choose('District or city', 'Dunedin');
  await type(/^Town or suburb/, 'Ac');
  await waitFor(() => expect(calls.some((one) => one.path.startsWith('/listing/towns'))).toBe(true));
  await type(/^Town or suburb/, 'Acacia Bay');
  await user.tab();
  await waitFor(() => expect(valueOf('District or city')).toBe('Taupō'));
  expect(stored()).toMatchObject({ business: { region: 'Waikato', district: 'Taupō' }, listing: { base: 'Acacia Bay' } });
  await press('Continue');
  expect((await screen.findAllByText('There is no such town or suburb in Taupō')).length).toBeGreaterThan(0);
  // Without an answer, publishing checks it again.
  await press('Continue');
  await title('Choose a plan');
});

test('a member’s last business is filled in with its own colour and without its prices; where it is not known the form is empty', async () => {
  storeUser(mere);
  const listing = {
    _id: 'last',
    businessTitle: 'Kingi Plumbing',
    businessEmailAddress: 'office@kingi.example',
    businessInfo: 'Three plumbers with forty years of experience between them, on time and tidy.',
    country: 'NZ',
    region: 'Waikato',
    district: 'Taupō',
    services: ['Leaks', 'Drains'],
    website: 'https://kingi.example',
    logo: '/files/logo.png',
    logoColor: '#EF4444',
    priceGuide: { from: 9500, unit: 'hour' },
    inTradeSince: 1998,
    hours: null,
    licence: null,
    withoutLicence: null,
    registerCheck: null,
  };
  const answers = { 'GET /listing/mylistings': [{ body: { listings: [{ _id: 'last' }] } }], 'GET /listing/last': [{ body: listing }] };
  const first = show(answers);
  await title('Tell us about your business');
  expect([valueOf('Business name'), valueOf('District or city'), valueOf('Services')]).toEqual([
    'Kingi Plumbing',
    'Taupō',
    'Leaks, Drains',
  ]);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Red' }).checked).toBe(true);
  await first.press('Continue');
  await title('Choose a plan');
  expect(stored()?.facts).toMatchObject({ inTradeSince: '1998', priceFrom: '' });
  first.unmount();
  localStorage.clear();
  sessionStorage.clear();
  const covered = show({ ...answers, 'GET /plan-user/my-subscriptions': [bought(subscription)] });
  await title('Your plan');
  covered.unmount();
  localStorage.clear();
  sessionStorage.clear();
  show({ 'GET /listing/mylistings': [null] });
  await title('Tell us about your business');
  expect(valueOf('Business name')).toBe('');
});

test('nothing is offered for payment while it is not known what the member has bought', async () => {
  storeUser(mere);
  store(fullDraft());
  const { press, sentTo } = show({
    'GET /plan-user/my-subscriptions': [refusal(400, 'invalid_input', 'No.'), refusal(400, 'invalid_input', 'No.'), bought(subscription)],
  });
  await press(/again/i);
  await screen.findByRole('button', { name: 'Create Listing' });
  expect(sentTo('POST /plan-user/create-intent')).toEqual([]);
});

test('plans that could not be loaded lead back or are loaded again, and a plan of the address is chosen', async () => {
  store(fullDraft({ step: 'plan', planId: null }));
  const { press } = show(
    { 'GET /plan/all': [refusal(400, 'invalid_input', 'The plans are taking a break.'), plans] },
    '/addList?plan=premium',
  );
  await screen.findByText('Error loading plans: The plans are taking a break.');
  await press('Try Again');
  await press('Continue with Premium');
  await title('Describe your listing');
  expect(stored()?.planId).toBe(premium._id);
});

test('a damaged draft says so and keeps the rest, until it is begun anew', async () => {
  const draft = fullDraft({ step: 'business' });
  localStorage.setItem(listingDraftKey, JSON.stringify({ ...draft, business: { ...draft.business, website: 42 } }));
  const { press, user } = show();
  await screen.findByText(/Part of your draft could not be read/);
  expect(valueOf('Business name')).toBe('Kingi Plumbing');
  await press('Start fresh');
  await user.click(within(await screen.findByRole('dialog', { name: 'Start fresh?' })).getByRole('button', { name: 'Start fresh' }));
  await waitFor(() => expect(valueOf('Business name')).toBe(''));
  expect(screen.queryByText(/Part of your draft could not be read/)).toBeNull();
});

test('the next listing starts with the business and logo of the one just published, and nothing else of it', async () => {
  storeUser(mere);
  const draft = fullDraft({ step: 'business', payment: paid });
  store(draft);
  const { user, press, router, sentTo } = show({ 'POST /listing/create': [created] });
  await user.upload(await screen.findByLabelText<HTMLInputElement>('Choose a logo'), png('logo.png'));
  await screen.findByText(/^logo\.png\./);
  await press('Continue');
  await title('Your plan');
  await press('Continue');
  await title('Describe your listing');
  await press('Continue');
  await press('Create Listing');
  await title('Your listing is live');
  const [sent] = sentTo('POST /listing/create');
  expect(sent?.logo?.map(({ name }) => name)).toEqual(['logo.png']);
  expect(sent).not.toHaveProperty('usingDefaultLogo');
  expect(stored()).toBeNull();
  await router.navigate('/addList');
  await title('Tell us about your business');
  expect(valueOf('Business name')).toBe('Kingi Plumbing');
  screen.getByText(/^logo\.png\./);
  await press('Continue');
  await title('Choose a plan');
  expect(stored()).toMatchObject({
    payment: null,
    planId: null,
    photos: [],
    listing: { title: '', category: '' },
    logo: { name: 'logo.png' },
  });
  expect(stored()?.submissionId).not.toBe(draft.submissionId);
});
