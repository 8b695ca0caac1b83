// Imports run one way: contract ← kit ← domains ← app on the server, contract ← lib ← ui ← domains ← pages on the web.
// A domain uses those to its left.
const domains = [
  'accounts',
  'referrals',
  'payments',
  'plans',
  'listings',
  'messages',
  'reviews',
  'saved',
  'search',
  'selling',
  'draws',
  'admin',
  'site',
];
const tests = '\\.test\\.tsx?$';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'contract-knows-nobody', severity: 'error', from: { path: '^contract/' }, to: { path: '^(server|web|sandbox|bench|e2e)/' } },
    { name: 'web-knows-the-contract-only', severity: 'error', from: { path: '^web/' }, to: { path: '^(server|sandbox|bench|e2e)/' } },
    {
      name: 'server-knows-no-stand-ins',
      severity: 'error',
      from: { path: '^server/', pathNot: tests },
      to: { path: '^(web|sandbox|bench|e2e)/' },
    },
    {
      name: 'kit-knows-no-domain',
      severity: 'error',
      from: { path: '^server/src/kit/', pathNot: tests },
      to: { path: '^server/src/(domains/|app|serve|main)' },
    },
    ...domains.map((domain, place) => ({
      name: `${domain}-uses-services-only`,
      comment: 'A domain uses the service of the domains that it builds on, and nothing else of them.',
      severity: 'error',
      from: { path: `^server/src/domains/${domain}/`, pathNot: tests },
      to: {
        path: '^server/src/domains/',
        pathNot: [
          `^server/src/domains/${domain}/`,
          ...domains.slice(0, place).map((other) => `^server/src/domains/${other}/${other}\\.service\\.ts$`),
        ],
      },
    })),
    { name: 'web-lib-at-the-bottom', severity: 'error', from: { path: '^web/app/lib/' }, to: { path: '^web/app/(ui|domains|pages)/' } },
    { name: 'web-ui-knows-no-domain', severity: 'error', from: { path: '^web/app/ui/' }, to: { path: '^web/app/(domains|pages)/' } },
    {
      name: 'web-domains-know-no-page',
      severity: 'error',
      from: { path: '^web/app/domains/' },
      to: { path: '^web/app/pages/' },
    },
    ...domains.map((domain, place) => ({
      name: `web-${domain}-reads-to-the-left`,
      comment: 'A domain of the web imports components and queries of the domains to its left; pages compose the rest.',
      severity: 'error',
      from: { path: `^web/app/domains/${domain}/` },
      to: { path: '^web/app/domains/', pathNot: domains.slice(0, place + 1).map((other) => `^web/app/domains/${other}/`) },
    })),
    {
      name: 'web-domains-are-named',
      severity: 'error',
      from: {},
      to: { path: '^web/app/domains/', pathNot: domains.map((domain) => `^web/app/domains/${domain}/`) },
    },
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
