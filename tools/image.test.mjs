// What the image of ops/Containerfile holds: its steps are done without an engine, in a folder with links to the installed packages.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../sandbox/src/testing/app.ts';
import { nodePath, root } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'handwise-image-'));
const tree = join(folder, 'handwise');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = readFileSync(join(root, 'ops/Containerfile'), 'utf8');
const [, removed = ''] = /^RUN rm -rf (node_modules \*.*)$/m.exec(file) ?? [];
const [, workspaces = ''] = /npm install ((?:--workspace \w+ ?)+)--omit=dev/.exec(file) ?? [];
const leftOut = new Set(removed.trim().split(' '));
const ignored = /(^|\/)(node_modules|\.git|\.data|\.react-router|test-results)(\/|$)|^web\/(app|public)(\/|$)/;

cpSync(root, tree, {
  recursive: true,
  filter: (path) => {
    const inside = relative(root, path);
    return !ignored.test(inside) && !leftOut.has(inside);
  },
});
// The packages that npm would install.
const packages = execFileSync('npm', ['ls', '--all', '--parseable', '--omit=dev', ...workspaces.trim().split(' ')], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
  .split('\n')
  .map((path) => relative(root, path))
  .filter((path) => /^(\w+\/)?node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
for (const path of packages) {
  const link = join(tree, path);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(root, path), link);
}
for (const part of ['contract', 'proof', 'server']) {
  const link = join(tree, 'node_modules/@handwise', part);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join(tree, part), link);
}

const { given, parts } = await testApp();
const key = Buffer.alloc(32, 3).toString('base64');
/** A production's settings. */
const environment = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  SANDBOX: '1',
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: parts.databaseUrl,
  LOG_KEY: key,
  PRIZE_KEYS: JSON.stringify({ first: key }),
  ACCOUNT_KEYS: JSON.stringify({ first: key }),
};
const runWith = (env, script, ...args) =>
  new Promise((done) => {
    execFile(nodePath, [script, ...args], { cwd: tree, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
const run = (script, ...args) => runWith(environment, script, ...args);

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The program that a command of package.json runs, without what only a checkout has. */
const programOf = (command) => `commands/${/^node tools\/command\.mjs ([\w-]+)$/.exec(scripts[command])?.[1]}.ts`;

const commands = ['audit', 'admin:grant', 'payments:check', 'entry:owner', 'doctor'];

test.each(commands)('the image has the program of npm run %s, and says how to start it', (command) => {
  const program = programOf(command);
  expect(existsSync(join(tree, program))).toBe(true);
  expect(file).toContain(`\`${program}`);
});

test('the image has every command for operators, of which those for an embedded database say what to use instead', async () => {
  const names = Object.keys(scripts).filter((name) => scripts[name].includes('tools/command.mjs'));
  expect(names.length).toBeGreaterThan(commands.length);
  expect(names.filter((name) => !existsSync(join(tree, programOf(name))))).toEqual([]);
  const { DATABASE_URL: _, ...withoutDatabase } = environment;
  for (const name of ['backup', 'restore']) {
    expect(await run(programOf(name), folder)).toEqual({ code: 1, output: expect.stringContaining('with pgBackRest') });
    expect(await runWith(withoutDatabase, programOf(name), folder)).toEqual({
      code: 1,
      output: expect.stringMatching(/^(No backup was made|Nothing was restored): DATABASE_URL is not set/),
    });
  }
});

test('the image has the fonts of every script that documents print, after its unused files are deleted', async () => {
  const folders = ['node_modules/@expo-google-fonts', 'node_modules/@fontsource-variable'];
  for (const part of folders) {
    rmSync(join(tree, part), { recursive: true, force: true });
    cpSync(join(root, part), join(tree, part), { recursive: true, dereference: true });
  }
  const [, deleting = ''] = /^RUN (find (?:.*\\\n)*.*-delete)$/m.exec(file) ?? [];
  expect(deleting.match(/-delete/g)).toHaveLength(3);
  execFileSync('sh', ['-c', deleting], { cwd: tree });
  const names = 'Mere Kīngi Đặng Αθήνα Жанна 王小明 さくら 김민수 محمد דוד मोहन สมชาย রহিম ਗੁਰ ગીતા தமிழ் రాము മലയാളം සිංහල ខ្មែរ';
  const script = `import { listUnprintable } from './server/src/kit/pdf/pdf-text.ts';
    import { openFonts } from './server/src/kit/pdf/pdf-fonts.ts';
    const texts = ${JSON.stringify(names.split(' '))};
    console.log(JSON.stringify(listUnprintable(texts, await openFonts(texts))));`;
  expect(await run('--input-type=module', '--eval', script)).toEqual({ code: 0, output: '[]\n' });
});

test('the image has no test data, and its commands run there', async () => {
  for (const part of ['sandbox', 'demo', 'node_modules/vitest', 'node_modules/@handwise/sandbox'])
    expect([part, existsSync(join(tree, part))]).toEqual([part, false]);
  const user = await given.confirmed(await given.user());
  const { email } = user ?? {};
  expect(await run(programOf('audit'))).toEqual({ code: 0, output: expect.stringMatching(/^The ledger balances\./) });
  expect(await run(programOf('admin:grant'), email)).toEqual({ code: 0, output: `${email} is now an administrator.\n` });
  expect(await run(programOf('entry:owner'), '00')).toEqual({ code: 1, output: 'There is no entry 00.\n' });
  expect(await run(programOf('doctor'), '--no-email', 'push keys')).toEqual({ code: 0, output: expect.stringContaining('ok   push keys') });
  expect(await run(programOf('payments:check'), '--events')).toEqual({
    code: 0,
    output: expect.stringContaining('payment_intent.succeeded'),
  });
});
