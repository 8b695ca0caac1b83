import type { PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';

type ErrorBody = {
  type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: PaymentIntent;
  setup_intent?: SetupIntent;
  payment_method?: PaymentMethod;
};

/**
 * A response `{ error: … }` with its HTTP status. A 402 commits the changes made before it, any other rolls them back. `executed`: the
 * execution had started, so the call's idempotency key stores the response.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly executed: boolean;

  constructor(status: number, body: ErrorBody, { executed = true } = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.executed = executed;
  }
}

type Details = { param?: string; code?: string };

/** The parameters themselves are wrong. */
export const invalidRequest = (message: string, details: Details = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...details }, { executed: false });

/** The state of the objects does not allow the call. */
export const rejection = (message: string, details: Details = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...details });

export function unknownParameters(names: string[]) {
  const [first = ''] = names;
  return invalidRequest(`Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`, {
    param: first,
    code: 'parameter_unknown',
  });
}

const resourceMissing = (status: number, what: string, param: string) =>
  new ApiError(status, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}`, param });

/** The path names an unknown object. */
export const notFound = (what: string, param = 'id') => resourceMissing(404, what, param);

/** A parameter names an unknown object. */
export const missingParam = (what: string, param: string) => resourceMissing(400, what, param);

export const unexpectedState = (intent: PaymentIntent | SetupIntent, message: string) =>
  new ApiError(400, { type: 'invalid_request_error', code: `${intent.object}_unexpected_state`, message, [intent.object]: intent });
