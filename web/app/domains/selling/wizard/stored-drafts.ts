// Drafts as versions of the wizard have stored them in browsers, by date. Who changes what a draft holds adds one, and changes none.

const ids = { submissionId: '0190f2c4-0000-7000-8000-00000000000a', planId: '0190f2c4-0000-7000-8000-000000000002' };
const business = {
  businessName: 'Tāne & Sons',
  businessEmail: 'tane@example.org',
  country: 'NZ',
  region: 'Waikato',
  district: 'Taupō',
  services: 'Leaks, Drains',
  aboutBusiness: 'Three plumbers with forty years of experience between them.',
  website: 'https://tane.example',
};
const listing = {
  title: 'Plumber in Taupō',
  mainCategory: 'trade',
  category: 'Plumbing',
  subCategory: '',
  description: 'Leaks, blocked drains and hot water, day and night.',
};
const others = {
  step: 'payment',
  begun: true,
  logoColor: '#10B981',
  logo: { id: 'b', name: 'logo.png' },
  photos: [{ id: 'a', name: 'deck.jpg' }],
  referralCode: 'REF-TAN-1234',
  payment: { paymentIntentId: 'pi_1', userId: '0190f2c4-0000-7000-8000-000000000001', planId: ids.planId, country: 'NZ', state: 'paid' },
};
const area = { base: 'Acacia Bay', reach: 'districts', serviceDistricts: ['Taupō', 'Rotorua'] };
const facts = {
  priceFrom: '95',
  priceUnit: 'hour',
  callOut: '60',
  inTradeSince: '1998',
  hours: '{"mon":["08:00","17:00"]}',
  emergency: 'true',
  insured: 'true',
  licenceRegister: 'pgdb',
  licenceNumber: '12345',
  licenceName: 'T. Walker',
  businessNumber: '9429041234567',
};

export const storedDrafts: Record<string, Partial<Record<'business' | 'listing' | 'evidence' | 'facts', object>>> = {
  '21 November 2026': { ...ids, ...others, business, listing },
  '22 November 2026': { ...ids, ...others, business, listing: { ...listing, ...area } },
  '23 November 2026': { ...ids, ...others, business, listing: { ...listing, ...area }, evidence: facts },
  '24 November 2026': { ...ids, ...others, business, listing: { ...listing, ...area }, evidence: { ...facts, minimumCharge: '120' } },
  '27 November 2026': {
    ...ids,
    ...others,
    business: { ...business, businessPhone: '+64 7 378 1234' },
    listing: { ...listing, ...area },
    evidence: { ...facts, minimumCharge: '120' },
  },
  '30 November 2026': {
    ...ids,
    ...others,
    business: { ...business, businessPhone: '+64 7 378 1234' },
    listing: { ...listing, ...area },
    evidence: { ...facts, minimumCharge: '120', licenceAnswer: 'licence', licenceClass: 'Certifying plumber', licenceExemption: '' },
  },
  '30 November 2026, with GST': {
    ...ids,
    ...others,
    business: { ...business, businessPhone: '+64 7 378 1234' },
    listing: { ...listing, ...area },
    evidence: { ...facts, minimumCharge: '120', licenceAnswer: 'licence', licenceClass: 'Certifying plumber', gstNumber: '49-091-850' },
  },
  '30 November 2026, with after hours': {
    ...ids,
    ...others,
    business: { ...business, businessPhone: '+64 7 378 1234' },
    listing: { ...listing, ...area },
    evidence: {
      ...facts,
      emergencyCallOut: 'true',
      minimumCharge: '120',
      licenceAnswer: 'licence',
      licenceClass: 'Certifying plumber',
      licenceExemption: '',
      gstNumber: '49-091-850',
      gstRegistered: 'true',
    },
  },
  '30 November 2026, with facts by that name': {
    ...ids,
    ...others,
    business: { ...business, businessPhone: '+64 7 378 1234' },
    listing: { ...listing, ...area },
    facts: {
      ...facts,
      emergencyCallOut: 'true',
      minimumCharge: '120',
      licenceAnswer: 'licence',
      licenceClass: 'Certifying plumber',
      licenceExemption: '',
      gstNumber: '49-091-850',
      gstRegistered: 'true',
    },
  },
};
