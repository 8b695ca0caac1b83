import type { PaymentIntent, PaymentMethod, SetupIntent } from '../state/objects.ts';

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
 * An answer `{ error: … }` with its HTTP status. A 402 keeps what was done before it; any other takes it back. `executed` says that
 * the call had begun to be carried out: its idempotency key then keeps the answer.
 */
export class Refusal extends Error {
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

/** What can be said from the parameters alone, before anything is looked at. */
export const invalid = (message: string, details: Details = {}) =>
  new Refusal(400, { type: 'invalid_request_error', message, ...details }, { executed: false });

/** What the state of things does not allow. */
export const refused = (message: string, details: Details = {}) => new Refusal(400, { type: 'invalid_request_error', message, ...details });

export function unknownParameters(names: string[]) {
  const [first = ''] = names;
  return invalid(`Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`, {
    param: first,
    code: 'parameter_unknown',
  });
}

const resourceMissing = (status: number, what: string, param: string) =>
  new Refusal(status, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}`, param });

/** The address of the call names what is not there. */
export const missing = (what: string, param = 'id') => resourceMissing(404, what, param);

/** A parameter does. */
export const missingNamed = (what: string, param: string) => resourceMissing(400, what, param);

export const unexpectedState = (intent: PaymentIntent | SetupIntent, message: string) =>
  new Refusal(400, { type: 'invalid_request_error', code: `${intent.object}_unexpected_state`, message, [intent.object]: intent });
