import { rejection } from './errors.ts';
import type { ConfirmationToken, PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import { metadata, parseChoice, type Params, text, webAddress } from './params.ts';
import { findMethod } from './payment-methods.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

const livesSeconds = 12 * 60 * 60;

export const tokenParams = 'payment_method payment_method_data return_url setup_future_usage';

/** A method that a browser has collected, with its intended use. */
export function createConfirmationToken(world: World, params: Params): ConfirmationToken {
  const method = findMethod(world, params);
  if (!method) throw rejection('You must provide a `payment_method` or `payment_method_data`.', { param: 'payment_method' });
  const created = unixNow();
  const token: ConfirmationToken = {
    id: newId('ctoken'),
    object: 'confirmation_token',
    created,
    expires_at: created + livesSeconds,
    livemode: false,
    mandate_data: null,
    metadata: metadata(params),
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: getPreview(method),
    return_url: webAddress(params, 'return_url'),
    setup_future_usage: parseChoice(params, 'setup_future_usage', ['on_session', 'off_session']),
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  };
  world.store.save(token);
  world.store.run('insert into behind_tokens values (?, ?)', token.id, method.id);
  return token;
}

const getPreview = ({ allow_redisplay, billing_details, card, customer, type }: PaymentMethod) =>
  ({
    allow_redisplay,
    billing_details,
    card: { ...card, generated_from: null },
    customer,
    customer_account: null,
    type,
  }) as NonNullable<ConfirmationToken['payment_method_preview']>;

/** Uses up the token, which confirms one intent, and returns its parameters overridden by those of the call. */
export function applyToken(world: World, intent: PaymentIntent | SetupIntent, params: Params): Params {
  const id = text(params, 'confirmation_token');
  if (id === null) return params;
  const token = world.store.findParam('confirmation_token', id, 'confirmation_token');
  const param = 'confirmation_token';
  if (token.payment_intent ?? token.setup_intent) {
    throw rejection(`The provided ConfirmationToken (${id}) has already been used to confirm a PaymentIntent or SetupIntent.`, { param });
  }
  if ((token.expires_at ?? 0) <= unixNow()) throw rejection(`The provided ConfirmationToken (${id}) has expired.`, { param });
  world.store.save({ ...token, [intent.object]: intent.id, expires_at: null });
  const [behind] = world.store.rows<{ method_id: string }>('select method_id from behind_tokens where token_id = ?', id);
  return {
    ...(!('payment_method_data' in params) && behind && { payment_method: behind.method_id }),
    ...(token.return_url !== null && { return_url: token.return_url }),
    ...(token.setup_future_usage !== null && { setup_future_usage: token.setup_future_usage }),
    use_stripe_sdk: String(token.use_stripe_sdk),
    ...params,
  };
}
