import { fileURLToPath } from 'node:url';
import { type APIRequestContext, expect, test as base } from '@playwright/test';
import { addDays, getDay } from '@handwise/contract/dates';
import type { Engine } from './engines/engine.ts';
import { hasFirefox, openFirefox } from './engines/firefox.ts';
import { openOldChromium } from './engines/old-chromium.ts';
import { type Person, personAt } from './engines/person.ts';
import { hasWebKit, openWebKit } from './engines/webkit.ts';
import { freshName } from './journey.ts';
import { confirmAddress } from './mailbox.ts';
import { buyPlan, publish, register } from './selling.ts';

const photo = fileURLToPath(new URL('../../web/public/og.png', import.meta.url));

type Fixtures = { engine: Engine; person: Person };
const engines = ['WebKit', 'Firefox', 'Chromium of the oldest promised version'] as const;

const data = async (request: APIRequestContext, path: string) => (await request.get(path)).json();

for (const name of engines) {
  const test = base.extend<Fixtures>({
    engine: async ({ browser, baseURL }, use) => {
      const open = { WebKit: openWebKit, Firefox: openFirefox };
      const engine = await (name === 'WebKit' || name === 'Firefox' ? open[name]() : openOldChromium(browser, baseURL ?? ''));
      await use(engine);
      const complaints = await engine.complaints();
      await engine.close();
      // A font that the next page's navigation cut off is nothing's fault.
      expect(
        complaints.filter((one) => !/status of 4\d\d|downloadable font/.test(one)),
        `complaints of ${name}`,
      ).toEqual([]);
    },
    person: async ({ engine, baseURL }, use) => use(personAt(await engine.newTab(), baseURL ?? '')),
  });

  // Walked once: each engine opens its window at a phone's size.
  test.describe(`in ${name} @phone`, () => {
    test.skip(name === 'WebKit' && !hasWebKit(), 'WebKit is not installed (webkit2gtk-driver, xvfb)');
    test.skip(name === 'Firefox' && !hasFirefox(), 'Firefox is not installed (firefox-esr)');

    test('a visitor searches by keyboard, filters, sees the map, and opens a listing and its photos', async ({ person }) => {
      await person.open('/');
      await person.fill('What do you need?', 'leaking t');
      await person.until('a suggestion', `return document.querySelector('[role=option]') !== null`);
      await person.key('ArrowDown');
      await person.until('a chosen suggestion', `return document.querySelector('[role=option][aria-selected=true]') !== null`);
      await person.key('Enter');
      await person.until('no suggestions', `return document.querySelector('[role=option]') === null`);
      await person.press('Search', 'main button');
      await person.at(/^\/search\?/);
      await person.until('results', `return document.querySelectorAll('article').length > 0`);
      // A choice that is made while the page starts may be lost on a busy machine.
      await person.until(
        'a started page',
        `return Object.keys(document.querySelector('main form') ?? {}).some((key) => key.startsWith('__react'))`,
      );
      // WebKit's driver loses a press now and then while other windows are open; nothing is pressed twice that has worked.
      await expect(async () => {
        if ((await person.count('[popover] [type=submit]')) === 0) await person.press('Filters', 'button');
        if ((await person.count('label:has([name=photos]:checked)')) === 0) await person.press('With photos', 'label');
        await person.press('Show', '[popover] button');
        await expect.poll(() => person.isAt(/photos=1/), { timeout: 10_000 }).toBe(true);
      }).toPass({ timeout: 120_000 });
      await person.until('the filters closed', `return !named('label', 'With photos')`);
      await person.press('Map', 'label');
      await person.until(
        'pins',
        `return document.querySelectorAll('.leaflet-marker-pane [role=button], .leaflet-marker-pane button').length > 0`,
      );
      await person.press('List', 'label');
      await person.expectNoSidewaysScroll();
      await person.press('', 'article h2 a');
      await person.at(/^\/listing\//);
      await person.press('Photo 1', 'main button');
      await person.until('the photo', `return document.querySelector('dialog[open]') !== null`);
      await person.key('Escape');
      await person.until('no dialog', `return document.querySelector('dialog[open]') === null`);
      await person.expectNoSidewaysScroll();
    });

    test('a message typed before signing up is sent, and its answer arrives in two tabs', async ({ engine, person, request, baseURL }) => {
      const seller = await register({ request });
      await buyPlan({ request }, seller, 'basic');
      const listing = await publish({ request }, seller, 'basic', `Plumber ${freshName()}`);
      const text = `Can you come on Tuesday? ${freshName()}`;
      await person.open(`/listing/${listing}`);
      await person.press('Message the seller');
      await person.at(/^\/auth\/login/);
      await person.fill('Your message to', text);
      await person.until(
        'the typed message',
        `return [...document.querySelectorAll('textarea')].some((el) => el.value === ${JSON.stringify(text)})`,
      );
      const username = freshName();
      await person.fill('Full name', 'Aroha Ngata');
      await person.fill('Username', username);
      await person.fill('Email', `${username}@example.org`);
      await person.fill('Password', 'pohutukawa-9');
      await person.press('Create account', 'main button');
      await person.at(/^\/messages\/[\da-f-]{36}$/);
      await person.sees(text, '[role=log]');

      const { conversations } = await (await request.get('/api/messages?page=1', { headers: seller.headers })).json();
      const other = personAt(await engine.newTab(), baseURL ?? '');
      await other.open(`/messages/${conversations[0]._id}`);
      await other.sees(text, '[role=log]');
      const message = { message: 'Yes, at nine.', clientId: crypto.randomUUID() };
      const sent = await request.post(`/api/messages/${conversations[0]._id}`, { headers: seller.headers, data: message });
      expect(sent.ok(), await sent.text()).toBe(true);
      await other.sees('Yes, at nine.', '[role=log]');
      await person.sees('Yes, at nine.', '[role=log]');
    });

    test('a listing is written, keeps its photos over a reload, is paid for and edited', async ({ person, request }) => {
      const seller = await register({ request });
      await person.signIn(seller.user);
      await person.open('/addList');
      await person.fill('Business name', 'Walker Plumbing');
      await person.fill('Business email', 'walker@example.org');
      await person.choose('Country', 'New Zealand');
      await person.choose('Region', 'Waikato');
      await person.choose('District or city', 'Taupō');
      await person.fill('Services', 'Leaks, Drains');
      await person.fill('About your business', 'Three plumbers with forty years of experience between them, on time and tidy.');
      await person.press('Continue', 'main button');
      await person.press('Basic', '[role=radio], input[type=radio]');
      const title = `Plumber ${freshName()}`;
      await person.fill('Title', title);
      await person.choose('Main category', 'Trade');
      await person.choose('Category', 'Plumbing');
      await person.press('We hold a licence', '[role=radio], input[type=radio]');
      await person.fill('Licence number', '12345');
      await person.fill('Licence class', 'Certifying plumber');
      await person.fill('Licence holder', 'Hana Walker');
      await person.fill('Description', 'Leaks, blocked drains and hot water, day and night, with a fixed price before we start.');
      await person.chooseFiles('Choose photos', [photo]);
      await person.until('the photo', `return document.querySelectorAll('[aria-label="Your photos"] img').length === 1`);
      // What is shown is kept a moment later.
      await person.until(
        'the photo in storage',
        `const opened = indexedDB.open('handwise');
         opened.onsuccess = () => {
           const count = opened.result.transaction('files').objectStore('files').count();
           count.onsuccess = () => { window.storedFiles = count.result; opened.result.close(); };
         };
         return window.storedFiles === 1`,
      );
      await person.open('/addList');
      await person.until('the photo after a reload', `return document.querySelectorAll('[aria-label="Your photos"] img').length === 1`);
      await person.press('Continue', 'main button');
      await person.sees('Summary', 'h2, h3');
      await person.fill('Card number', '4242424242424242');
      await person.fill('Expiry date', '1234');
      await person.fill('Security code', '123');
      await person.press('Pay Now', 'main button');
      await person.sees('Your listing is live', 'h1');
      const { listings } = await (await request.get('/api/listing/mylistings?status=all&page=1', { headers: seller.headers })).json();
      await person.open('/mylistings/mylistings');
      await person.sees(title, 'main');
      await person.open(`/editListing/${listings[0]._id}`);
      // Safari draws a legend on the edge of its card.
      await person.until(
        'the headings inside their cards',
        `const cards = [...document.querySelectorAll('main fieldset .card, main fieldset.card')];
         const top = (el) => el.getBoundingClientRect().top;
         return cards.length >= 4 && cards.every((card) => top(card.querySelector('h2, legend')) - top(card) > 12)`,
      );
      await person.fill('Service title', `${title} and drains`);
      await person.press('Save changes', 'main button');
      await person.sees('Listing updated successfully');
      expect((await data(request, `/api/listing/${listings[0]._id}`)).serviceTitle).toBe(`${title} and drains`);
    });

    test('a quote is accepted', async ({ person, request }) => {
      const [seller, buyer] = [await register({ request }), await register({ request })];
      await buyPlan({ request }, seller, 'basic');
      const listingId = await publish({ request }, seller, 'basic', `Plumber ${freshName()}`);
      const first = { sellerId: seller.user._id, listingId, message: 'My tap drips.' };
      const { conversationId } = await (await request.post('/api/email/send', { headers: buyer.headers, data: first })).json();
      const quote = {
        conversationId,
        clientId: crypto.randomUUID(),
        kind: 'quote',
        gstIncluded: true,
        lines: [{ description: 'Labour', quantityMilli: 2500, unitMinor: 9500 }],
        validUntil: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
        notes: '',
      };
      const sent = await request.post('/api/quotes', { headers: seller.headers, data: quote });
      expect(sent.ok(), await sent.text()).toBe(true);
      await person.signIn(buyer.user);
      await person.open(`/messages/${conversationId}`);
      await person.press('Accept quote', 'article button');
      await person.press('Accept quote', 'dialog button');
      await person.sees('Accepted on', 'article');
      const accepted = await (await request.get(`/api/quotes?conversationId=${conversationId}`, { headers: seller.headers })).json();
      expect(accepted.quotes[0].state).toBe('accepted');
    });

    test('a photo goes with a message, a visit is taken and cancelled, and a review is written', async ({ person, request }) => {
      const [seller, buyer] = [await register({ request }), await register({ request })];
      await confirmAddress({ request }, buyer.user.email);
      await buyPlan({ request }, seller, 'basic');
      const listingId = await publish({ request }, seller, 'basic', `Plumber ${freshName()}`);
      const first = { sellerId: seller.user._id, listingId, message: 'My tap drips.' };
      const { conversationId } = await (await request.post('/api/email/send', { headers: buyer.headers, data: first })).json();
      await person.signIn(buyer.user);
      await person.open(`/messages/${conversationId}`);
      await person.chooseFiles('', [photo]);
      await person.until('the chosen photo', `return named('main button', 'Remove og.png') !== undefined`);
      await person.fill('Message', 'This one.');
      await person.press('Send', 'main button');
      await person.until('the sent photo', `return document.querySelectorAll('[role=log] img').length === 1`);

      const times = [`${addDays(getDay(new Date(), 'Pacific/Auckland'), 7)}T09:00`].map((start) => ({ start, minutes: 60 }));
      const visit = { conversationId, clientId: crypto.randomUUID(), times };
      expect((await request.post('/api/visits', { headers: seller.headers, data: visit })).status()).toBe(201);
      await person.press('Take this time', 'article button');
      await person.sees('Agreed', 'article');
      await person.expectNoSidewaysScroll();
      await person.press('Cancel visit', 'article button');
      await person.press('Cancel visit', 'dialog button');
      await person.sees('Cancelled', 'article');

      await person.open(`/listing/${listingId}`);
      await person.press('Write a review', 'button');
      await person.press('5 stars', 'dialog [type=radio]');
      await person.fill('Your review', 'Fixed the tap in no time.');
      await person.press('Submit review', 'dialog button');
      await person.sees('Fixed the tap in no time.', '#reviews article');
    });

    test('somebody new signs up at Google and at Apple, which answer from another site, and signs in there again', async ({ person }) => {
      for (const provider of ['Google', 'Apple']) {
        const email = `${freshName()}@example.org`;
        await person.open('/auth/login?redirect=/account/security');
        await person.press(`Continue with ${provider}`, 'main a');
        await person.fill('Name', 'Isla Nguyen');
        await person.fill('Email', email);
        await person.press('Continue', 'button');
        await person.sees('Registration Successful!', 'h1');
        await person.until('nothing of it in the address', `return location.hash === ''`);
        await person.expectNoSidewaysScroll();
        await person.open('/account/security');
        await person.sees(`${email}, connected on`, 'main');
        await person.expectNoSidewaysScroll();
        await person.signOut();
        await person.open('/auth/login?redirect=/account/security');
        await person.press(`Continue with ${provider}`, 'main a');
        await person.press(`Isla Nguyen, ${email}`, 'button');
        await person.at(/^\/account\/security$/);
        await person.sees(', last used', 'main');
        await person.signOut();
      }
      await person.open('/auth/register');
      await person.press('Continue with Apple', 'main a');
      await person.press('Cancel', 'button');
      await person.sees('You did not continue with Apple. Nothing was changed.', 'main');
      await person.expectNoSidewaysScroll();
    });

    test('a message typed before signing up at Google is sent', async ({ person, request }) => {
      const seller = await register({ request });
      await buyPlan({ request }, seller, 'basic');
      const listing = await publish({ request }, seller, 'basic', `Plumber ${freshName()}`);
      const text = `Our gutter leaks since Monday. ${freshName()}`;
      await person.open(`/listing/${listing}`);
      await person.press('Message the seller');
      await person.at(/^\/auth\/login/);
      await person.fill('Your message to', text);
      // Firefox complains about scripts that leaving the page cuts off.
      await person.until('the place for photos', `return document.querySelector('main input[type=file]') !== null`);
      await person.press('Continue with Google', 'main a');
      // Whoever is new comes first.
      await person.press('', 'li button');
      await person.at(/^\/messages\/[\da-f-]{36}$/);
      await person.sees(text, '[role=log]');
    });

    test('a past draw is checked in the browser', async ({ person, request }) => {
      const { draws } = await data(request, '/api/draws');
      const drawn = draws.find((one: { winner: unknown; status: string }) => one.status !== 'open' && one.winner);
      await person.open(`/draws/${drawn.period}`);
      await person.press('Check this draw in my browser', 'button');
      await person.sees('The tickets, the random number and the result all match.');
    });
  });
}
