import { vi } from 'vitest';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** A browser with passkeys until the test file ends: `get` and `create` are asked for one, `offers` says whether the autofill takes part. */
export function stubPasskeys({ offers = false } = {}) {
  const asked: { kind: 'get' | 'create'; mediation: string | undefined; challenge: string }[] = [];
  const answers: ((signal?: AbortSignal) => Promise<unknown>)[] = [];
  const ask = (kind: 'get' | 'create') => (options: CredentialRequestOptions & CredentialCreationOptions) => {
    const challenge = new TextDecoder().decode(options.publicKey?.challenge);
    asked.push({ kind, mediation: options.mediation, challenge });
    return (answers.shift() ?? (() => new Promise(() => {})))(options.signal ?? undefined);
  };
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable: async () => offers }),
  );
  Object.defineProperty(navigator, 'credentials', { value: { get: ask('get'), create: ask('create') }, configurable: true });
  const credential = {
    id: 'key',
    rawId: bytes('key'),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: {
      clientDataJSON: bytes('client'),
      authenticatorData: bytes('data'),
      signature: bytes('signature'),
      userHandle: bytes('mere'),
      attestationObject: bytes('attestation'),
      getTransports: () => ['internal'],
    },
  };
  return {
    asked,
    /** The next question is answered with a passkey. */
    answer: () => void answers.push(async () => credential),
    /** The next question is declined, for a reason such as `NotAllowedError`. */
    decline: (name: string) => void answers.push(() => Promise.reject(new DOMException('No.', name))),
  };
}
