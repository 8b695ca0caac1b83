// Writes the settings of ops/compose.yaml. Runs on the machine's own Node (20 or later) before anything is installed: plain JavaScript, no dependencies.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../tools/install.mjs';

const isUrl = (protocols) => (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
const isEmail = (text) => /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(text);
const isHost = (text) => /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i.test(text);
const startsWith = (pattern) => (text) => pattern.test(text);
const splitList = (text) => text.split(',').map((part) => part.trim());

/** What is asked, in this order; `SITE.abn` is a part of the JSON of SITE. `check`: whether a value can be right. `optional`: the site runs without it, as `question` says.
 * `applies`: whether it matters, by the other values. */
export const questions = [
  {
    name: 'APP_URL',
    question: 'Public address of the site, such as https://tradiepost.nz',
    check: isUrl(['https:']),
    hint: 'It begins with https://',
  },
  {
    name: 'SITE_HOSTS',
    question: 'All its hosts, with commas between them, which must point to this machine: tradiepost.nz, tradiepost.com.au',
    check: (text) => splitList(text).every(isHost),
    hint: 'Host names with commas between them',
  },
  { name: 'SITE_NAME', question: 'Name of the site', check: (text) => text.length <= 40, hint: 'At most 40 characters' },
  { name: 'LEGAL_PERSON', question: 'Person or company that runs it, as registered' },
  { name: 'LEGAL_ADDRESS', question: 'Its postal address' },
  { name: 'SITE.nzGstNumber', question: 'Its New Zealand GST number', check: startsWith(/^[\d -]{8,12}$/), hint: '8 or 9 digits' },
  { name: 'SITE.abn', question: 'Its ABN', check: startsWith(/^(\d ?){11}$/), hint: '11 digits' },
  { name: 'SUPPORT_EMAIL', question: 'Address that people write to', check: isEmail, hint: 'One email address' },
  { name: 'SITE.senderEmail', question: 'Address that emails come from', check: isEmail, hint: 'One email address' },
  {
    name: 'ADMIN_EMAIL',
    question: 'Address of your own account, which becomes an administrator',
    check: isEmail,
    hint: 'One email address',
    optional: true,
  },
  {
    name: 'SMTP_URL',
    question: 'Mail server, with user and password: smtps://user:password@mail.example.net',
    check: isUrl(['smtp:', 'smtps:']),
    hint: 'It begins with smtp:// or smtps://',
  },
  {
    name: 'STRIPE_SECRET_KEY',
    question: 'Secret or restricted key of Stripe',
    check: startsWith(/^[sr]k_live_/),
    hint: 'It begins with sk_live_ or rk_live_',
  },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    question: 'Publishable key of Stripe',
    check: startsWith(/^pk_live_/),
    hint: 'It begins with pk_live_',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    question: 'Secret of the webhook endpoint at Stripe',
    // As short as the server takes it.
    check: startsWith(/^whsec_.{24}/),
    hint: 'It begins with whsec_, and at least 24 characters follow',
  },
  {
    name: 'MAIL_DKIM_SELECTORS',
    question: 'Selectors of the mail provider’s DKIM keys, for the doctor',
    check: startsWith(/^[\w.-]+(, *[\w.-]+)*$/),
    hint: 'Names with commas between them',
    optional: true,
  },
  { name: 'NZBN_API_KEY', question: 'Key of the NZBN’s API; without it New Zealand businesses are not checked', optional: true },
  { name: 'ABN_GUID', question: 'GUID of ABN Lookup; without it Australian businesses are not checked', optional: true },
  {
    name: 'BACKUP_TYPE',
    question: 'Where backups go: posix for a folder or this disk, s3 for a bucket',
    check: startsWith(/^(posix|s3)$/),
    hint: 'posix or s3',
    optional: true,
  },
  {
    name: 'BACKUP_FOLDER',
    question: 'Folder on another disk for backups, which user 999 may write; without one they are on this disk',
    check: startsWith(/^\//),
    hint: 'A whole path',
    optional: true,
    applies: (get) => get('BACKUP_TYPE') !== 's3',
  },
  ...[
    ['BACKUP_S3_BUCKET', 'Bucket of the backups'],
    ['BACKUP_S3_ENDPOINT', 'Its endpoint, such as s3.ap-southeast-2.amazonaws.com'],
    ['BACKUP_S3_REGION', 'Its region'],
    ['BACKUP_S3_KEY', 'Access key of the bucket'],
    ['BACKUP_S3_KEY_SECRET', 'Secret of that key'],
  ].map(([name, question]) => ({ name, question, applies: (get) => get('BACKUP_TYPE') === 's3' })),
];

const randomKey = () => randomBytes(32).toString('base64');
const keyRing = () => JSON.stringify({ [`k${new Date().getUTCFullYear()}`]: randomKey() });

/** Secrets that are made here, each once. */
export const made = {
  POSTGRES_PASSWORD: () => randomBytes(24).toString('hex'),
  LOG_KEY: randomKey,
  PRIZE_KEYS: keyRing,
  ACCOUNT_KEYS: keyRing,
  METRICS_TOKEN: () => randomBytes(24).toString('hex'),
};

export const flagOf = (name) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/[._]/g, '-')
    .toLowerCase();

const getMarkets = (hosts) =>
  Object.fromEntries(
    hosts.flatMap((host) => {
      const [, ending] = /\.(nz|au)$/i.exec(host) ?? [];
      return ending ? [[host, ending.toUpperCase()]] : [];
    }),
  );

/** A value as Compose reads it: in single quotes nothing but a single quote has a meaning. */
const quote = (value) => `'${value.replaceAll("'", "\\'")}'`;

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/;

/** The values of a file of settings, without those that are empty. */
export function readSettings(text) {
  const values = new Map();
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw = ''] = assignment.exec(line) ?? [];
    if (name === undefined) continue;
    const [, single] = /^\s*'((?:[^'\\]|\\.)*)'/.exec(raw) ?? [];
    const [, double] = /^\s*"((?:[^"\\]|\\.)*)"/.exec(raw) ?? [];
    const value = single?.replaceAll("\\'", "'") ?? double?.replaceAll('\\"', '"') ?? raw.replace(/\s+#.*$/, '').trim();
    if (value !== '') values.set(name, value);
  }
  return values;
}

/** The values with the parts of SITE as `SITE.abn`. */
function readParts(values) {
  const parts = Object.entries(JSON.parse(values.get('SITE') ?? '{}'));
  return new Map([...values, ...parts.map(([name, value]) => [`SITE.${name}`, value])]);
}

/** What is to be written, with the parts of SITE as its JSON. */
function joinParts(values, added) {
  const isPart = ([name]) => name.startsWith('SITE.');
  const parts = [...values, ...added].filter(isPart).map(([name, value]) => [name.slice('SITE.'.length), value]);
  const others = [...added].filter((entry) => !isPart(entry));
  return new Map([...others, ...([...added].some(isPart) ? [['SITE', JSON.stringify(Object.fromEntries(parts))]] : [])]);
}

/** The file with what is new: in the place of the line of that name, else at its end. Nothing else of it changes. */
function addSettings(text, added) {
  const left = new Map(added);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const kept = lines.map((line) => {
    const [, name] = assignment.exec(line) ?? [];
    if (name === undefined || !left.has(name)) return line;
    const value = left.get(name);
    left.delete(name);
    return `${name}=${quote(value)}`;
  });
  return `${[...kept, ...[...left].map(([name, value]) => `${name}=${quote(value)}`)].join('\n')}\n`;
}

/** What is wrong with a value, null if nothing. */
function findFault({ check, hint }, value) {
  if (/[\r\n\0]/.test(value)) return 'It must be one line';
  return check && !check(value) ? hint : null;
}

const usage = `npm run setup -- [--file <path>] ${questions.map(({ name }) => `[--${flagOf(name)} <value>]`).join(' ')}`;

/**
 * Writes what is not set yet, from `args` or, with `ask`, from answers. Returns the lines to print and the exit code: 1 if nothing could be written,
 * else 0. A value that is set is never replaced: the database was made with its password, and rows are sealed with its keys.
 */
export async function setUp(args, ask) {
  let flags;
  try {
    const options = Object.fromEntries(['file', ...questions.map(({ name }) => flagOf(name))].map((name) => [name, { type: 'string' }]));
    flags = parseArgs({ args, options }).values;
  } catch (error) {
    return { code: 1, lines: [error.message, usage] };
  }
  const file = resolve(flags.file ?? join(root, 'ops/.env'));
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const values = readParts(readSettings(text));
  const added = new Map();
  const lines = [];
  const faults = [];
  function add(name, value) {
    added.set(name, value);
    if (name !== 'SITE_HOSTS') return;
    const hosts = splitList(value);
    // Caddy refuses a list without spaces.
    added.set(name, hosts.join(', '));
    if (values.has('MARKET_HOSTS')) return;
    // One host serves both countries; of several, each with such an ending serves its country, and the others both.
    const markets = getMarkets(hosts);
    if (hosts.length > 1 && Object.keys(markets).length > 0) added.set('MARKET_HOSTS', JSON.stringify(markets));
  }
  for (const item of questions) {
    const flag = flags[flagOf(item.name)];
    const fault = flag === undefined ? null : findFault(item, flag.trim());
    if (fault) faults.push(`--${flagOf(item.name)}: ${fault}.`);
    else if (values.has(item.name)) {
      if (flag !== undefined && flag.trim() !== values.get(item.name))
        lines.push(`${item.name} is set already and stays as it is: change it in the file.`);
    } else if (flag !== undefined && flag.trim() !== '') add(item.name, flag.trim());
  }
  if (faults.length > 0) return { code: 1, lines: [...faults, 'Nothing was written.'] };
  const get = (name) => added.get(name) ?? values.get(name);
  const applies = (item) => !item.applies || item.applies(get);
  const save = () => {
    // Never half a file, and never one that others may read.
    const temporary = `${file}.${process.pid}.new`;
    writeFileSync(temporary, addSettings(text, joinParts(values, added)), { mode: 0o600 });
    renameSync(temporary, file);
  };
  if (ask) {
    for (const item of questions) {
      if (values.has(item.name) || added.has(item.name) || !applies(item)) continue;
      for (;;) {
        const answer = (await ask(`${item.question}${item.optional ? ' (Enter: none)' : ' (Enter: later)'}: `)).trim();
        if (answer === '') break;
        const fault = findFault(item, answer);
        if (fault === null) {
          add(item.name, answer);
          // At once, so that an interruption loses nothing that was answered.
          save();
          break;
        }
        lines.push(`${item.name}: ${fault}.`);
        await ask(`${fault}. Enter, then try again. `);
      }
    }
  }
  for (const [name, make] of Object.entries(made)) if (!values.has(name)) added.set(name, make());
  if (added.size > 0) save();
  lines.push(added.size > 0 ? `Written to ${file}: ${[...added.keys()].join(', ')}.` : `${file} has everything that was given.`);
  if (Object.keys(made).some((name) => added.has(name)))
    lines.push('Keep a copy of its keys away from the backups: without them, sealed rows cannot be read.');
  const missing = questions.filter((item) => !item.optional && applies(item) && get(item.name) === undefined);
  if (missing.length > 0) lines.push('Still missing:', ...missing.map(({ name, question }) => `  ${name}: ${question}`));
  else
    lines.push(
      'Nothing is missing. In ops/: docker compose build && docker compose up -d --wait, then see docker compose run --rm --no-deps worker commands/doctor.ts',
    );
  return { code: 0, lines };
}

async function main() {
  const reader = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const { code, lines } = await setUp(process.argv.slice(2), reader && ((question) => reader.question(question)));
  reader?.close();
  for (const line of lines) console.log(line);
  process.exitCode = code;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
