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

/** An answer `{ error: … }` with its HTTP status. A 402 keeps what was done before it; any other takes it back. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const invalid = (message: string, details: { param?: string; code?: string } = {}) =>
  new Refusal(400, { type: 'invalid_request_error', message, ...details });

export const missing = (what: string, id: string, param = 'id') =>
  new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'`, param });

export const unexpectedState = (intent: PaymentIntent | SetupIntent, message: string) =>
  new Refusal(400, { type: 'invalid_request_error', code: `${intent.object}_unexpected_state`, message, [intent.object]: intent });
