import { expect, test } from 'vitest';
import { ApiError } from '../api-error.ts';
import { answerConfirmation, withConfirmedIdentity } from './confirmation-retry.ts';

const refused = () => new ApiError(403, 'confirm_identity', 'Please confirm that it is you first.');
/** Work that the server rejects this many times before it succeeds. */
function workRefused(times: number) {
  let refusals = times;
  return async () => {
    if (refusals-- > 0) throw refused();
    return 'done';
  };
}

test('asks for confirmation once, then retries', async () => {
  let prompts = 0;
  const end = answerConfirmation(async () => {
    prompts += 1;
    return true;
  });
  expect(await Promise.all([withConfirmedIdentity(workRefused(1)), withConfirmedIdentity(workRefused(1))])).toEqual(['done', 'done']);
  expect(prompts).toBe(1);
  expect(await withConfirmedIdentity(workRefused(0))).toBe('done');
  expect(prompts).toBe(1);
  await expect(withConfirmedIdentity(workRefused(2))).rejects.toMatchObject({ code: 'confirm_identity' });
  expect(prompts).toBe(2);
  end();
});

test('rethrows without confirmation, without a dialog, and for other errors', async () => {
  await expect(withConfirmedIdentity(workRefused(1))).rejects.toMatchObject({ code: 'confirm_identity' });
  const end = answerConfirmation(async () => false);
  await expect(withConfirmedIdentity(workRefused(1))).rejects.toMatchObject({ code: 'confirm_identity' });
  end();
  let prompts = 0;
  const endAgain = answerConfirmation(async () => {
    prompts += 1;
    return true;
  });
  const other = async () => {
    throw new ApiError(403, 'forbidden', 'You do not have access to this.');
  };
  await expect(withConfirmedIdentity(other)).rejects.toMatchObject({ code: 'forbidden' });
  expect(prompts).toBe(0);
  endAgain();
});

test('unregistering an old dialog leaves a newer one', async () => {
  const endFirst = answerConfirmation(async () => false);
  const endSecond = answerConfirmation(async () => true);
  endFirst();
  expect(await withConfirmedIdentity(workRefused(1))).toBe('done');
  endSecond();
});
