import { createHash, createPublicKey, randomBytes, randomInt } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt, exportJWK, generateKeyPair, importSPKI, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import { providerNames } from '@handwise/contract/accounts/provider-names';
import { createSandboxProviders, sandboxAppleKey } from '@handwise/server/kit/identity-providers';
import { startServer } from './stand-in-server.ts';

// A stand-in for Google and Apple: `oidc-provider` with a page on which anyone can be anybody. Its address is 127.0.0.1 while the site's is localhost, so that
// browsers see two sites, as in reality.

/** A person at a provider. `verified` is what the provider says of the address; Apple says it as text. */
export type StandInPerson = { sub: string; email: string; name: string; verified: unknown };

/** `down`: connections are cut. `busy`: 503. `slow`: no answer. `unknown-client`: our settings are wrong. */
export type IdentityProviderFault = 'down' | 'busy' | 'slow' | 'unknown-client';

const subjectOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 24);
const relayOf = (email: string) => `${subjectOf(email).slice(0, 10)}@privaterelay.appleid.com`;

// All of it ends with the process.
const createAdapter = () => {
  const rows = new Map<string, Record<string, unknown>>();
  return class {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    #key = (id: string) => `${this.#name} ${id}`;
    #findBy = (field: string, value: string) =>
      [...rows.entries()].find(([key, row]) => key.startsWith(`${this.#name} `) && row[field] === value)?.[1];
    upsert = async (id: string, row: object) => void rows.set(this.#key(id), { ...row });
    find = async (id: string) => rows.get(this.#key(id));
    findByUid = async (uid: string) => this.#findBy('uid', uid);
    findByUserCode = async (code: string) => this.#findBy('userCode', code);
    consume = async (id: string) => void Object.assign(rows.get(this.#key(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
    destroy = async (id: string) => void rows.delete(this.#key(id));
    revokeByGrantId = async (grantId: string) => {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
    };
  };
};

const freshNames = ['Hana Tamihana', 'Wiremu Parata', 'Isla Nguyen', 'Oliver Singh'];

const escapeHtml = (value: string) => value.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The page on which a visitor chooses who they are. */
function choicePage(provider: ProviderName, people: readonly StandInPerson[]): string {
  const name = freshNames[randomInt(freshNames.length)] ?? '';
  const fresh = { name, email: `${name.toLowerCase().replaceAll(' ', '.')}.${randomBytes(3).toString('hex')}@example.org` };
  const known = [...people, { name: 'Demo buyer', email: 'buyer@example.com' }];
  const choice = (person: { name: string; email: string; sub?: string }, label: string) => `<li><form method="post">
    <input type="hidden" name="name" value="${escapeHtml(person.name)}"><input type="hidden" name="email" value="${escapeHtml(person.email)}">
    ${person.sub ? `<input type="hidden" name="sub" value="${escapeHtml(person.sub)}">` : ''}<button>${escapeHtml(label)}</button></form></li>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${providerNames[provider]} stand-in</title><style>body{font:1rem/1.5 system-ui;max-width:26rem;margin:2rem auto;padding:0 1rem}ul{list-style:none;padding:0}
    button{font:inherit;padding:.6rem 1rem;min-height:44px;width:100%;margin:.25rem 0}label{display:block;margin:.5rem 0}
    input:not([type]),input[type=email]{font:inherit;width:100%;padding:.5rem;box-sizing:border-box}</style></head><body><main>
    <h1>Choose an account</h1><p>This stands in for ${providerNames[provider]}. Nobody is asked for a password.</p>
    <ul>${choice(fresh, `${fresh.name}, who is new`)}${known.map((person) => choice(person, `${person.name}, ${person.email}`)).join('')}</ul>
    <form method="post"><h2>Somebody else</h2><label>Name <input name="name" maxlength="80"></label>
    <label>Email <input name="email" type="email" required></label>
    ${provider === 'apple' ? '<label><input type="checkbox" name="hidden" value="1"> Hide my email</label>' : '<label><input type="checkbox" name="unverified" value="1"> The email is not verified</label>'}
    <button>Continue</button></form>
    <form method="post"><button name="cancel" value="1">Cancel</button></form></main></body></html>`;
}

/** Starts the stand-in. Port 0: a free one. */
export async function startIdentityProviders({ port = 0 }: { port?: number } = {}) {
  let fault: IdentityProviderFault | null = null;
  let alter: ((claims: JWTPayload) => JWTPayload) | null = null;
  let otherKey = false;
  const hung = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(error instanceof Error ? error.message : 'failed');
    });
  });
  const { url, close } = await startServer(server, port);
  const settings = createSandboxProviders(url);
  const internal = randomBytes(16).toString('hex');
  const [signing, stranger] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(signing.privateKey)), alg: 'RS256', use: 'sig', kid: 'one' };
  const appleKey = createPublicKey(sandboxAppleKey.privateKey).export({ type: 'spki', format: 'pem' }).toString();

  function open(provider: ProviderName) {
    const people = new Map<string, StandInPerson>();
    const named = new Set<string>();
    const own = settings[provider];
    const oidc = new Provider(own.issuer, {
      adapter: createAdapter(),
      clients: [
        {
          client_id: own.clientId,
          client_secret: 'sandbox-secret',
          redirect_uris: [`http://localhost/api/auth/with/${provider}/callback`],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: [internal] },
      // Like Google and Apple, which put the email into the identity token.
      conformIdTokenClaims: false,
      scopes: ['openid', 'email', 'profile', 'name'],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'is_private_email'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/${provider}/choose/${uid}` },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 3600, Session: 3600 },
      async findAccount(_context, id) {
        const person = people.get(id);
        if (!person) return undefined;
        const { sub, email, name, verified } = person;
        return {
          accountId: id,
          claims: async () => ({
            sub,
            ...(email !== '' && { email, email_verified: verified }),
            ...(provider === 'google'
              ? name !== '' && { name }
              : { is_private_email: String(email.endsWith('@privaterelay.appleid.com')) }),
          }),
        };
      },
      async loadExistingGrant(context) {
        const accountId = context.oidc.session?.accountId ?? '';
        const grant = new context.oidc.provider.Grant({ clientId: own.clientId, accountId });
        grant.addOIDCScope('openid email profile name');
        await grant.save();
        return grant;
      },
      renderError: async (context, { error, error_description: description }) => {
        context.type = 'text/plain';
        context.body = `${error}: ${description ?? ''}`;
      },
    });
    // The sites of all tests and hosts of this machine.
    oidc.Client.prototype.redirectUriAllowed = (uri: string) => {
      const { hostname, pathname } = new URL(uri);
      return (
        (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1') &&
        pathname === `/api/auth/with/${provider}/callback`
      );
    };
    // Apple tells the name once, beside the code.
    const events: EventEmitter = oidc;
    events.on('authorization.success', (context: KoaContextWithOIDC, out: Record<string, unknown>) => {
      const person = people.get(context.oidc.session?.accountId ?? '');
      if (provider !== 'apple' || !person || named.has(person.sub) || person.name === '') return;
      named.add(person.sub);
      const [firstName = '', ...others] = person.name.split(' ');
      out['user'] = JSON.stringify({ name: { firstName, lastName: others.join(' ') }, email: person.email });
    });
    return { oidc, people, callback: oidc.callback() };
  }
  const providers = { google: open('google'), apple: open('apple') };

  /** Apple's client secret, as Apple checks it. */
  async function isAppleSecret(secret: string): Promise<boolean> {
    try {
      const { payload, protectedHeader } = await jwtVerify(secret, await importSPKI(appleKey, 'ES256'), {
        issuer: sandboxAppleKey.teamId,
        subject: settings.apple.clientId,
        audience: settings.apple.issuer,
        algorithms: ['ES256'],
        requiredClaims: ['iat', 'exp'],
      });
      return protectedHeader.kid === sandboxAppleKey.keyId && (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000;
    } catch {
      return false;
    }
  }

  /** The token call: Apple's secret is checked here, and tests alter what is signed. */
  async function exchange(provider: ProviderName, request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request));
    const reject = (error: string) => void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    if (fault === 'unknown-client') return reject('invalid_client');
    if (provider === 'apple') {
      if (!(await isAppleSecret(form.get('client_secret') ?? ''))) return reject('invalid_client');
      form.set('client_secret', 'sandbox-secret');
    }
    const answer = await fetch(`${url}/${provider}/token`, { method: 'POST', body: form, headers: { 'x-checked': internal } });
    const tokens = (await answer.json()) as { id_token?: string };
    if (tokens.id_token !== undefined && (alter || otherKey)) {
      const claims = decodeJwt(tokens.id_token);
      tokens.id_token = await new SignJWT(alter ? alter(claims) : claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(otherKey ? stranger.privateKey : signing.privateKey);
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(tokens));
  }

  /** A person for what was typed on the page. */
  function toPerson(provider: ProviderName, form: URLSearchParams): StandInPerson {
    const typed = form.get('email') ?? '';
    const email = form.get('hidden') === '1' ? relayOf(typed) : typed;
    const isVerified = form.get('unverified') !== '1';
    return {
      sub: form.get('sub') ?? subjectOf(typed),
      email,
      name: (form.get('name') ?? '').trim(),
      verified: provider === 'apple' ? String(isVerified) : isVerified,
    };
  }

  async function choose(provider: ProviderName, request: IncomingMessage, response: ServerResponse) {
    const { oidc, people } = providers[provider];
    if (request.method !== 'POST') {
      await oidc.interactionDetails(request, response);
      const list = [...people.values()].filter(({ email }) => email !== 'buyer@example.com').slice(-5);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(choicePage(provider, list));
      return;
    }
    const form = new URLSearchParams(await text(request));
    if (form.has('cancel')) {
      const error = provider === 'apple' ? 'user_cancelled_authorize' : 'access_denied';
      await oidc.interactionFinished(request, response, { error, error_description: 'cancelled' });
      return;
    }
    const person = toPerson(provider, form);
    people.set(person.sub, person);
    await oidc.interactionFinished(request, response, { login: { accountId: person.sub } });
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    if (fault === 'down') return void response.socket?.destroy();
    if (fault === 'busy') return void response.writeHead(503).end();
    if (fault === 'slow') return void hung.add(response);
    const [, provider, rest = ''] = /^\/(google|apple)(\/.*)?$/.exec(request.url ?? '') ?? [];
    if (provider === undefined) return void response.writeHead(404).end();
    const name = provider as ProviderName;
    if (rest.startsWith('/choose/')) return choose(name, request, response);
    if (rest === '/token' && request.headers['x-checked'] !== internal) return exchange(name, request, response);
    // Without their session, everybody is asked each time, so that one browser can be several people.
    request.headers.cookie = request.headers.cookie?.replaceAll(/_session[^=;]*=[^;]*;?/g, '');
    Object.assign(request, { originalUrl: request.url, url: rest || '/' });
    await providers[name].callback(request, response);
  }

  return {
    url,
    /** The server's environment. */
    settings,
    /** Whom the provider knows, by their ids. */
    people: (provider: ProviderName) => providers[provider].people,
    /** Null clears the fault. */
    setFault(next: IdentityProviderFault | null) {
      fault = next;
      if (next !== 'slow') for (const response of hung) response.destroy();
    },
    /** Changes the claims before they are signed again; null stops. */
    alterClaims(next: ((claims: JWTPayload) => JWTPayload) | null) {
      alter = next;
    },
    /** Signs with a key that is not the provider's. */
    signWithOtherKey(on: boolean) {
      otherKey = on;
    },
    close,
  };
}

export type IdentityProvidersStandIn = Awaited<ReturnType<typeof startIdentityProviders>>;
