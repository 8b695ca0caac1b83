import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records by name and type. `silent`: gets no answer. `broken`: the server fails. */
export type Zone = Record<string, { A?: string[]; TXT?: string[][]; MX?: string[] } | 'silent' | 'broken'>;

const types = new Map([
  [1, 'A'],
  [15, 'MX'],
  [16, 'TXT'],
] as const);

const encodeName = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])]);
const encodeShort = (number: number) => Buffer.from([number >> 8, number & 255]);

const encodeTexts = (texts: readonly string[]) => Buffer.concat(texts.map((text) => Buffer.from([text.length, ...Buffer.from(text)])));

function encodeRecords(found: Zone[string] | undefined, type: number): Buffer[] {
  if (found === undefined || typeof found === 'string') return [];
  if (type === 1) return (found.A ?? []).map((address) => Buffer.from(address.split('.').map(Number)));
  if (type === 15) return (found.MX ?? []).map((host) => Buffer.concat([encodeShort(10), encodeName(host)]));
  return types.has(type as 16) ? (found.TXT ?? []).map(encodeTexts) : [];
}

/** Answers a question, or null if it gets no answer. */
function answer(query: Buffer, zone: Zone): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const found = zone[labels.join('.').toLowerCase()];
  if (found === 'silent') return null;
  const code = found === 'broken' ? 2 : found === undefined ? 3 : 0;
  const records = encodeRecords(found, type);
  const header = Buffer.concat([
    query.subarray(0, 2),
    Buffer.from([0x81, 0x80 | code, 0, 1]),
    encodeShort(records.length),
    Buffer.alloc(4),
  ]);
  const rows = records.map((data) =>
    Buffer.concat([Buffer.from([0xc0, 12]), encodeShort(type), Buffer.from([0, 1, 0, 0, 0, 60]), encodeShort(data.length), data]),
  );
  return Buffer.concat([header, question, ...rows]);
}

/** A name server over UDP that knows this zone, which a test may change. Short records only. */
export async function startNameServer(zone: Zone) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const response = answer(query, zone);
    if (response) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}
