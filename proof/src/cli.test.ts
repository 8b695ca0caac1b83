import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signTestHead, idOf, createTestDraw } from './testing/test-draw.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-proof-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const made = createTestDraw();
const files = {
  // Some programs store a UTF-8 byte order mark.
  'marked.json': `\u{feff}${JSON.stringify(made.proof)}`,
  'proof.json': JSON.stringify(made.proof),
  'commitment.json': JSON.stringify(made.commitment),
  'log.txt': made.log,
  'mail.txt': `> ${signTestHead(made.leaves.slice(0, 5)).replaceAll('\n', '\r\n> ')}`,
  'forged.json': JSON.stringify({ ...made.proof, winner: made.proof.reserves[0] }),
  'empty.json': JSON.stringify({ ...createTestDraw({ leaves: [] }).proof, beacon: null }),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);

/** Runs the command in the folder of the files. */
function run(...args: string[]) {
  return new Promise<{ code: number; lines: string[]; errors: string }>((done) => {
    const command = join(import.meta.dirname, 'cli.ts');
    execFile(process.execPath, [command, ...args], { cwd: '/', env: { ...process.env, INIT_CWD: dir } }, (error, out, errors) => {
      done({ code: error ? Number(error.code) : 0, lines: out.trimEnd().split('\n'), errors });
    });
  });
}

test('exits with 0 and the winner’s entry id for a valid draw', async () => {
  const { code, lines } = await run('proof.json', '--log', 'log.txt', '--checkpoint', 'mail.txt', '--commitment', 'commitment.json');
  expect([code, lines.at(-1)]).toEqual([0, made.proof.winner?.entryId]);
  expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(10);
  expect(lines.join('\n')).toContain('NOT A REAL DRAW');
  expect(lines.join('\n')).toContain('different, real people');
});

test('reads a file with a byte order mark', async () => {
  const { code, lines } = await run('marked.json');
  expect([code, lines.at(-1)]).toEqual([0, made.proof.winner?.entryId]);
});

test('exits with 1 and the failed checks for an invalid draw', async () => {
  const { code, lines } = await run('forged.json');
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/FAILS\s+The winner and reserves follow[^\n]*\n\s+the first pick is entry/);
  expect(lines.at(-1)).toContain('does not hold');
});

test('exits with 1 for a commitment, and with 0 without an id for a month without entries', async () => {
  const [commitment, empty] = await Promise.all([run('commitment.json'), run('empty.json')]);
  expect([commitment.code, commitment.lines.at(-1)]).toEqual([1, 'The announced round is not out in this file: nothing is drawn yet.']);
  expect([empty.code, empty.lines.at(-1)]).toEqual([0, 'Everything that was checked holds. Nobody won.']);
});

test('reads proof and log from URLs', async () => {
  const server = createServer(({ url = '' }, response) => {
    const text = files[url.slice(1) as keyof typeof files];
    response.writeHead(text ? 200 : 404).end(text);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  try {
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [there, missing] = await Promise.all([run(`${at}/proof.json`, '--log', `${at}/log.txt`), run(`${at}/nothing`)]);
    expect([there.code, there.lines.at(-1)]).toEqual([0, made.proof.winner?.entryId]);
    expect([missing.code, missing.errors]).toEqual([1, `${at}/nothing answered 404\n`]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('exits with 1 and a message for wrong arguments or missing files', async () => {
  const runs = await Promise.all([run(), run('proof.json', idOf(1)), run('proof.json', '--trust'), run('nothing.json')]);
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  for (const [at, words] of ['draw:verify -- <proof.json', 'draw:verify -- <proof.json', '--trust', 'ENOENT'].entries()) {
    expect(runs[at]?.errors).toContain(words);
  }
});
