// Who may import whom: packages point at the domain, apps at packages, nobody at an app. package.json says which package
// may see which; this says the same for reviewers in one place, and adds what holds inside a package. docs/architecture.md
// prints the layers; tests/docs/tables.test.ts compares them.
const own = '^(apps|packages)/';

/** The packages that each package may import. */
const layers = {
  domain: [],
  db: ['domain'],
  core: ['domain', 'db', 'platforms'],
  platforms: ['domain'],
  server: ['domain'],
  sdk: [],
  'platform-sandbox': [],
  testing: ['domain', 'db', 'platforms'],
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'packages-never-import-apps', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    {
      name: 'an-app-never-imports-another',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    ...Object.entries(layers).map(([name, allowed]) => ({
      name: `${name}-imports-only`,
      severity: 'error',
      from: { path: `^packages/${name}/src`, pathNot: '\\.test\\.ts$' },
      to: { path: own, pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: 'the-web-application-knows-types-of-contracts-alone',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: { path: own, pathNot: ['^apps/console/(web|src/contract)/', '^packages/domain/src/'] },
    },
    {
      name: 'the-web-application-takes-only-types-from-outside',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: {
        path: '^(apps/console/src|packages)/',
        pathNot: '^packages/domain/src/((connection|csv|currency)\\.ts$|reasons/)', // need nothing else
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'servers-never-import-the-web-application',
      severity: 'error',
      from: { path: own, pathNot: '^apps/console/(web/|vite\\.config\\.ts$)' },
      to: { path: '^apps/console/web/' },
    },
    {
      name: 'domain-knows-zod-alone',
      severity: 'error',
      from: { path: '^packages/domain/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'who-registers-only-enqueues-deliveries',
      severity: 'error',
      from: { path: '^packages/core/src/(leads/|clients/|conversions/|once|batches|imports/|reconciliation/)' },
      to: {
        path: '^packages/core/src/delivery/',
        pathNot: '^packages/core/src/delivery/(enqueue|webhook-deliveries|limits)\\.ts$',
      },
    },
    {
      name: 'the-core-knows-neither-http-nor-broker',
      severity: 'error',
      from: { path: '^packages/(domain|db|core)/src' },
      to: { path: 'node_modules/(express|amqplib)/' },
    },
    {
      name: 'landing-asks-for-erasures-and-performs-none',
      severity: 'error',
      from: { path: '^(apps/landing/src/|packages/core/src/(erasure/ask/|leads/|clients/|conversions/|once|batches))' },
      to: { path: '^packages/core/src/erasure/', pathNot: '^packages/core/src/erasure/ask/' },
    },
    {
      name: 'only-the-worker-and-the-operator-know-platforms',
      severity: 'error',
      from: { path: '^apps/(landing|api)/' },
      // how a phone number is read, for warnings to testers
      to: { path: '^packages/platforms/', pathNot: '^packages/platforms/src/(phone-number|webhook-address)\\.ts$' },
    },
    {
      name: 'endpoints-never-import-the-database',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/endpoints' },
      to: { path: '^packages/db/' },
    },
    {
      name: 'the-product-does-not-lean-on-its-test-rig',
      severity: 'error',
      from: {
        path: '^(apps|packages)/[^/]+/src',
        pathNot: ['\\.test\\.ts$', '^packages/(testing|platform-sandbox)/'],
      },
      to: { path: '^packages/(testing|platform-sandbox)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // not the `dist` folders of libraries: rules name libraries
    exclude: { path: '^(apps|packages)/[^/]+/(dist|dist-web)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['leadback-source', 'import', 'node', 'default', 'types'],
    },
  },
};
