import { afterAll } from 'vitest';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import { type IdentityProvidersStandIn, startIdentityProviders } from '../identity-providers.ts';
import type { testApp } from './app.ts';
import type { Answer } from './callers.ts';

type App = Awaited<ReturnType<typeof testApp>>;
type Person = { email: string; name?: string; sub?: string; verified?: unknown };

/** A test file's own Google and Apple, and their settings for `testApp`. */
export async function testIdentityProviders() {
  const standIn = await startIdentityProviders();
  afterAll(() => standIn.close());
  return { standIn, environment: { STAND_INS: JSON.stringify({ identity: standIn.url }) } };
}

/** A browser with cookies of its own that goes to the providers and back, as people do. */
export function createProviderBrowser({ app }: Pick<App, 'app'>, standIn: IdentityProvidersStandIn, user?: { token: string }) {
  const ownCookies = new Map<string, string>();
  const theirCookies = new Map<string, string>();
  const format = (cookies: Map<string, string>) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const store = (cookies: Map<string, string>, set: readonly string[]) => {
    for (const one of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      cookies.set(name, value);
    }
  };
  const asUser = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

  /** A request to the site, with the cookies of a page of its own. */
  async function ask(method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await app.inject({
      method,
      url: `/api${url}`,
      headers: { cookie: format(ownCookies), ...asUser(user?.token), ...headers },
      ...(payload && { payload }),
    });
    store(ownCookies, [answer.headers['set-cookie'] ?? []].flat());
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers };
  }

  async function visit(url: string, form?: Record<string, string>) {
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: format(theirCookies) },
      ...(form && { body: new URLSearchParams(form) }),
    });
    store(theirCookies, answer.headers.getSetCookie());
    const to = answer.headers.get('location');
    return { to: to === null ? null : new URL(to, url).href, text: await answer.text(), status: answer.status };
  }

  /** Chooses a person at the provider, or cancels; returns what it sends back with the browser. */
  async function choose(provider: ProviderName, url: string, person: Person | null): Promise<Record<string, string>> {
    const choice = (await visit(url)).to ?? '';
    if (!choice.includes('/choose/')) throw new Error(`the provider did not ask who it is: ${(await visit(url)).text}`);
    const { email = '', name = '', sub, verified } = person ?? {};
    const chosen = await visit(choice, person ? { email, name, ...(sub !== undefined && { sub }) } : { cancel: '1' });
    if (person && verified !== undefined) {
      for (const one of standIn.people(provider).values()) if (one.email === email) one.verified = verified;
    }
    const back = await visit(chosen.to ?? '');
    if (back.to !== null) return Object.fromEntries(new URL(back.to).searchParams);
    const fields = [...back.text.matchAll(/name="(\w+)" value="([^"]*)"/g)];
    return Object.fromEntries(
      fields.map(([, field = '', value = '']) => [field, value.replaceAll('&quot;', '"').replaceAll('&#39;', "'")]),
    );
  }

  /** What our page reads from the fragment. Apple posts from its own site, without our cookies. */
  async function comeBack(provider: ProviderName, answered: Record<string, string>): Promise<Record<string, string>> {
    const query = new URLSearchParams(answered).toString();
    const answer = await app.inject(
      provider === 'apple'
        ? {
            method: 'POST',
            url: '/api/auth/with/apple/callback',
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              origin: new URL(standIn.url).origin,
              'sec-fetch-site': 'cross-site',
            },
            payload: query,
          }
        : { method: 'GET', url: `/api/auth/with/google/callback?${query}` },
    );
    const to = String(answer.headers['location']);
    if (answer.statusCode !== 303 || !to.startsWith('/auth/return#'))
      throw new Error(`the callback was answered ${answer.statusCode} ${to}`);
    return Object.fromEntries(new URLSearchParams(to.slice('/auth/return#'.length)));
  }

  /** Presses the button; returns the address at the provider. */
  async function press(provider: ProviderName, redirect = '/home', referralCode?: string): Promise<string> {
    const { status, headers } = await ask(
      'GET',
      `/auth/with/${provider}?${new URLSearchParams({ redirect, ...(referralCode !== undefined && { referralCode }) }).toString()}`,
    );
    if (status !== 303) throw new Error(`the start was answered ${status}`);
    return String(headers['location']);
  }

  /** Goes there and back; returns what the page then sends to finish. */
  async function go(provider: ProviderName, person: Person | null, redirect?: string) {
    return comeBack(provider, await choose(provider, await press(provider, redirect), person));
  }
  const finish = (given: Record<string, string>, more: object = {}) => {
    const { redirect: _, ...body } = given;
    return ask('POST', '/auth/with/finish', { ...body, ...more });
  };

  return {
    ask,
    choose,
    comeBack,
    press,
    go,
    finish,
    cookies: ownCookies,
    /** The whole way. */
    signIn: async (provider: ProviderName, person: Person, more: { referralCode?: string } = {}) =>
      finish(await comeBack(provider, await choose(provider, await press(provider, undefined, more.referralCode), person))),
    /** Connects or confirms as the signed-in user. */
    async as(kind: 'identities' | 'confirm-identity/with', provider: ProviderName, person: Person, more: object = {}) {
      const started = await ask('POST', `/auth/${kind}`, { provider, redirect: '/account/security', ...more });
      if (started.status !== 200) return started;
      return finish(await comeBack(provider, await choose(provider, started.body.url, person)));
    },
  };
}
