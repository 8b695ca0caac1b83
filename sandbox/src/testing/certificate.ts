import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const encode = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]) => encode(0x30, ...parts);
const object = (...bytes: number[]) => encode(0x06, Buffer.from(bytes));
const octets = (body: Buffer) => encode(0x04, body);
const formatTime = (time: Date) => encode(0x18, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));
const isTrue = Buffer.from([0x01, 0x01, 0xff]);

/** A self-signed certificate for these hosts, with its key. */
export function createCertificate(
  hosts: readonly string[],
  { from = new Date(Date.now() - 86_400_000), until }: { from?: Date; until: Date },
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(object(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(encode(0x31, sequence(object(0x55, 0x04, 0x03), encode(0x0c, Buffer.from(hosts[0] ?? '')))));
  const alternatives = sequence(...hosts.map((host) => encode(0x82, Buffer.from(host))));
  const extensions = encode(
    0xa3,
    sequence(
      sequence(object(0x55, 0x1d, 0x13), isTrue, octets(sequence(isTrue))),
      sequence(object(0x55, 0x1d, 0x11), octets(alternatives)),
    ),
  );
  const content = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    encode(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(formatTime(from), formatTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, ecdsaWithSha256, encode(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
