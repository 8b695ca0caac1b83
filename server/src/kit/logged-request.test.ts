import { expect, test } from 'vitest';
import { loggedRequest } from './logged-request.ts';

test.each([
  ['/api/search?near=-37.78712,175.27931&km=5', '/api/search?near=-37.78,175.27&km=5'],
  ['/search?q=plumber&near=-37%2E78712%2C175.279', '/search?q=plumber&near=-37%2E78%2C175.27'],
  ['/search?NEAR=-37.78712,175.27931', '/search?NEAR=-37.78,175.27'],
  ['/search?near=-37.78,175.27', '/search?near=-37.78,175.27'],
  ['/search?near=Hamilton&maxPrice=1.5555', '/search?near=Hamilton&maxPrice=1.5555'],
  ['/auth/reset?token=aB3-_x', '/auth/reset?token=[removed]'],
  ['/auth/verify.data?a=1&Token=aB3&b=2', '/auth/verify.data?a=1&Token=[removed]&b=2'],
  ['/auth/verify?%74oken=aB3', '/auth/verify?%74oken=[removed]'],
  ['/auth/verify?token=a=b?c&token=d', '/auth/verify?token=[removed]&token=[removed]'],
  ['/auth/login?redirect=%2Fdecision%3Ftoken%3DaB3', '/auth/login?redirect=%2Fdecision%3Ftoken%3D[removed]'],
  [
    '/addList?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2',
    '/addList?payment_intent=pi_1&payment_intent_client_secret=[removed]',
  ],
  ['/search?q=token&x=%ZZ', '/search?q=token&x=%ZZ'],
  ['/listing/1', '/listing/1'],
])('logs %s as %s, without secrets and exact positions', (url, logged) => {
  expect(loggedRequest({ method: 'GET', url, host: 'handwise.example', ip: '192.0.2.1' })).toEqual({
    method: 'GET',
    url: logged,
    host: 'handwise.example',
    remoteAddress: '192.0.2.1',
  });
});
