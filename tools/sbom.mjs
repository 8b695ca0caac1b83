// Writes the bill of materials beside the build: every package that a server or worker uses, in CycloneDX's format.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { install, root, withOwnNode } from './install.mjs';

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Where a package that is used in a folder is installed, as Node finds it. */
function findFolder(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = `${at && `${at}/`}node_modules/${name}`;
    if (packages[folder]) return folder;
    if (!at) return undefined;
  }
}

/** The parts of the product, and the packages that they need, themselves or through others. */
function listNeeded(packages) {
  const needed = new Set(['contract', 'proof', 'server', 'web']);
  for (const folder of needed) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[folder];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = name.startsWith('@handwise/') ? undefined : findFolder(packages, folder, name);
      if (at) needed.add(at);
    }
  }
  return needed;
}

const file = resolve(process.argv[2] ?? join(root, 'web/build/sbom.cdx.json'));
await install();
// With --omit dev, npm leaves out what is also a package for development elsewhere, such as React.
const printed = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
  cwd: root,
  env: withOwnNode(),
  encoding: 'utf8',
  maxBuffer: 100_000_000,
});
const bill = JSON.parse(printed);
const { name, version } = readJson('package.json');
const { packages } = readJson('package-lock.json');
const purlOf = (folder) =>
  /^\w+$/.test(folder)
    ? `pkg:npm/%40${name}/${folder}@${version}`
    : `pkg:npm/${(packages[folder].name ?? folder.split('node_modules/').at(-1)).replace('@', '%40')}@${packages[folder].version}`;
const wanted = new Set([...listNeeded(packages)].map(purlOf));
bill.components = bill.components.filter(({ purl }) => wanted.has(purl.split('?')[0]));
const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
// npm names it after the folder of the checkout.
bill.metadata.component.name = name;
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(bill, null, 1)}\n`);
console.log(`${bill.components.length} packages in ${file}`);
