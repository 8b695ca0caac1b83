import { testApp } from '@handwise/sandbox/test-app';
import sharp from 'sharp';
import { expect, test } from 'vitest';

const { as, asVisitor, given, mails } = await testApp();

const photo = async (width = 900, color = '#a33') =>
  sharp({ create: { width, height: 600, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

test('a listing that is paid for is in the search at once, with its pictures and under its plan', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'premium');
  const files = [
    { field: 'serviceImages', name: 'one.jpg', bytes: await photo() },
    { field: 'serviceImages', name: 'two.jpg', bytes: await photo(500, '#3a3') },
    { field: 'logo', name: 'logo.png', bytes: await photo(300) },
  ];
  const form = given.listingForm('premium', { paymentId, website: 'kingi.example' });
  const answer = await as(seller).postForm('/listing/create', form, files);
  expect(answer.body).toMatchObject({
    listing: { status: 'active', plan: { planType: 'premium' }, location: 'Taupō, Waikato, New Zealand' },
  });
  expect(answer.status).toBe(201);
  expect(answer.body.listing.serviceImages).toHaveLength(2);
  const found = await asVisitor.get(`/listing/all?listingNumber=${answer.body.listing.listingNumber}`);
  expect(found.body.listings.map((one: { _id: string }) => one._id)).toEqual([answer.body._id]);
  const subjects = (await mails()).filter((mail) => mail.to === seller.email).map((mail) => mail.subject);
  expect(subjects).toEqual([expect.stringContaining('receipt HW-'), '“Friendly local plumber” is live on Handwise']);
});
