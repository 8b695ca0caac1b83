// Imports run one way: contract ← kit ← domains ← app on the server, contract ← lib ← ui ← domains ← pages on the web.
// `proof` imports nothing of the product, and everything may import it. `domains.mjs` lists which domain may import which.
const { globSync } = require('node:fs');
const { domains, faultsOf, layers, strangersOf } = require('./domains.mjs');

const foldersIn = (parent) => globSync(`${parent}/*/`, { cwd: __dirname }).map((folder) => folder.replace(/\/$/, ''));
const faults = [
  ...faultsOf(domains, globSync(['server/src/domains/*', 'web/app/domains/*'], { cwd: __dirname })),
  ...Object.keys(layers).flatMap((parent) => strangersOf(parent, foldersIn(parent))),
];
if (faults.length > 0) throw new Error(faults.join('\n'));

const tests = '\\.test\\.tsx?$';
const named = Object.keys(domains);

/** Rules for the domains below a folder, of which others may use the files that `open` gives for a domain. */
const domainRules = (side, folder, open) => [
  {
    name: `${side}-domains-are-named`,
    comment: 'A folder of domains that is not in domains.mjs imports nothing and is imported by nobody.',
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: named.map((domain) => `^${folder}/${domain}/`) },
    to: {},
  },
  ...Object.entries(domains).map(([domain, others]) => ({
    name: `${side}-${domain}-uses-what-it-may`,
    comment: 'A domain uses the domains that domains.mjs names for it, and of them only what is there for others.',
    severity: 'error',
    from: { path: `^${folder}/${domain}/`, pathNot: tests },
    to: { path: `^${folder}/`, pathNot: [`^${folder}/${domain}/`, ...others.map((other) => `^${folder}/${other}/${open(other)}$`)] },
  })),
];

/** Nothing of the second, but what is in the third. */
const only = (name, from, within, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: within, pathNot: allowed },
});

/** Every folder of the tree but these, whichever there are. */
const allBut = (...known) =>
  `^(${foldersIn('.')
    .filter((folder) => ![...known, 'node_modules'].includes(folder))
    .join('|')})/`;

const sandboxKey = '^proof/src/sandbox-key';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    only('contract-knows-nobody', '^contract/', allBut('contract', 'proof'), []),
    only('proof-knows-nobody', '^proof/', allBut('proof'), []),
    only('web-knows-contract-and-proof-only', '^web/', `${allBut('web', 'contract', 'proof')}|${sandboxKey}`, []),
    only('server-knows-no-stand-ins', '^server/', `${allBut('server', 'contract', 'proof')}|${sandboxKey}`, []),
    only('kit-knows-the-kit-only', '^server/src/kit/', '^server/src/', ['^server/src/kit/']),
    only('domains-know-no-app', '^server/src/domains/', '^server/src/', ['^server/src/(domains|kit)/']),
    only('app-uses-services', '^server/src/(?!kit/|domains/)', '^server/src/domains/', ['\\.(service|routes|jobs)\\.ts$']),
    // The image has neither sandbox nor demo data.
    only('commands-run-in-the-image', '^commands/(?!backup|restore)', allBut('commands', 'contract', 'proof', 'server', 'tools'), []),
    only('commands-use-services', '^commands/', '^server/src/domains/', ['\\.service\\.ts$']),
    ...domainRules('server', 'server/src/domains', (domain) => `${domain}\\.service\\.ts`),
    only('pages-know-no-build', '^web/app/', '^web/', ['^web/app/']),
    only('lib-knows-the-lib-only', '^web/app/lib/', '^web/app/', ['^web/app/lib/']),
    only('ui-knows-no-domain', '^web/app/ui/', '^web/app/', ['^web/app/(ui|lib)/']),
    only('web-domains-know-no-page', '^web/app/domains/', '^web/app/', ['^web/app/(domains|ui|lib)/']),
    ...domainRules('web', 'web/app/domains', () => '.+(\\.tsx|-queries\\.ts|-view\\.ts)'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|\\.react-router)/|\\.generated\\.ts$' },
    tsPreCompilationDeps: true,
    // The TypeScript compiler of version 7 has no API for it yet.
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
