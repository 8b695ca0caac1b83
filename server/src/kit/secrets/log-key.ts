import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { join } from 'node:path';
import { headText, keyIdOf, type SignedHead, type Signer } from '@handwise/proof/checkpoint';
import { ownSecret } from './own-secret.ts';

// What stands before the 32 bytes of an Ed25519 key in PKCS 8.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that signs the heads of the ticket log, of its 32 secret bytes. */
export function logKeyOf(secret: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** The key of the environment; without one, which only a sandbox may be, the one that the first start makes and keeps in `dataDir`. */
export function openLogKey({ logKey, dataDir }: { logKey: string | null; dataDir: string }): Signer {
  if (logKey !== null) return logKeyOf(Buffer.from(logKey, 'base64'));
  const parse = (text: string) => {
    const secret = Buffer.from(text, 'base64');
    return secret.length === 32 ? logKeyOf(secret) : undefined;
  };
  return ownSecret(join(dataDir, 'log-key'), () => `${randomBytes(32).toString('base64')}\n`, parse);
}

/** Whether a head was signed with a key (32 bytes in hexadecimal): as `verifyHead` of the proof says, ten times as fast. */
export function verifierOf(publicKey: string): (head: SignedHead) => boolean {
  const bytes = Buffer.from(publicKey, 'hex');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
  return (head) =>
    Buffer.from(keyIdOf(head.origin, bytes)).equals(head.keyId) && verify(null, Buffer.from(headText(head)), key, head.signature);
}
