import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photos } from '@handwise/sandbox/testing/photos';
import { testSite } from '@handwise/sandbox/testing/site';
import { faultsOfHtml } from '@handwise/sandbox/testing/valid-html';

const { app, given, parts, registers, outbox } = await testApp({ SANDBOX: '0' }, await testSite());

registers.set('9429000000031', { name: 'KINGI LIMITED' });
const { listing } = await given.published('basic', await photos(2), {
  businessNumber: '9429000000031',
  priceFrom: '95',
  priceUnit: 'hour',
  callOut: '0',
  inTradeSince: '2009',
  hours: '{"mon":["07:30","17:00"]}',
  emergency: 'true',
  insured: 'true',
  licenceRegister: 'pgdb',
  licenceNumber: 'P 12345',
  licenceName: 'Mere Kingi',
});
await given.listing({ title: 'Taps mended by Aroha', district: 301, category: 6, subCategory: 601 });
await outbox.runJobs();
await parts.context.events.catchUp();

const found = 200;
const missing = 404;

test.each([
  ['/', found],
  ['/services', found],
  ['/services/plumbing', found],
  ['/services/plumbing/waikato', found],
  ['/services/plumbing/waikato/hamilton', found],
  ['/services/roofing', found],
  ['/search', found],
  ['/search?q=zzzzz', found],
  ['/search?category=plumbing&where=hamilton&q=taps', found],
  ['/search?category=wizardry', missing],
  ['/listing/:id', found],
  ['/get-quotes', found],
  ['/pros', found],
  ['/privacy', found],
  ['/terms', found],
  ['/contact', found],
  ['/reviews-policy', found],
  ['/how-we-check', found],
  ['/draws', found],
  ['/draw-rules', found],
  ['/how-to-stop', found],
  ['/auth/login', found],
  ['/auth/register', found],
  ['/auth/forgot-password', found],
  ['/auth/verify', found],
  ['/auth/reset', found],
  ['/mails/end', found],
  ['/alerts/end', found],
  ['/addList', found],
  ['/home', found],
  ['/account', found],
  ['/no-such-page', missing],
])('%s is served as valid HTML', async (url, status) => {
  const { body, statusCode } = await app.inject(url.replace(':id', listing._id));
  expect(statusCode).toBe(status);
  expect(await faultsOfHtml(body)).toEqual([]);
});

test('detects invalid HTML', async () => {
  const faults = await faultsOfHtml(
    '<!DOCTYPE html><html lang="en"><head><title>A</title></head><body><p id="a"></p><span id="a"><div></div></span></body></html>',
  );
  expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(new Set(['element-permitted-content', 'no-dup-id']));
});
