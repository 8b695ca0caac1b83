/** The provider's response to a card. */
export type ProviderAnswer = { status?: string; error?: { message: string; code: string } };

type Provider = { url: string; publishableKey: string };
type Fields = Record<string, string>;

const fieldsOf = (card: string) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': card,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2031',
  'payment_method_data[card][cvc]': '123',
  'payment_method_data[billing_details][name]': 'Mere Kingi',
});

/** Form-encoded, as the provider's own script does. */
async function post({ url, publishableKey }: Provider, path: string, fields: Fields): Promise<unknown> {
  const answer = await fetch(url + path, { method: 'POST', body: new URLSearchParams({ key: publishableKey, ...fields }) });
  return answer.json();
}

/** Confirms an intent with a card at the provider, as the browser does. */
export async function giveCard(provider: Provider, secret: string, card = '4242424242424242', more: Fields = {}): Promise<ProviderAnswer> {
  const kind = secret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const fields = { client_secret: secret, ...fieldsOf(card), ...more };
  return (await post(provider, `/v1/${kind}/${secret.split('_secret')[0]}/confirm`, fields)) as ProviderAnswer;
}

/** Creates a confirmation token from a card, as the browser does before an intent exists. */
export async function collectCard(provider: Provider, card = '4242424242424242', more: Fields = {}): Promise<string> {
  const { id } = (await post(provider, '/v1/confirmation_tokens', { ...fieldsOf(card), ...more })) as { id?: string };
  if (!id) throw new Error('the provider did not collect the card');
  return id;
}
