import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

// Pages that arrive with later work share one guarded page; each needs its own id.
const comingSoon = (path: string) => route(path, 'pages/coming-soon.tsx', { id: `coming-soon:${path}` });

export default [
  index('pages/landing.tsx'),
  route('home', 'pages/home.tsx'),
  route('pros', 'pages/pros.tsx'),
  route('services', 'pages/services.tsx'),
  route('services/:category/:region?', 'pages/services-category.tsx'),
  route('listing/:id', 'pages/listing.tsx'),

  route('auth/login', 'pages/login.tsx'),
  route('auth/register', 'pages/register.tsx'),
  route('auth/signup-success', 'pages/signup-success.tsx'),
  route('auth/register-success', 'pages/register-success.tsx'),

  route('contact', 'pages/contact.tsx'),
  route('privacy', 'pages/privacy.tsx'),
  route('terms', 'pages/terms.tsx'),

  route('addList', 'pages/add-list.tsx'),
  route('addListing', 'pages/add-list.tsx', { id: 'addListing' }),
  route('payment-success', 'pages/payment-success.tsx'),

  comingSoon('account'),
  route('account/payment', 'pages/account-payment.tsx'),
  route('account/billing', 'pages/account-billing.tsx'),
  route('account/receipts', 'pages/account-receipts.tsx'),
  route('account/receipts/:receiptId', 'pages/receipt.tsx'),
  route('mylistings', 'pages/my-listings-index.tsx'),
  route('mylistings/mylistings', 'pages/my-listings.tsx'),
  comingSoon('mylistings/saved'),
  route('editListing/:listingId', 'pages/edit-listing.tsx'),
  route('updatePlan/:listingId', 'pages/update-plan.tsx'),
  route('reactivateListing/:listingId', 'pages/reactivate-listing.tsx'),
  comingSoon('referral'),
  comingSoon('referral-dashboard'),
  comingSoon('referral/claim-prize'),
  comingSoon('admin/draw-management'),

  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig;
