import type { Listing } from '@handwise/contract/listings/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { ownListingQuery } from '../../domains/selling/own/my-listings-queries.ts';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import EditListingPage from './edit-listing.tsx';

const id = '0192f0c4-0000-7000-8000-000000000000';
const picture = (name: string) => ({ src: `/files/${name}-1600.webp`, srcSet: `/files/${name}-400.webp 400w`, alt: name });
const listing = {
  _id: id,
  listingNumber: 7,
  sellerId: 'hemi',
  plan: { planType: 'basic' },
  serviceTitle: 'Plumber',
  businessTitle: 'Walker Plumbing',
  businessEmailAddress: 'hemi@example.org',
  businessPhone: '+64 21 345 678',
  businessInfo: 'Three plumbers with forty years of experience between them, on time.',
  serviceDescription: 'Leaks, blocked drains and hot water.',
  serviceCategory: 'Plumbing',
  serviceSubCategory: null,
  website: '',
  country: 'NZ',
  region: 'Waikato',
  district: 'Taupō',
  base: 'Acacia Bay',
  serviceRadiusKm: 30,
  serviceDistricts: [],
  services: ['Leaks', 'Drains'],
  logo: '/files/logo.webp',
  logoColor: '#10B981',
  pictures: ['a', 'b'].map(picture),
  hiddenPictures: [],
} as unknown as Listing;
const nothingAsked = { body: { required: 'no', thresholdMinor: null, what: '', registerName: '', registerUrl: '', register: null } };
type Sent = Record<string, unknown> & { serviceImageOrder?: string; hours?: string; serviceImages?: File[]; logo?: File[] };
const saved = { body: { listing } };
const png = (name: string) => new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), name], name, { type: 'image/png' });

function show(answers: Parameters<typeof answerCalls>[0], now: Partial<Listing> = {}) {
  const calls = answerCalls({
    [`GET /listing/${id}`]: [{ body: { ...listing, ...now } }],
    'GET /licences/requirement': [nothingAsked],
    'GET /listing/bases': [{ body: { bases: ['Acacia Bay'], named: 'Acacia Bay' } }],
    ...answers,
  });
  // Decodes every picture, as happy-dom cannot.
  vi.stubGlobal('createImageBitmap', async () => ({ width: 800, height: 600, close() {} }));
  const Page = EditListingPage as (props: { params: { listingId: string } }) => React.JSX.Element;
  const part = renderPart(
    <>
      <Toaster />
      <Routes>
        <Route path="/editListing/:id" element={<Page params={{ listingId: id }} />} />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
    </>,
    { path: `/editListing/${id}` },
  );
  const press = async (name: string | RegExp) => part.user.click(await screen.findByRole('button', { name }));
  const type = async (label: string | RegExp, text: string) => {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await part.user.clear(field);
    if (text) await part.user.type(field, text);
  };
  const at = () => part.router.state.location.pathname;
  const sent = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as Sent);
  return { ...part, press, type, at, sent, calls };
}
const photos = () =>
  within(screen.getByRole('list', { name: 'Your photos' }))
    .getAllByRole('img')
    .map((one) => one.getAttribute('alt'));
const valueOf = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
const choosePhotos = () => screen.findByLabelText<HTMLInputElement>('Choose photos');
const chooseLogo = () => screen.findByLabelText<HTMLInputElement>(/Choose (a|another) logo/);

beforeEach(() => storeUser({ _id: 'hemi', token: 'token' } as StoredUser));

test('an edit that failed keeps texts, photos and logo, and the next press sends all of it once', async () => {
  const { answer, give } = createLateAnswer(saved);
  const { user, press, type, at, sent } = show({
    [`PUT /listing/${id}`]: [null, { status: 200, body: null as unknown as object }, answer],
  });
  await type('Service title', 'Drainlayer');
  await user.upload(await choosePhotos(), [png('van.png'), png('shed.png')]);
  await waitFor(() => expect(photos()).toHaveLength(4));
  await press('Move left: photo 4');
  await press('Remove photo 2');
  await user.upload(await chooseLogo(), png('logo.png'));
  await screen.findByText(/^logo\.png\./);
  expect(photos()).toEqual(['photo 1: a', 'photo 2: shed.png', 'photo 3: van.png']);
  // The second answer is that of a proxy.
  for (const _ of ['no answer', 'no answer of ours']) {
    await press('Save changes');
    await screen.findByText(/Nothing you typed is lost/);
    await screen.findByText('Failed to update listing');
    expect(screen.queryByText('Listing updated successfully')).toBeNull();
    expect(at()).toBe(`/editListing/${id}`);
    expect(valueOf('Service title')).toBe('Drainlayer');
    expect(photos()).toHaveLength(3);
    await type('Service title', 'Drainlayer');
  }
  await press('Save changes');
  await press('Saving...');
  give();
  await screen.findByText('Another page');
  expect(at()).toBe('/mylistings/mylistings');
  screen.getByText('Listing updated successfully');
  const [first, second, third, ...more] = sent();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ serviceTitle: 'Drainlayer', services: 'Leaks,Drains', location: 'Taupō, Waikato, New Zealand' });
  expect(JSON.parse(first?.serviceImageOrder ?? '')).toEqual(['/files/a-1600.webp', 'new:0', 'new:1']);
  expect(first?.serviceImages?.map(({ name }) => name)).toEqual(['shed.png', 'van.png']);
  expect(first?.logo?.map(({ name }) => name)).toEqual(['logo.png']);
  expect(first).not.toHaveProperty('usingDefaultLogo');
  expect([second, third]).toEqual([first, first]);
});

test('what is refused is said above the form by its name, and nothing is lost', async () => {
  const message = '“van.png” is damaged or incomplete.';
  const { user, press, sent } = show({
    [`PUT /listing/${id}`]: [
      { status: 400, body: { code: 'unsupported_picture', message, errors: [{ field: 'serviceImages[0]', message }] } },
      saved,
    ],
  });
  await user.upload(await choosePhotos(), png('van.png'));
  await waitFor(() => expect(photos()).toHaveLength(3));
  await press('Save changes');
  await screen.findByText(`Photos: ${message}`);
  await press('Remove photo 3');
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()[1]?.serviceImages).toBeUndefined();
});

test('photos over the plan’s number stay, and new ones only go in below it', async () => {
  const hiddenPictures = ['c', 'd', 'e', 'f'].map(picture) as Listing['hiddenPictures'];
  const { user, press, type, sent } = show({ [`PUT /listing/${id}`]: [saved] }, { hiddenPictures });
  await screen.findByText('6 of 5');
  expect(screen.getAllByText('Not shown under your plan')).toHaveLength(1);
  await user.upload(await choosePhotos(), png('van.png'));
  await screen.findByText('7 of 5');
  await press('Save changes');
  await screen.findByText('Your plan shows up to 5 photos. Remove some before you add new ones.');
  expect(sent()).toEqual([]);
  await press('Remove photo 7');
  await type('Service title', 'Drainlayer');
  await press('Save changes');
  await screen.findByText('Another page');
  expect(JSON.parse(sent()[0]?.serviceImageOrder ?? '')).toHaveLength(6);
});

test('a photo or a logo that cannot be used is said, and the others are taken', async () => {
  const { user } = show({});
  const text = new File(['words'], 'cat.gif', { type: 'image/gif' });
  const field = await choosePhotos();
  field.removeAttribute('accept');
  await user.upload(field, [text, png('van.png')]);
  await screen.findByText('“cat.gif” is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.');
  expect(photos()).toEqual(['photo 1: a', 'photo 2: b', 'photo 3: van.png']);
  const logo = await chooseLogo();
  logo.removeAttribute('accept');
  await user.upload(logo, text);
  await waitFor(() => expect(screen.getAllByText(/^“cat.gif” is not a picture/)).toHaveLength(2));
  await user.upload(logo, png('logo.png'));
  await screen.findByText(/^logo\.png\./);
  expect(screen.getAllByText(/^“cat.gif” is not a picture/)).toHaveLength(1);
  // A second choice without a problem takes the first one’s words away.
  await user.upload(field, png('shed.png'));
  await waitFor(() => expect(screen.queryByText(/^“cat.gif”/)).toBeNull());
});

test('photos and a logo that are dropped are taken as those that are chosen', async () => {
  const { press, sent } = show({ [`PUT /listing/${id}`]: [saved] });
  const dropOn = (label: HTMLElement, ...files: File[]) =>
    fireEvent.drop(label.closest('[role=presentation]') as HTMLElement, { dataTransfer: { files } });
  dropOn(await choosePhotos(), png('van.png'), png('shed.png'));
  await waitFor(() => expect(photos()).toHaveLength(4));
  dropOn(await chooseLogo(), png('logo.png'));
  await screen.findByText(/^logo\.png\./);
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()[0]?.serviceImages).toHaveLength(2);
  expect(sent()[0]?.logo).toHaveLength(1);
});

test('a logo that is taken away is replaced by the letter on the chosen colour', async () => {
  const { press, user, sent } = show({ [`PUT /listing/${id}`]: [saved] });
  await press('Remove logo');
  await user.click(screen.getByRole('radio', { name: 'Teal' }));
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ usingDefaultLogo: 'true', defaultLogoColor: '#14B8A6' }]);
});

test('an error that comes back while something is corrected leaves the focus where it is typed', async () => {
  const { user, press, type } = show({});
  await type('Service title', '');
  await press('Save changes');
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('alert'));
  await type('Service title', 'Drainlayer');
  await waitFor(() => expect(screen.queryByText('Service title is required')).toBeNull());
  await type('Business name', '');
  expect((await screen.findAllByText('Business name is required')).length).toBeGreaterThan(0);
  expect(document.activeElement).toBe(screen.getByLabelText('Business name'));
  await user.click(screen.getByRole('link', { name: 'Business name is required' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Business name'));
  await press('Save changes');
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('alert'));
});

test('another place asks for its district and forgets the town; another category forgets the sub-category', async () => {
  const { user, press, sent } = show({ [`PUT /listing/${id}`]: [saved] }, { serviceSubCategory: 'Drain cleaning', serviceRadiusKm: null });
  await screen.findByLabelText('Service title');
  expect(valueOf(/^Town or suburb/)).toBe('Acacia Bay');
  await user.selectOptions(screen.getByLabelText('Region'), 'Otago');
  expect(valueOf('District or city')).toBe('');
  expect(valueOf(/^Town or suburb/)).toBe('');
  await press('Save changes');
  expect((await screen.findAllByText('Location is required')).length).toBeGreaterThan(0);
  expect(sent()).toEqual([]);
  await user.selectOptions(screen.getByLabelText('District or city'), 'Dunedin');
  await user.selectOptions(screen.getByLabelText('Category'), 'Roofing');
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ location: 'Dunedin, Otago, New Zealand', base: '', serviceCategory: 'Roofing', serviceSubCategory: '' }]);
});

test('services are added by comma, Enter and leaving the field, once each, and removed by their cross', async () => {
  const { user, press, sent } = show({ [`PUT /listing/${id}`]: [saved] });
  const field = await screen.findByLabelText('Services offered');
  await user.type(field, 'Gas,');
  await user.type(field, 'leaks{Enter}');
  await screen.findByText('This service is already added');
  await user.type(field, 'Hot water');
  await press('Remove Drains');
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ services: 'Leaks,Gas,Hot water' }]);
});

test('leaving with a change asks first, and also when only photos or the logo changed', async () => {
  const { press, type, router, at } = show({});
  const leave = () => router.navigate('/mylistings/saved');
  const asked = () => screen.findByRole('dialog', { name: 'Leave without saving?' });
  await type('Business name', 'Walker and Daughters');
  await leave();
  await asked();
  await press('Keep editing');
  expect(at()).toBe(`/editListing/${id}`);
  expect(valueOf('Business name')).toBe('Walker and Daughters');
  await type('Business name', 'Walker Plumbing');
  await press('Move left: photo 2');
  await leave();
  await asked();
  await press('Keep editing');
  await press('Move left: photo 2');
  await press('Remove logo');
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  await leave();
  await asked();
  await press('Leave');
  await screen.findByText('Another page');
  expect(at()).toBe('/mylistings/saved');
});

test('leaving without a change, or with one that was taken back, asks nothing', async () => {
  const { press, router } = show({});
  await press('Move left: photo 2');
  await press('Move left: photo 2');
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  await router.navigate('/mylistings/saved');
  await screen.findByText('Another page');
});

test('what is typed stays whatever is loaded again meanwhile', async () => {
  const other = { ...listing, serviceTitle: 'Changed elsewhere' };
  const { type, client, calls } = show({ [`GET /listing/${id}`]: [{ body: listing }, { body: other }] });
  await type('Service title', 'Drainlayer');
  await client.refetchQueries(ownListingQuery(id));
  await waitFor(() => expect(calls.filter(({ path }) => path === `/listing/${id}`)).toHaveLength(2));
  expect(valueOf('Service title')).toBe('Drainlayer');
});

test.each([
  ['is not there', { status: 404, body: { code: 'listing_not_found', message: 'No.' } }],
  ['is another member’s', { body: { ...listing, sellerId: 'mere' } }],
])('a listing that %s is not offered for editing', async (_, answer) => {
  show({ [`GET /listing/${id}`]: [answer] });
  await screen.findByText("This listing isn't here");
  expect(screen.queryByLabelText('Service title')).toBeNull();
});

test('a listing that could not be loaded is loaded again', async () => {
  const { press } = show({ [`GET /listing/${id}`]: [null, { body: listing }] });
  await screen.findByText('Failed to fetch listing details');
  await press(/again/i);
  expect(await screen.findByLabelText('Service title')).toBeTruthy();
});

test('hours are shared by the week but for days of their own, and a day that closes before it opens is refused', async () => {
  const hours = { mon: ['08:00', '17:00'], tue: ['08:00', '17:00'] };
  const { press, sent } = show({ [`PUT /listing/${id}`]: [saved] }, { hours } as unknown as Listing);
  const set = async (label: string, value: string) => fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  const pressed = (name: string) => screen.getByRole('button', { name, hidden: true }).getAttribute('aria-pressed');
  await screen.findByLabelText('Service title');
  // Most days of the week are closed, so those with hours are days of their own.
  expect(['Mon', 'Tue', 'Wed', 'Sat'].map(pressed)).toEqual(['true', 'true', 'false', 'false']);
  await set('Monday to Friday, from', '07:30');
  await set('Monday to Friday, until', '16:00');
  await press('Tue');
  await press('Sat');
  await set('Sat, from', '18:00');
  await set('Sat, until', '09:00');
  await press('Save changes');
  expect((await screen.findAllByText('Close after you open')).length).toBeGreaterThan(0);
  expect(sent()).toEqual([]);
  await set('Sat, until', '00:00');
  await press('Save changes');
  await screen.findByText('Another page');
  const usual = ['07:30', '16:00'];
  expect(JSON.parse(sent()[0]?.hours ?? '')).toEqual({
    mon: ['08:00', '17:00'],
    tue: usual,
    wed: usual,
    thu: usual,
    fri: usual,
    sat: ['18:00', '24:00'],
  });
});

test('prices, years and flags are shown as stored, and sent as they were changed or cleared', async () => {
  const now = { priceGuide: { from: 9550, unit: 'hour', callOut: 0 }, inTradeSince: 1998, insured: true, emergency: true };
  const { user, type, press, sent } = show({ [`PUT /listing/${id}`]: [saved] }, now as unknown as Listing);
  await screen.findByLabelText('Service title');
  expect([valueOf(/^Prices from/), valueOf(/^Call-out fee/), valueOf(/^In the trade since/)]).toEqual(['95.50', '0', '1998']);
  await user.click(screen.getByLabelText('I take emergency call-outs outside my usual hours'));
  await type(/^Call-out fee/, '');
  await type(/^Prices from/, 'a lot');
  await user.selectOptions(screen.getByLabelText(/^Price for/), 'hour');
  await press('Save changes');
  expect((await screen.findAllByText('Use dollars, such as 95 or 95.50')).length).toBeGreaterThan(0);
  await type(/^Prices from/, '1,095');
  await press('Save changes');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([
    { priceFrom: '1,095', priceUnit: 'hour', callOut: '', inTradeSince: '1998', insured: 'true', emergency: '' },
  ]);
});

test('an answer about the licence is asked for again where the law’s limit is lower now, or the work is another', async () => {
  const asked = { ...nothingAsked.body, required: 'above-threshold', thresholdMinor: 500_000, what: 'a builder’s licence' };
  const withoutLicence = { exemption: null, limitMinor: 1_000_000 };
  const lower = show({ 'GET /licences/requirement': [{ body: asked }] }, { withoutLicence });
  const below = () => screen.findByRole<HTMLInputElement>('radio', { name: /^We only take work below/ });
  await below();
  await waitFor(async () => expect((await below()).checked).toBe(false));
  lower.unmount();
  const same = show(
    { 'GET /licences/requirement': [{ body: asked }], [`PUT /listing/${id}`]: [saved] },
    {
      withoutLicence: { exemption: null, limitMinor: 500_000 },
    },
  );
  expect((await below()).checked).toBe(true);
  await same.user.selectOptions(screen.getByLabelText('Category'), 'Roofing');
  await waitFor(async () => expect((await below()).checked).toBe(false));
  await same.user.click(screen.getByRole('radio', { name: 'An exemption applies to us' }));
  await same.type('Which exemption', 'Only gutters');
  await same.press('Save changes');
  await screen.findByText('Another page');
  expect(same.sent()).toMatchObject([{ licenceAnswer: 'exempt', licenceExemption: 'Only gutters' }]);
});
