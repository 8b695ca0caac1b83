import { expect, test } from 'vitest';
import { getLoginPath, getRegisterPath, getSafeRedirect, signupSuccessPath } from './redirect.ts';

test.each(['/account', '/account?tab=1#top', '/listing/0190f2c4', '/addList', '/', '/auth/verify'])(
  'accepts %s as one of our pages',
  (target) => {
    expect(getSafeRedirect(target)).toBe(target);
  },
);

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%5cevil.example',
  '/%2Fevil.example',
  '/.//evil.example',
  '/\t/evil.example',
  '/account\\evil',
  '/account\u0085',
  'https:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'account',
  '',
  null,
  undefined,
])('does not follow %j to another site', (target) => {
  expect(getSafeRedirect(target)).toBe('/home');
});

test('does not return to the sign-in page after signing in', () => {
  expect(getSafeRedirect('/auth/login?redirect=/auth/login')).toBe('/home');
});

test('returns to the page that asked for the login, with its parameters', () => {
  const path = getLoginPath('/mylistings/saved?page=2&status=active');
  expect(path).toBe('/auth/login?redirect=/mylistings/saved%3Fpage%3D2%26status%3Dactive');
  expect(getSafeRedirect(new URL(path, 'https://handwise.test').searchParams.get('redirect'))).toBe(
    '/mylistings/saved?page=2&status=active',
  );
});

test('keeps the return path through registration', () => {
  expect(getRegisterPath('/listing/1')).toBe('/auth/register?redirect=/listing/1');
  expect(signupSuccessPath('/listing/1')).toBe('/auth/signup-success?redirect=/listing/1');
  expect(signupSuccessPath('/home')).toBe('/auth/signup-success');
});
