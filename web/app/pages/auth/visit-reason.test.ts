import { expect, test } from 'vitest';
import { getVisitReason } from './visit-reason.tsx';

const id = '0196f1f0-0000-7000-8000-000000000001';

test.each([
  ['/mylistings/saved?page=2', 'Sign in to see your saved listings.'],
  ['/mylistings/mylistings', 'Sign in to see your listings.'],
  ['/addListing', null],
  ['/addList', 'Sign in to publish your listing.'],
  [`/editListing/${id}`, 'Sign in to change your listing.'],
  ['/account', 'Sign in to see your account.'],
  ['/account/security', 'Sign in to see how and where you are signed in.'],
  [`/account/receipts/${id}`, 'Sign in to see your tax invoices.'],
  ['/account/alerts', 'Sign in to see your alerts.'],
  ['/search?q=plumber&alert=q%3Dplumber', 'Sign in to get new listings by email.'],
  ['/search?q=plumber&alert=', null],
  ['/messages', 'Sign in to read your messages.'],
  [`/listing/${id}?save=${id}`, 'Sign in to save this listing.'],
  [`/services/plumbing?page=2&save=${id}`, 'Sign in to save this listing.'],
  [`/listing/${id}`, null],
  ['/home', null],
  ['/', null],
  ['/accounts', null],
])('explains a sign-in on the way to %s: %s', (target, reason) => {
  expect(getVisitReason(target)).toBe(reason);
});
