import { expect, test } from 'vitest';
import { paths } from '@handwise/contract/paths';
import { testApp } from '@handwise/sandbox/testing/app';
import { photos } from '@handwise/sandbox/testing/photos';
import { testSite } from '@handwise/sandbox/testing/site';

const { app, db, given, callers, registers, outbox } = await testApp({ SANDBOX: '0' }, await testSite());
const { as } = callers;

const pageOf = async (url: string) => {
  const { body } = await app.inject(url);
  const main = /<main[\s\S]*<\/main>/.exec(body.replaceAll('<!-- -->', ''))?.[0] ?? '';
  const text = main
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, '’')
    .replace(/\s+/g, ' ');
  return { body, main, text };
};

const number = '9429000000031';

async function evident() {
  registers.set(number, { name: 'KINGI LIMITED' });
  const { seller, listing } = await given.published('basic', await photos(1), {
    businessNumber: number,
    priceFrom: '95',
    priceUnit: 'hour',
    callOut: '0',
    minimumCharge: '120',
    inTradeSince: '2009',
    hours: '{"mon":["07:30","17:00"],"tue":["07:30","17:00"],"sun":["00:00","24:00"]}',
    emergency: 'true',
    emergencyCallOut: 'true',
    insured: 'true',
    licenceRegister: 'pgdb',
    licenceNumber: 'P 12345',
    licenceName: 'Mere Kingi',
    licenceClass: 'Plumber',
  });
  await outbox.runJobs();
  return { seller, id: listing._id as string };
}

test('a listing starts with title, business, rating and place, and separates checked facts from claims', async () => {
  const { id, seller } = await evident();
  const { main, text, body } = await pageOf(`/listing/${id}`);
  const places = [
    '<h1',
    'Kingi &amp; Daughters',
    'New on Handwise',
    'Listed ',
    'aria-label="Photos"',
    'Description',
    'Good to know',
    'Business Details',
  ].map((words) => main.indexOf(words));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  for (const words of [
    /Verified on \w+ \d+, \d{4} : the Sandbox, in place of the New Zealand Business Number register \(opens in a new tab\) lists this business in operation as “KINGI LIMITED”, number 9429000000031\./,
    'It does not say that their work, prices, insurance or licences have been checked, and it is no recommendation of ours.',
    'Price guide From $95 per hour, no call-out fee, minimum charge $120.',
    'In the trade Since 2009',
    'Hours Mon to Tue , 7:30 am to 5 pm Sun , all day',
    'Also takes emergency call-outs outside these hours',
    'After hours Comes out in the evening, at night or at the weekend',
    'The business says it has public liability insurance.',
    'P 12345 (Plumber) , held by Mere Kingi . Licence stated, not checked : you can look it up with the Plumbers, Gasfitters and Drainlayers Board',
  ]) {
    expect(text).toMatch(typeof words === 'string' ? new RegExp(words.replace(/[$.()]/g, '\\$&').replace(/ /g, '\\s*')) : words);
  }
  expect(main).toContain('href="/how-we-check"');
  // Checks by a stand-in are not structured data; hours and prices are.
  const facts = /"@type":"LocalBusiness"[\s\S]*?<\/script>/.exec(body)?.[0] ?? '';
  expect(facts).toContain('"priceRange":"From $95 per hour, no call-out fee, minimum charge $120"');
  expect(facts).toContain('"foundingDate":"2009"');
  expect(facts).toContain('{"@type":"OpeningHoursSpecification","dayOfWeek":"Sunday","opens":"00:00","closes":"23:59"}');
  expect(facts).not.toContain('"identifier"');

  await db.updateTable('register_checks').set({ sandbox: false }).where('listing_id', '=', id).execute();
  await as(seller).put(`/listing/${id}/deactivate`);
  await db.updateTable('listings').set({ status: 'active' }).where('id', '=', id).execute();
  const real = await pageOf(`/listing/${id}?again`);
  expect(real.body).toContain('{"@type":"PropertyValue","propertyID":"NZBN","value":"9429000000031"}');
  expect(real.text).toContain('the New Zealand Business Number register');

  const { text: cards } = await pageOf('/services/plumbing');
  expect(cards).toMatch(
    /New on Handwise.*From \$95 per hour, no call-out fee, minimum charge \$120\s+Verified\s+Emergency call-outs\s+Comes out after hours\s+Since 2009/,
  );
  expect(cards).not.toContain('0.0');
});

test('shows emergency call-outs as outside opening hours only if the listing has hours', async () => {
  const { listing } = await given.published('basic', await photos(1), { emergency: 'true' });
  const { text } = await pageOf(`/listing/${listing._id}`);
  expect(text).toMatch(/Emergencies\s+Takes emergency call-outs(?! outside)/);
  expect(text).not.toContain('outside these hours');
});

test('a cached page shows no current time, links to the hours and shares by WhatsApp without a script', async () => {
  const { id } = await evident();
  const { main, text } = await pageOf(`/listing/${id}`);
  expect(main).toMatch(/<a href="#facts-heading"[^>]*>(<svg[\s\S]*?<\/svg>)Opening hours<\/a>/);
  expect(text).not.toMatch(/Open now|Closed now/);
  const [, href = ''] = /href="(https:\/\/wa\.me\/[^"]+)"/.exec(main) ?? [];
  const shared = new URL(href.replaceAll('&amp;', '&')).searchParams.get('text') ?? '';
  expect(shared).toMatch(new RegExp(`^\\S.* http://localhost:3000/listing/${id}$`));
  expect(
    main.match(/href="https:\/\/wa\.me\/[^"]+" [^>]*rel="noopener"|rel="noopener"[^>]*href="https:\/\/wa\.me/g)?.length,
  ).toBeGreaterThan(0);
});

test('labels the category drawing of a listing without photos', async () => {
  const label = 'Our drawing for Plumbing. This business has not added photos yet.';
  const { id } = await given.listing({ category: 6 });
  expect((await pageOf(`/listing/${id}`)).text).toContain(label);
  const { id: withPhotos } = await evident();
  const { text, main } = await pageOf(`/listing/${withPhotos}`);
  expect(text).not.toContain('Our drawing');
  // The seller’s own photo comes first.
  expect(/aria-label="Photo 1 of \d+[^"]*"[\s\S]*?<img[^>]*src="([^"]+)"/.exec(main)?.[1]).toMatch(/^\/files\//);
});

test('omits the section when a listing has no such facts', async () => {
  const { id } = await given.listing({ category: 12 });
  const { text, body } = await pageOf(`/listing/${id}`);
  expect(text).not.toContain('Good to know');
  for (const name of ['priceRange', 'foundingDate', 'openingHoursSpecification', 'identifier']) expect(body).not.toContain(`"${name}"`);
});

const fixedPaths = Object.values(paths).filter((path) => typeof path === 'string');
test.each(fixedPaths)('outside of the demo %s says nothing of a sandbox', async (path) => {
  const { text } = await pageOf(path);
  // The registers of this test are the stand-in, whose badges say so.
  expect(text.replaceAll('Verified (sandbox)', '')).not.toMatch(/sandbox|trial version|demo\b/i);
});

test('the page about checks explains badges and links to licence registers', async () => {
  const { text, main } = await pageOf('/how-we-check');
  expect(text).toContain('We ask again every 90 days.');
  expect(text).toContain('it is no recommendation of ours');
  for (const page of [
    'https://www.pgdb.co.nz/',
    'https://www.ewrb.govt.nz/',
    'https://www.lbp.govt.nz/',
    'https://www.qbcc.qld.gov.au/',
    'https://verify.licence.nsw.gov.au/',
    'https://www.bpc.vic.gov.au/',
  ])
    expect(main).toContain(`href="${page}"`);
});
