import type { RouteConfig } from '@react-router/dev/routes';
import { index, route } from '@react-router/dev/routes';

// Pages that arrive with later work share one guarded page; each needs its own id.
const comingSoon = (path: string) => route(path, 'pages/site/coming-soon.tsx', { id: `coming-soon:${path}` });

export default [
  index('pages/site/landing.tsx'),
  route('home', 'pages/search/home.tsx'),
  route('pros', 'pages/site/pros.tsx'),
  route('services', 'pages/search/services.tsx'),
  route('services/:category/:region?', 'pages/search/services-category.tsx'),
  route('listing/:id', 'pages/listings/listing.tsx'),

  route('auth/login', 'pages/auth/login.tsx'),
  route('auth/register', 'pages/auth/register.tsx'),
  route('auth/signup-success', 'pages/auth/signup-success.tsx'),
  route('auth/register-success', 'pages/auth/register-success.tsx'),

  route('contact', 'pages/site/contact.tsx'),
  route('privacy', 'pages/site/privacy.tsx'),
  route('terms', 'pages/site/terms.tsx'),

  route('addList', 'pages/selling/add-list.tsx'),
  route('addListing', 'pages/selling/add-list.tsx', { id: 'addListing' }),
  route('payment-success', 'pages/selling/payment-success.tsx'),

  comingSoon('account'),
  route('account/payment', 'pages/account/account-payment.tsx'),
  route('account/billing', 'pages/account/account-billing.tsx'),
  route('account/receipts', 'pages/account/account-receipts.tsx'),
  route('account/receipts/:receiptId', 'pages/account/receipt.tsx'),
  route('mylistings', 'pages/selling/my-listings-index.tsx'),
  route('mylistings/mylistings', 'pages/selling/my-listings.tsx'),
  comingSoon('mylistings/saved'),
  route('editListing/:listingId', 'pages/selling/edit-listing.tsx'),
  route('updatePlan/:listingId', 'pages/selling/update-plan.tsx'),
  route('reactivateListing/:listingId', 'pages/selling/reactivate-listing.tsx'),
  comingSoon('referral'),
  comingSoon('referral-dashboard'),
  comingSoon('referral/claim-prize'),
  comingSoon('admin/draw-management'),

  route('*', 'pages/site/not-found.tsx'),
] satisfies RouteConfig;
