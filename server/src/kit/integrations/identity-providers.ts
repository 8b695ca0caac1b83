import type { Configuration } from 'openid-client';
import type { Logger } from 'pino';
import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { AppError } from '../errors.ts';
import { loadOnce } from '../load-once.ts';

// Google and Apple as OpenID Connect providers. The library checks state, nonce, issuer, audience, times and signature, and proves with PKCE that the code is
// used by the server that asked for it.

/** The key that Apple's client secret is made from. */
export type AppleKey = { teamId: string; keyId: string; privateKey: string };
type IdentityProviderSettings = { issuer: string; clientId: string; secret: string | AppleKey };
/** Null for a provider that is not set up. */
export type IdentityProvidersSettings = Readonly<Record<ProviderName, IdentityProviderSettings | null>>;

export const noIdentityProviders: IdentityProvidersSettings = { google: null, apple: null };
export const identityIssuers: Readonly<Record<ProviderName, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
};

/** The key of the sandbox's stand-in, which everybody may know. */
const sandboxKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrjRexBhoZ6kVjUwi0rCwuV0+tvKXFOP7jG3Boc0MiTWhRANCAAR+qVDr0D9rMGZtSN0Ox4BPihmIn+1GO+x+hEsDCWMQY+au3OiPKPP5qrHRwgMem412ug777aGVZXxAglZYyfiX';

export const sandboxAppleKey: AppleKey = {
  teamId: 'SANDBOX123',
  keyId: 'SANDBOXKEY',
  privateKey: `-----BEGIN PRIVATE KEY-----\n${sandboxKey}\n-----END PRIVATE KEY-----`,
};

/** Settings of the sandbox's stand-in, which serves both. */
export const createSandboxProviders = (url: string) =>
  ({
    google: { issuer: `${url}/google`, clientId: 'handwise-sandbox', secret: 'sandbox-secret' },
    apple: { issuer: `${url}/apple`, clientId: 'handwise.sandbox', secret: sandboxAppleKey },
  }) satisfies IdentityProvidersSettings;

/** What the browser must bring back, and what proves that it is ours. */
type ProviderChecks = { state: string; nonce: string; codeVerifier: string };
export type ProviderAnswer = { code: string; state: string; iss?: string | undefined };

/** A person as the provider's signed token describes them. */
export type ProvidedIdentity = { subject: string; email: string; isEmailVerified: boolean; name: string };

type IdentityProvider = {
  /** The address to send the browser to. Throws `provider_unavailable`. */
  begin: (redirectUri: string) => Promise<ProviderChecks & { url: string }>;
  /** Exchanges the code. Throws `provider_refused`, `provider_unavailable`. */
  finish: (redirectUri: string, answer: ProviderAnswer, checks: ProviderChecks) => Promise<ProvidedIdentity>;
};

export type IdentityProviders = ReadonlyMap<ProviderName, IdentityProvider>;

const library = loadOnce(() => import('openid-client'));

// Apple answers with a form, because it also posts the name, and does not know the scope of a profile.
const parameters = {
  google: { scope: 'openid email profile' },
  apple: { scope: 'openid email name', response_mode: 'form_post' },
} as const;

/** Apple's client secret is a short-lived token signed with a key. */
async function signAppleSecret({ teamId, keyId, privateKey }: AppleKey, clientId: string, audience: string): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose');
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(await importPKCS8(privateKey, 'ES256'));
}

async function discover({ issuer, clientId, secret }: IdentityProviderSettings, timeoutSeconds: number): Promise<Configuration> {
  const client = await library();
  const authentication: ReturnType<typeof client.ClientSecretPost> =
    typeof secret === 'string'
      ? client.ClientSecretPost(secret)
      : async (_server, { client_id: id }, body) => {
          body.set('client_id', id);
          body.set('client_secret', await signAppleSecret(secret, id, issuer));
        };
  const execute = [client.enableNonRepudiationChecks];
  // The stand-in's address is the only one without https.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
  return client.discovery(new URL(issuer), clientId, undefined, authentication, { timeout: timeoutSeconds, execute });
}

// The provider, or somebody between, gave what does not belong to this sign-in. Everything else is a failure of the provider or of our settings.
const refusals = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

function isRefusal(error: unknown): boolean {
  const { code, error: answered } = error as { code?: string; error?: string };
  return code === 'OAUTH_RESPONSE_BODY_ERROR' ? answered === 'invalid_grant' : code !== undefined && refusals.has(code);
}

// Apple sends "true", Google true.
const isTrue = (claim: unknown) => claim === true || claim === 'true';
const toText = (claim: unknown) => (typeof claim === 'string' ? claim.trim() : '');

function openProvider(name: ProviderName, settings: IdentityProviderSettings, logger: Logger, timeoutSeconds: number): IdentityProvider {
  const configuration = loadOnce(() => discover(settings, timeoutSeconds));

  /** Logs the library’s codes and messages, which name what is wrong; of a cause, which can hold claims and bodies, only its code or message. */
  function toAppError(error: unknown): AppError {
    if (error instanceof AppError) return error;
    const { code, error: answered, cause } = error as { code?: string; error?: string; cause?: unknown };
    const causeCode = cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : undefined;
    const isRefused = isRefusal(error);
    const about = { provider: name, code, answered, cause: causeCode, message: error instanceof Error ? error.message : undefined };
    logger.warn(about, isRefused ? 'a sign-in at a provider was refused' : 'an identity provider failed');
    return isRefused
      ? new AppError('provider_refused')
      : new AppError('provider_unavailable', {
          message: `${providerNames[name]} is not answering at the moment. Nothing was changed. Please try again, or sign in another way.`,
          retryAfterSeconds: 5,
        });
  }
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toAppError(error);
    }
  };

  return {
    begin: (redirectUri) =>
      guarded(async () => {
        const client = await library();
        const checks = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() };
        const url = client.buildAuthorizationUrl(await configuration(), {
          ...parameters[name],
          redirect_uri: redirectUri,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { ...checks, url: url.href };
      }),
    finish: (redirectUri, { code, state, iss }, checks) =>
      guarded(async () => {
        const client = await library();
        const answered = new URL(redirectUri);
        answered.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
        const tokens = await client.authorizationCodeGrant(await configuration(), answered, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('there is no identity token');
        return {
          subject: claims.sub,
          email: toText(claims['email']),
          isEmailVerified: isTrue(claims['email_verified']),
          name: toText(claims['name']),
        };
      }),
  };
}

/** Opens the providers that are set up. */
export const openIdentityProviders = (settings: IdentityProvidersSettings, logger: Logger, timeoutSeconds = 8): IdentityProviders =>
  new Map(
    (Object.keys(providerNames) as ProviderName[]).flatMap((name) => {
      const own = settings[name];
      return own ? [[name, openProvider(name, own, logger, timeoutSeconds)] as const] : [];
    }),
  );
