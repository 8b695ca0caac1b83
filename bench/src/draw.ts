import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { firstRoundFrom, deriveRandomness, sandboxChain, scheme } from '@handwise/proof/beacon';
import { type Signer, signHead } from '@handwise/proof/checkpoint';
import { algorithm, type Entry, buildEntryLevels, pickEntries, sortEntries } from '@handwise/proof/draw';
import { formatLeaf, formatLeafTime, replayLog } from '@handwise/proof/log';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import {
  appendLeaves,
  consistencyPath,
  inclusionPath,
  hashLeaf,
  type NodePosition,
  type ReadNodes,
  computeRoot,
} from '@handwise/proof/tree';
import { verifyDraw } from '@handwise/proof/verify';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { median, printTable } from './load.ts';

const entryCount = 200_000;
const leafCount = 1_000_000;
const origin = 'bench.example/draws/2026-11';
const newId = () => randomBytes(16).toString('hex');

/** A month that ends with 200,000 entries of five tickets each, in a log of a million leaves: the other leaves issue and void again. */
function makeMonth() {
  const at = formatLeafTime(new Date());
  const issued = (entryId: string) => formatLeaf({ kind: 'issued', entryId, tickets: 5, at });
  const entries: Entry[] = Array.from({ length: entryCount }, () => ({ id: newId(), tickets: 5 }));
  const leaves = entries.map(({ id }) => issued(id));
  while (leaves.length < leafCount) {
    const entryId = newId();
    leaves.push(issued(entryId), formatLeaf({ kind: 'voided', entryId, reason: 'swapped', at }));
  }
  return { entries, leaves };
}

function makeSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(bytes), sign: (message) => sign(null, message, privateKey) };
}

const timed = <T>(work: () => T): [number, T] => {
  const begun = performance.now();
  const result = work();
  return [performance.now() - begun, result];
};

/** The median and the worst of many, in ms. */
async function timeEach(times: number, work: (turn: number) => Promise<unknown>): Promise<[number, number]> {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const begun = performance.now();
    await work(turn);
    all.push(performance.now() - begun);
  }
  return [median(all), Math.max(...all)];
}

/** The tree of the log as a server keeps it, in memory: what the database adds to it is one read. */
async function storeOf(leaves: string[]) {
  const levels: Uint8Array[][] = [];
  const readNodes: ReadNodes = (positions: NodePosition[]) =>
    positions.map(({ level, index }) => levels[level]?.[index] ?? new Uint8Array(32));
  for (const { level, index, hash } of await appendLeaves(0, leaves.map(hashLeaf), readNodes)) (levels[level] ??= [])[index] = hash;
  return readNodes;
}

/** Closing and checking a draw with a million tickets, and a log of a million leaves: on the server and in a reader's browser. */
export async function benchDraw() {
  const { entries, leaves } = makeMonth();
  const signer = makeSigner();
  const round = firstRoundFrom(sandboxChain, Date.now() + 300_000);
  const signature = signSandboxRound(round);
  const randomness = deriveRandomness(signature) ?? '';

  const [freezing, { sorted, levels }] = timed(() => {
    const sorted = sortEntries(entries);
    return { sorted, levels: buildEntryLevels(sorted) };
  });
  const root = Buffer.from(levels.at(-1)?.[0] ?? []).toString('hex');
  const [picking, [winner, ...reserves]] = timed(() => pickEntries(sorted, randomness, root));
  const readNodes = await storeOf(leaves);
  const size = leaves.length;
  const head = await timeEach(1000, async () => {
    await appendLeaves(size, [hashLeaf('one more')], readNodes);
    signHead({ origin, size, root: await computeRoot(size, readNodes) }, signer);
  });
  const inclusion = await timeEach(1000, (turn) => inclusionPath(turn * 997, size, readNodes));
  const consistency = await timeEach(1000, (turn) => consistencyPath(turn * 997 + 1, size, readNodes));
  const [replaying, replay] = timed(() => replayLog(leaves));
  printTable(
    `A draw of ${entryCount} entries with ${entryCount * 5} tickets, a log of ${size} leaves: ms in Node, without the database`,
    ['', 'median', 'worst', 'at most'],
    [
      ['freezing the entries with their tree', freezing, freezing, 5000],
      ['winner and reserves', picking, picking, 5000],
      ['a leaf and a signed head', ...head, 5],
      ['proof of inclusion', ...inclusion, 5],
      ['proof of consistency', ...consistency, 5],
      ['replay of the log', replaying, replaying, 5000],
    ],
  );

  const { chainHash, publicKey, genesisTime, period } = sandboxChain;
  const closedAt = new Date((genesisTime + (round - 1) * period - 300) * 1000).toISOString();
  const announced = { chainHash, publicKey, genesisTime, period, scheme, round, announcedAt: closedAt, signature, randomness };
  const log = {
    origin,
    size,
    root: Buffer.from(replay.root).toString('base64'),
    checkpoint: signHead({ origin, size, root: replay.root }, signer),
    publicKey: Buffer.from(signer.publicKey).toString('hex'),
  };
  const frozen = { algorithm, year: 2026, month: 11, closedAt, root, totalTickets: entryCount * 5, voided: replay.voided, log };
  const proof = JSON.stringify({ ...frozen, beacon: announced, entries: sorted, winner, reserves, struck: [] });
  const text = leaves.join('\n');
  const rows = [['Node', ...[{ proof }, { proof, log: text }].map((evidence) => checked(evidence))]];
  const path = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
  rows.push(path ? ['Chromium', ...(await checkInBrowser(path, proof, text))] : ['Chromium', 'not installed', '']);
  printTable(
    'The whole check by the reader, the beacon’s signature included, in ms (at most 3000 and 5000)',
    ['', 'proof alone', 'with the log'],
    rows,
  );
}

function checked(evidence: { proof: string; log?: string }): number {
  const [ms, { isValid }] = timed(() => verifyDraw(evidence));
  if (!isValid) throw new Error('the bench made a draw that does not hold');
  return ms;
}

/** As the page has it: bundled and made small, in a process of its own without anything remembered. */
async function checkInBrowser(executablePath: string, proof: string, log: string): Promise<number[]> {
  const bundled = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'draw-browser.ts'), formats: ['iife'], name: 'bench' },
    },
  });
  const files: Record<string, string> = {
    '/': '<!doctype html><script src="/check.js"></script>',
    '/check.js': codeOf(bundled),
    '/proof': proof,
    '/log': log,
  };
  const server = createServer(
    ({ url = '' }, response) =>
      void response
        .writeHead(200, { 'content-type': `${url === '/' ? 'text/html' : 'text/javascript'}; charset=utf-8` })
        .end(files[url] ?? ''),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'] });
  try {
    const times: number[] = [];
    for (const withLog of [false, true]) {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/`);
      const { ms, isValid } = await page.evaluate(async (withLog) => {
        const read = async (path: string) => (await fetch(path)).text();
        return globalThis.check({ proof: await read('/proof'), ...(withLog && { log: await read('/log') }) });
      }, withLog);
      if (!isValid) throw new Error('the draw holds in Node, but not in the browser');
      times.push(ms);
      await page.close();
    }
    return times;
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

function codeOf(bundled: Awaited<ReturnType<typeof build>>): string {
  const outputs = [bundled].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (!chunk) throw new Error('nothing was bundled');
  return chunk.code;
}
