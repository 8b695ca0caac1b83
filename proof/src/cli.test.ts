import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headOf, idOf, madeDraw } from './testing/made-draw.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-proof-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const made = madeDraw();
const files = {
  // Some programs mark a text as UTF-8 where they store it.
  'marked.json': `\u{feff}${JSON.stringify(made.proof)}`,
  'proof.json': JSON.stringify(made.proof),
  'commitment.json': JSON.stringify(made.commitment),
  'log.txt': made.log,
  'mail.txt': `> ${headOf(made.leaves.slice(0, 5)).replaceAll('\n', '\r\n> ')}`,
  'forged.json': JSON.stringify({ ...made.proof, winner: made.proof.reserves[0] }),
  'nobody.json': JSON.stringify({ ...madeDraw({ leaves: [] }).proof, beacon: null }),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);

/** The command as somebody gives it in the folder of the files. */
function run(...args: string[]) {
  return new Promise<{ code: number; lines: string[]; errors: string }>((done) => {
    const command = join(import.meta.dirname, 'cli.ts');
    execFile(process.execPath, [command, ...args], { cwd: '/', env: { ...process.env, INIT_CWD: dir } }, (error, out, errors) => {
      done({ code: error ? Number(error.code) : 0, lines: out.trimEnd().split('\n'), errors });
    });
  });
}

test('a draw that holds ends with 0 and the winner’s entry id on the last line', async () => {
  const { code, lines } = await run('proof.json', '--log', 'log.txt', '--checkpoint', 'mail.txt', '--commitment', 'commitment.json');
  expect([code, lines.at(-1)]).toEqual([0, made.proof.winner?.entryId]);
  expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(10);
  expect(lines.join('\n')).toContain('NOT A REAL DRAW');
  expect(lines.join('\n')).toContain('different, real people');
});

test('a file that a program marked as UTF-8 is read like any other', async () => {
  const { code, lines } = await run('marked.json');
  expect([code, lines.at(-1)]).toEqual([0, made.proof.winner?.entryId]);
});

test('a draw that does not hold ends with 1 and says what does not', async () => {
  const { code, lines } = await run('forged.json');
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/FAILS\s+The winner and reserves follow[^\n]*\n\s+the first pick is entry/);
  expect(lines.at(-1)).toContain('does not hold');
});

test('a commitment ends with 1, for nothing is drawn yet, and a month without anybody with 0 and without an id', async () => {
  const [commitment, nobody] = await Promise.all([run('commitment.json'), run('nobody.json')]);
  expect([commitment.code, commitment.lines.at(-1)]).toEqual([1, 'The announced round is not out in this file: nothing is drawn yet.']);
  expect([nobody.code, nobody.lines.at(-1)]).toEqual([0, 'Everything that was checked holds. Nobody won.']);
});

test('the proof and the log may lie at addresses', async () => {
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

test('without a file, with one too many, an unknown word or a file that is not there the command says so and ends with 1', async () => {
  const runs = await Promise.all([run(), run('proof.json', idOf(1)), run('proof.json', '--trust'), run('nothing.json')]);
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  for (const [at, words] of ['draw:verify -- <proof.json', 'draw:verify -- <proof.json', '--trust', 'ENOENT'].entries()) {
    expect(runs[at]?.errors).toContain(words);
  }
});
