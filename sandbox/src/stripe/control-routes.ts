import type { Control } from './control.ts';
import { flag, integer, oneOf, type Params, required, text } from './calls/form.ts';
import { failings } from './calls/faults.ts';
import { refundStatuses } from './money/refunds.ts';
import type { Trouble } from './world.ts';

const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as { [name in keyof T]?: NonNullable<T[name]> };
const need = (params: Params, name: string) => required(text(params, name), name);

type ControlCall = { takes: string; call: (control: Control, params: Params, trouble: Trouble) => object };

/** The control for who sits in another process, as `POST /sandbox/<name>` with the secret key. */
export const controlCalls: Record<string, ControlCall> = {
  settle: {
    takes: '',
    call: (control) => {
      control.settle();
      return {};
    },
  },
  fault: {
    takes: 'does method path times ms',
    call: (_control, params, { faults }) => {
      const times = text(params, 'times') === 'always' ? Infinity : integer(params, 'times');
      const fault = { method: text(params, 'method'), path: text(params, 'path'), times, ms: integer(params, 'ms') };
      faults.add({ does: required(oneOf(params, 'does', failings), 'does'), ...given(fault) });
      return {};
    },
  },
  delivery: {
    takes: 'withhold copies order secret',
    call: (_control, params, { setDelivery }) => {
      const order = oneOf(params, 'order', ['forwards', 'backwards']);
      const named = { withhold: flag(params, 'withhold'), copies: integer(params, 'copies'), secret: text(params, 'secret') };
      setDelivery(given({ ...named, order }));
      return {};
    },
  },
  /** What the account has set for its payers' statements; a part that is left out is not set. */
  statement: {
    takes: 'prefix descriptor',
    call: (_control, params, trouble) => {
      trouble.statement = { prefix: text(params, 'prefix'), descriptor: text(params, 'descriptor') };
      return {};
    },
  },
  /** Ends all faults, of calls and of webhooks. */
  'no-faults': {
    takes: '',
    call: (_control, _params, { faults, setDelivery }) => {
      faults.clear();
      setDelivery({});
      return {};
    },
  },
  'move-refund': {
    takes: 'refund status failure_reason',
    call: (control, params) =>
      control.moveRefund(
        need(params, 'refund'),
        required(oneOf(params, 'status', refundStatuses), 'status'),
        text(params, 'failure_reason') ?? undefined,
      ),
  },
  'open-dispute': {
    takes: 'payment_intent amount reason inquiry',
    call: (control, params) =>
      control.openDispute(
        need(params, 'payment_intent'),
        given({ amount: integer(params, 'amount'), reason: text(params, 'reason'), inquiry: flag(params, 'inquiry') }),
      ),
  },
  'escalate-inquiry': { takes: 'dispute', call: (control, params) => control.escalateInquiry(need(params, 'dispute')) },
  'end-dispute': {
    takes: 'dispute status',
    call: (control, params) =>
      control.endDispute(need(params, 'dispute'), required(oneOf(params, 'status', ['won', 'lost', 'warning_closed']), 'status')),
  },
  warn: {
    takes: 'payment_intent fraud_type',
    call: (control, params) => control.warn(need(params, 'payment_intent'), text(params, 'fraud_type') ?? undefined),
  },
  'renew-card': {
    takes: 'payment_method exp_month exp_year last4',
    call: (control, params) =>
      control.renewCard(
        need(params, 'payment_method'),
        given({ exp_month: integer(params, 'exp_month'), exp_year: integer(params, 'exp_year'), last4: text(params, 'last4') }),
      ),
  },
};
