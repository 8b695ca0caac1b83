/** What the provider says to a browser that hands it a card. */
export type ProviderAnswer = { status?: string; error?: { message: string; code: string } };

/** What the browser does with a secret: it gives the card to the provider, never to the app. Paying twice is refused there. */
export async function giveCard(
  provider: { url: string; publishableKey: string },
  secret: string,
  card = '4242424242424242',
  more: Record<string, string> = {},
): Promise<ProviderAnswer> {
  const kind = secret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const answer = await fetch(`${provider.url}/v1/${kind}/${secret.split('_secret')[0]}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      key: provider.publishableKey,
      client_secret: secret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2031',
      'payment_method_data[card][cvc]': '123',
      'payment_method_data[billing_details][name]': 'Mere Kingi',
      ...more,
    }),
  });
  return (await answer.json()) as ProviderAnswer;
}
