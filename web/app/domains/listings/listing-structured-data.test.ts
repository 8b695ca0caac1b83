import type { Listing } from '@handwise/contract/listings/calls';
import { expect, test } from 'vitest';
import { toCardView } from './card-view.ts';
import { createLocalBusinessData } from './listing-structured-data.ts';
import { listingView } from './listing-view.ts';

const picture = (name: string) => ({
  src: `/files/${name}.webp`,
  srcSet: '',
  avifSrcSet: '',
  width: 800,
  height: 600,
  thumbhash: '',
  alt: name,
});
const listing: Listing = {
  _id: '019c0000-0000-7000-8000-000000000001',
  listingNumber: 1234,
  serviceTitle: ' Friendly plumber ',
  businessTitle: 'Kīngi & Daughters',
  serviceDescription: 'Leaks.\n\nHot water.',
  mainCategory: 'trade',
  serviceCategory: 'Window & Glazing',
  serviceSubCategory: 'Glass repairs',
  services: ['Leaks'],
  serviceImages: [],
  logo: '/files/logo.webp',
  logoColor: '#10B981',
  location: 'Perth, Western Australia, Australia',
  country: 'AU',
  region: 'Western Australia',
  district: 'Perth',
  base: 'Subiaco',
  serviceRadiusKm: 30,
  serviceDistricts: [],
  status: 'active',
  plan: { planType: 'premium' },
  sellerId: '019c0000-0000-7000-8000-000000000002',
  averageRating: 4.76,
  reviewCount: 12,
  // 22:30 on the 15th in Perth.
  createdAt: '2027-01-15T14:30:00.000Z',
  subscriptionEndDate: '2027-02-14T14:30:00.000Z',
  timeZone: 'Australia/Perth',
  priceGuide: { from: 9500, unit: 'hour', callOut: 6000, minimumCharge: null, currency: 'AUD' },
  inTradeSince: 1998,
  hours: { mon: ['07:30', '17:00'], sun: ['00:00', '24:00'] },
  emergency: true,
  emergencyCallOut: true,
  insured: true,
  availability: null,
  answersWithinDay: true,
  answering: null,
  withoutLicence: null,
  licence: {
    register: 'wa',
    registerName: 'Building and Energy',
    page: 'https://www.wa.gov.au/',
    number: 'PL 1234',
    name: 'Mere Kīngi',
    class: null,
    classWords: null,
    checkedAt: null,
    sandbox: false,
  },
  verified: [
    {
      register: 'abn',
      registerName: 'Australian Business Register',
      number: '51 824 753 556',
      name: 'KINGI PTY LTD',
      // Past midnight in Perth.
      date: '2027-01-14T17:00:00.000Z',
      page: 'https://abr.business.gov.au/ABN/View?abn=51824753556',
      sandbox: false,
      notMeant: 'It is no recommendation.',
    },
  ],
  hasPhone: true,
  businessInfo: 'A family business.\nSince 1998.',
  website: 'www.kingi.example/about',
  pictures: ['a', 'b', 'c', 'd'].map(picture),
  ratingCounts: [0, 0, 0, 3, 9],
  reviews: [],
  removedReviews: [],
  sellerSince: '2020-01-01T00:00:00.000Z',
};

test("shows a listing's text, place and date", () => {
  expect(listingView(listing)).toMatchObject({
    id: listing._id,
    number: 1234,
    title: 'Friendly plumber',
    description: ['Leaks.', 'Hot water.'],
    category: { name: 'Window & Glazing', slug: 'window-glazing' },
    subCategory: 'Glass repairs',
    business: {
      name: 'Kīngi & Daughters',
      logo: '/files/logo.webp',
      color: '#10B981',
      about: ['A family business.', 'Since 1998.'],
      website: { href: 'https://www.kingi.example/about', label: 'kingi.example/about' },
    },
    location: expect.stringMatching(/^Perth\s› Western\sAustralia\s› Australia$/),
    region: { name: 'Western Australia', slug: 'western-australia' },
    plan: 'premium',
    listedOn: 'Jan 15, 2027',
  });
});

test('says what a listing lacks', () => {
  const empty = { ...listing, serviceTitle: ' ', serviceDescription: ' ', location: '' };
  expect(listingView(empty)).toMatchObject({ title: 'Untitled Listing', location: 'Location unavailable', description: [] });
  expect(toCardView({ ...empty, cover: null, reviews: [] })).toMatchObject({
    title: 'Untitled Listing',
    description: 'No description available',
    location: 'Location not specified',
  });
});

test('describes the business with place, pictures and rating to search engines', () => {
  const data = createLocalBusinessData(listingView(listing), 'https://handwise.example');
  expect(data).toMatchObject({
    '@type': 'LocalBusiness',
    '@id': `https://handwise.example/listing/${listing._id}`,
    name: 'Kīngi & Daughters',
    description: 'Leaks.\nHot water.',
    image: ['a', 'b', 'c'].map((name) => `https://handwise.example/files/${name}.webp`),
    sameAs: 'https://www.kingi.example/about',
    address: { addressLocality: 'Perth', addressRegion: 'Western Australia', addressCountry: 'AU' },
    makesOffer: { itemOffered: { name: 'Friendly plumber', serviceType: 'Window & Glazing' } },
    aggregateRating: { ratingValue: '4.8', reviewCount: 12, bestRating: 5, worstRating: 1 },
  });
});

test.each([
  ['how far it comes', {}, { '@type': 'GeoCircle', geoRadius: 30_000, geoMidpoint: { address: { addressLocality: 'Subiaco' } } }],
  [
    'the districts it names',
    { serviceRadiusKm: null, serviceDistricts: ['Perth', 'Mandurah'] },
    [{ '@type': 'AdministrativeArea', name: 'Perth' }, { name: 'Mandurah' }],
  ],
  ['its region where it says nothing', { base: null, serviceRadiusKm: null }, 'Western Australia'],
])('describes the area served to search engines: %s', (_, area, areaServed) => {
  expect(createLocalBusinessData(listingView({ ...listing, ...area }), 'https://handwise.example')).toMatchObject({ areaServed });
});

test('shows on a card where its business is based and how far it travels, if known', () => {
  const card = { ...listing, cover: null, reviews: [] };
  expect(toCardView(card).serviceArea).toBe('Based in Subiaco · works within 30 km');
  expect(toCardView({ ...card, base: null, serviceRadiusKm: null }).serviceArea).toBe('');
});

test('claims no rating, picture or website without one', () => {
  const bare = listingView({ ...listing, reviewCount: 0, averageRating: 0, pictures: [], website: '' });
  const data = createLocalBusinessData(bare, 'https://handwise.example');
  for (const key of ['aggregateRating', 'image', 'sameAs']) expect(data).not.toHaveProperty(key);
});
