import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { describeCreationError, publish } from './publish.ts';
import { createDraft } from './wizard-draft.ts';

test("explains once why a listing was not created, with the form's labels", () => {
  const message = '“one.svg” is not a picture that we can read.';
  const error = new ApiError(400, 'unsupported_picture', message, [{ field: 'serviceImages[0]', message }]);
  expect(describeCreationError(error)).toEqual({ text: `Photos: ${message}`, forgetsPayment: false, needsNewId: false });
});

test('shows the server’s message without a field error', () => {
  expect(describeCreationError(new ApiError(409, 'no_free_slot', 'No slot left.')).text).toBe('No slot left.');
});

test.each(['payment_used', 'payment_not_found', 'payment_mismatch', 'payment_required', 'no_free_slot'] as const)(
  '%s makes the draft forget its payment',
  (code) => {
    expect(describeCreationError(new ApiError(409, code, 'Used.'))).toMatchObject({ forgetsPayment: true, needsNewId: false });
  },
);

test('needs a new id for a taken submission, and keeps its payment', () => {
  expect(describeCreationError(new ApiError(409, 'submission_taken', 'Taken.'))).toMatchObject({ forgetsPayment: false, needsNewId: true });
});

test.each([
  ['no answer', new ApiError(0, 'network', 'Network Error')],
  ['a fault of the server', new ApiError(500, 'internal', 'An unexpected error occurred')],
  ['a fault of the browser', new TypeError('x is undefined')],
])('shows our own text for %s', (_, error) => {
  expect(describeCreationError(error)).toEqual({ text: null, forgetsPayment: false, needsNewId: false });
});

describe('publishing', () => {
  let sent: string[] = [];
  let status = 201;
  /** Answers the requests under way. */
  let answer = () => {};

  class Request {
    status = 0;
    response: unknown;
    responseType = '';
    upload = { addEventListener() {} };
    #done = () => {};
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null;
    addEventListener = (kind: string, done: () => void) => void (kind === 'load' && (this.#done = done));
    send(body: FormData) {
      sent.push(String(body.get('submissionId')));
      const before = answer;
      answer = () => {
        before();
        this.status = status;
        this.response = status === 201 ? { _id: 'the listing' } : { message: 'No answer of the register.', code: 'internal' };
        this.#done();
      };
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  vi.stubGlobal('localStorage', { getItem: () => null });

  const draft = (title: string) => {
    const { business, listing, ...rest } = createDraft('NZ');
    return { ...rest, business: { ...business, businessName: 'Kingi' }, listing: { ...listing, title } };
  };
  const start = (of: ReturnType<typeof draft>) =>
    publish({ draft: of, photos: [], logo: null, planId: 'basic', paymentId: null, covered: true }, () => {});
  const end = (as: number) => {
    status = as;
    answer();
    answer = () => {};
  };
  const taken = { code: 'submission_taken' };

  test('sends a failed draft again under its id at each retry, and a published one never', async () => {
    sent = [];
    const one = draft('Retried');
    for (const failure of [500, 500]) {
      const outcome = start(one);
      end(failure);
      await expect(outcome).rejects.toMatchObject({ status: failure });
    }
    const published = start(one);
    end(201);
    expect(await published).toEqual({ id: 'the listing', title: 'Retried' });
    expect(await start(one)).toEqual({ id: 'the listing', title: 'Retried' });
    expect(sent).toEqual([one.submissionId, one.submissionId, one.submissionId]);
  });

  test('sends a draft once for two presses, and another one with its texts only after a failure', async () => {
    sent = [];
    const [one, same] = [draft('Pressed twice'), draft('Pressed twice')];
    const presses = [start(one), start(one)];
    await expect(start(same)).rejects.toMatchObject(taken);
    end(500);
    for (const { status: outcome } of await Promise.allSettled(presses)) expect(outcome).toBe('rejected');
    const published = start(same);
    end(201);
    await published;
    await expect(start(one)).rejects.toMatchObject(taken);
    expect(sent).toEqual([one.submissionId, same.submissionId]);
  });
});
