import { type APIRequestContext, expect, test as base } from '@playwright/test';
import type { Engine } from './engines/engine.ts';
import { hasFirefox, openFirefox } from './engines/firefox.ts';
import { openOldChromium } from './engines/old-chromium.ts';
import { type Person, personAt } from './engines/person.ts';
import { hasWebKit, openWebKit } from './engines/webkit.ts';
import { freshName } from './journey.ts';
import { buyPlan, publish, register } from './selling.ts';

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
      await person.press('Filters', 'button');
      await person.press('With photos', 'label');
      await person.press('Show', '[popover] button');
      await person.at(/photos=1/);
      await person.until('the filters closed', `return !named('label', 'With photos')`);
      await person.press('Map', 'label');
      await person.until(
        'pins',
        `return document.querySelectorAll('.leaflet-marker-pane [role=button], .leaflet-marker-pane button').length > 0`,
      );
      await person.press('List', 'label');
      await person.expectNoSidewaysScroll();
      await person.press('Read more', 'article a');
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
      await person.press('Register now', 'main a');
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
      expect(accepted.quotes[0].status).toBe('accepted');
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
