import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readEnv } from '@handwise/server/env';
import { root } from '../tools/install.mjs';
import { flagOf, made, questions, readSettings, setUp } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'handwise-setup-'));
const file = join(folder, '.env');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(file, { force: true }));

const given = {
  'app-url': 'https://tradiepost.nz',
  'site-hosts': 'tradiepost.nz, tradiepost.com.au',
  'site-name': 'Tradie’s Post',
  'legal-person': "O'Brien & $ons #1 Limited",
  'legal-address': '9 Quay Street, Nelson 7010, New Zealand',
  'site-nz-gst-number': '123-456-789',
  'site-abn': '51 824 753 556',
  'support-email': 'help@tradiepost.nz',
  'site-sender-email': 'post@tradiepost.nz',
  'smtp-url': 'smtps://post:s%24cret@mail.tradiepost.nz',
  'stripe-secret-key': 'sk_live_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
  'stripe-publishable-key': 'pk_live_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
  'stripe-webhook-secret': 'whsec_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
};
const toArgs = (flags) => Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
const run = (flags = {}, ask) => setUp(['--file', file, ...toArgs(flags)], ask);
const without = (name) => Object.fromEntries(Object.entries(given).filter(([flag]) => flag !== name));
const read = () => readSettings(readFileSync(file, 'utf8'));

/** Starts a production's settings checks as ops/compose.yaml would: with its variables, and with the file. */
function start() {
  const compose = parse(readFileSync(join(root, 'ops/compose.yaml'), 'utf8'), { merge: true });
  const values = Object.fromEntries(read());
  const fill = (text) => String(text).replace(/\$\{(\w+):\?[^}]*\}/g, (_all, name) => values[name] ?? '');
  const own = Object.fromEntries(Object.entries(compose.services.server1.environment).map(([name, text]) => [name, fill(text)]));
  return readEnv({ ...values, ...own });
}

test('a production starts with what it writes, and nothing is missing', async () => {
  const { code, lines } = await run(given);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatch(/^Nothing is missing/);
  const env = start();
  expect(env.isReal).toBe(true);
  expect(env.settings.legalName).toBe("O'Brien & $ons #1 Limited");
  expect(env.smtpUrl).toBe('smtps://post:s%24cret@mail.tradiepost.nz');
  expect(Object.fromEntries(env.marketHosts)).toEqual({ 'tradiepost.nz': 'NZ', 'tradiepost.com.au': 'AU' });
});

test('only its owner may read the file, and nothing is left beside it', async () => {
  await run(given);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['.env']);
});

test('run again it changes nothing, and says so of a value that is given once more', async () => {
  const keep = 'Keep a copy of its keys away from the backups: without them, sealed rows cannot be read.';
  expect((await run(given)).lines).toContain(keep);
  const before = readFileSync(file, 'utf8');
  const { code, lines } = await run({ ...given, 'site-name': 'Other' });
  expect([code, readFileSync(file, 'utf8')]).toEqual([0, before]);
  expect(lines.slice(0, -1)).toEqual([
    'SITE_NAME is set already and stays as it is: change it in the file.',
    `${file} has everything that was given.`,
  ]);
});

test('two installations have keys of their own, and each key is another', async () => {
  await run();
  const first = read();
  rmSync(file);
  await run();
  const keys = [...first, ...read()].filter(([name]) => name in made).map(([, value]) => value);
  expect(keys).toHaveLength(2 * Object.keys(made).length);
  expect(new Set(keys).size).toBe(keys.length);
});

test('keeps comments, other lines and values, and fills in an empty line', async () => {
  writeFileSync(
    file,
    '# Ours\nLOG_LEVEL=warn\nSITE_NAME=\nSITE=\nexport METRICS_TOKEN="mine and \\"ours\\""\nSMTP_URL=smtp://relay # inside\n',
  );
  await run({ 'site-name': 'Tradie Post', 'site-abn': '51 824 753 556', 'smtp-url': 'smtp://other' });
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(
    /^# Ours\nLOG_LEVEL=warn\nSITE_NAME='Tradie Post'\nSITE='\{"abn":"51 824 753 556"\}'\nexport METRICS_TOKEN="mine and \\"ours\\""\nSMTP_URL=smtp:\/\/relay # inside\n/,
  );
  expect(text.match(/METRICS_TOKEN/g)).toHaveLength(1);
  expect([read().get('SMTP_URL'), read().get('METRICS_TOKEN')]).toEqual(['smtp://relay', 'mine and "ours"']);
});

test('hosts that serve other countries by hand stay so, and an empty flag sets nothing', async () => {
  writeFileSync(file, `MARKET_HOSTS='{"tradiepost.nz":"AU"}'\n`);
  const { lines } = await run({ ...given, 'nzbn-api-key': ' ' });
  expect([read().get('MARKET_HOSTS'), readFileSync(file, 'utf8').includes('NZBN_API_KEY')]).toEqual(['{"tradiepost.nz":"AU"}', false]);
  expect(lines[0]).toMatch(/^Written to .*: APP_URL, SITE_HOSTS, SITE_NAME, /);
});

test.each([
  ['app-url', 'http://tradiepost.nz', 'It begins with https://'],
  ['site-hosts', 'tradiepost.nz, https://x', 'Host names with commas'],
  ['support-email', 'help', 'One email address'],
  ['stripe-secret-key', 'sk_test_abc', 'sk_live_'],
  ['stripe-webhook-secret', 'whsec_short', 'at least 24 characters'],
  ['legal-person', 'Two\nLines', 'one line'],
])('refuses --%s %j, and writes nothing', async (flag, value, says) => {
  const { code, lines } = await run({ ...given, [flag]: value });
  expect([code, existsSync(file)]).toEqual([1, false]);
  expect(lines[0]).toContain(`--${flag}: `);
  expect(lines[0]).toContain(says);
});

test('refuses a flag that it does not know', async () => {
  expect(await run({ 'site-nam': 'x' })).toMatchObject({ code: 1 });
  expect(existsSync(file)).toBe(false);
});

const required = questions.filter(({ optional, applies }) => !optional && !applies).map(({ name }) => name);

test.each(required)('says that %s is missing', async (name) => {
  const { lines } = await run(without(flagOf(name)));
  expect(lines.filter((line) => /^ {2}[A-Z]/.test(line)).map((line) => line.trim().split(':')[0])).toEqual([name]);
});

// The site has a name of its own by default, and the proxy says by itself that it needs its hosts.
const needed = required.filter((name) => name !== 'SITE_NAME' && name !== 'SITE_HOSTS');

test.each(needed)('a production does not start without %s', async (name) => {
  await run(without(flagOf(name)));
  expect(start).toThrow(name);
});

test('a bucket for the backups is asked for where they go to one', async () => {
  const { lines } = await run({ ...given, 'backup-type': 's3', 'backup-s3-bucket': 'tradiepost' });
  expect(lines.filter((line) => /^ {2}[A-Z]/.test(line)).map((line) => line.trim().split(':')[0])).toEqual([
    'BACKUP_S3_ENDPOINT',
    'BACKUP_S3_REGION',
    'BACKUP_S3_KEY',
    'BACKUP_S3_KEY_SECRET',
  ]);
  expect(start().isReal).toBe(true);
});

test.each([
  ['posix', /^Folder on another disk/, /bucket/i],
  ['s3', /^Bucket of the backups/, /^Folder on another disk/],
])('of backups that go to %s, only what matters there is asked', async (type, asked, never) => {
  const questionsAsked = [];
  await run({ ...given, 'backup-type': type }, async (question) => {
    questionsAsked.push(question);
    return '';
  });
  expect(questionsAsked).toContainEqual(expect.stringMatching(asked));
  expect(questionsAsked.filter((question) => never.test(question))).toEqual([]);
});

test('asks for what is neither set nor given, again after a wrong answer, and Enter leaves it for later', async () => {
  const asked = [];
  const answers = new Map([['Address that people write to', ['help', '', 'help@tradiepost.nz']]]);
  let open = [];
  const ask = async (question) => {
    asked.push(question);
    for (const [words, list] of answers) if (question.startsWith(words)) open = list;
    return open.shift() ?? '';
  };
  const { lines } = await run(without('support-email'), ask);
  expect(read().get('SUPPORT_EMAIL')).toBe('help@tradiepost.nz');
  expect(asked.some((question) => question.startsWith('Name of the site'))).toBe(false);
  expect(lines.at(-1)).toMatch(/^Nothing is missing/);
});

test('what was answered before an interruption is in the file, and the next run asks for the rest', async () => {
  let asked = 0;
  const interrupted = async (question) => {
    asked += 1;
    if (question.startsWith('Name of the site')) throw new Error('interrupted');
    return asked === 1 ? given['app-url'] : given['site-hosts'];
  };
  await expect(run({}, interrupted)).rejects.toThrow('interrupted');
  expect(Object.fromEntries(read())).toEqual({
    APP_URL: given['app-url'],
    SITE_HOSTS: given['site-hosts'],
    MARKET_HOSTS: '{"tradiepost.nz":"NZ","tradiepost.com.au":"AU"}',
  });
  const { lines } = await run(given);
  expect(lines.at(-1)).toMatch(/^Nothing is missing/);
  expect(start().isReal).toBe(true);
});

test.each([
  ['tradiepost.nz', undefined],
  ['tradiepost.com, tradiepost.example.org', undefined],
  ['tradiepost.nz, tradiepost.com', '{"tradiepost.nz":"NZ"}'],
])('of the hosts %s each with the ending of a country serves that country', async (hosts, markets) => {
  await run({ ...given, 'site-hosts': hosts });
  expect(read().get('MARKET_HOSTS')).toBe(markets);
  expect(start().isReal).toBe(true);
});

test('hosts are written with spaces, which the proxy asks for', async () => {
  await run({ ...given, 'site-hosts': 'tradiepost.nz,tradiepost.com.au' });
  expect(read().get('SITE_HOSTS')).toBe('tradiepost.nz, tradiepost.com.au');
});

test('the commands that it names at the end are those of the compose file', async () => {
  const { lines } = await run(given);
  const compose = readFileSync(join(root, 'ops/compose.yaml'), 'utf8');
  const commands = lines.at(-1).match(/docker compose .+?(?=,|$)/g);
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(compose).toContain(command);
});

test('npm run setup runs without packages and without a terminal', () => {
  const printed = execFileSync(process.execPath, [join(root, 'commands/setup.mjs'), '--file', file, ...toArgs(without('smtp-url'))], {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(printed).toMatch(/Still missing:\n {2}SMTP_URL: Mail server/);
  expect(read().get('APP_URL')).toBe('https://tradiepost.nz');
});
