import { expect, test } from 'vitest';
import { getLoginPath, getSafeRedirect } from '../../../lib/session/redirect.ts';
import { opensMessage, findMessagedListing, getMessagePath, withoutMessage } from './pending-message.ts';

const id = '0190f2c4-0000-7000-8000-000000000001';

test('names the listing to message on the way through the login', () => {
  const back = new URL(getLoginPath(getMessagePath(id)), 'https://own.invalid').searchParams.get('redirect');
  expect(findMessagedListing(getSafeRedirect(back))).toBe(id);
  expect(opensMessage(`?page=2&message=`)).toBe(true);
  expect(withoutMessage('?page=2&message')).toBe('?page=2');
  expect(withoutMessage('?message')).toBe('');
});

test.each([`/listing/${id}`, `/listing/${id}?save=${id}`, '/listing/all?message', `/home?message`, `/editListing/${id}?message`])(
  '%s is not on the way to a message',
  (path) => {
    expect(findMessagedListing(path)).toBeNull();
  },
);
