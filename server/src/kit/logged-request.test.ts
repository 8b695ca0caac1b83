import { expect, test } from 'vitest';
import { loggedRequest } from './logged-request.ts';

test.each([
  ['/api/search?near=-37.78712,175.27931&km=5', '/api/search?near=-37.78,175.27&km=5'],
  ['/search?q=plumber&near=-37%2E78712%2C175.279', '/search?q=plumber&near=-37%2E78%2C175.27'],
  ['/search?NEAR=-37.78712,175.27931', '/search?NEAR=-37.78,175.27'],
  ['/search?near=-37.78,175.27', '/search?near=-37.78,175.27'],
  ['/search?near=Hamilton&maxPrice=1.5555', '/search?near=Hamilton&maxPrice=1.5555'],
])('of %s the log says %s: no position more exact than it is searched', (url, logged) => {
  expect(loggedRequest({ method: 'GET', url, host: 'handwise.example', ip: '192.0.2.1' })).toEqual({
    method: 'GET',
    url: logged,
    host: 'handwise.example',
    remoteAddress: '192.0.2.1',
  });
});
