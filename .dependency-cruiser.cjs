// Who may import whom: packages point at the domain, apps at packages, nobody at an app. package.json says which package
// may see which; this says the same for reviewers in one place, and adds what holds inside an app.
const own = '^(apps|packages)/';
const only = (name, allowed) => ({
  name: `${name}-imports-only`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: own, pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
});

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
    only('domain', []),
    only('secrets', ['domain']),
    only('db', ['domain', 'secrets', 'runtime']),
    only('landing-page', ['domain', 'secrets']),
    only('delivery', ['domain', 'db', 'secrets', 'runtime']),
    only('people', ['domain', 'secrets', 'db']),
    only('erasure', ['domain', 'secrets', 'db', 'people']),
    only('administration', [
      'domain',
      'secrets',
      'db',
      'people',
      'delivery',
      'intake',
      'reports',
      'platforms',
      'egress',
      'runtime',
    ]),
    only('reports', ['domain', 'db', 'people', 'secrets']),
    only('intake', ['domain', 'secrets', 'db', 'delivery', 'erasure', 'people', 'egress', 'runtime']),
    only('messaging', ['secrets', 'tracing']),
    only('platforms', ['domain', 'egress']),
    only('egress', []),
    only('runtime', ['tracing', 'secrets']),
    only('http', ['domain', 'runtime', 'tracing']),
    only('tracing', []),
    only('platform-sandbox', []),
    only('sdk', []),
    only('local-stack', ['secrets']),
    only('test-fixtures', ['domain', 'db', 'secrets', 'local-stack', 'platforms']),
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
        pathNot: '^packages/domain/src/csv\\.ts$', // needs nothing else
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
      name: 'of-the-runtime-these-see-only-batches',
      severity: 'error',
      from: { path: '^packages/(db|delivery|intake)/src' },
      to: { path: '^packages/runtime/', pathNot: '^packages/runtime/src/batch\\.ts$' },
    },
    {
      name: 'intake-only-enqueues-deliveries',
      severity: 'error',
      from: { path: '^packages/intake/src', pathNot: '^packages/intake/src/webhooks/' },
      to: { path: '^packages/delivery/', pathNot: '^packages/delivery/src/(enqueue|tell-webhooks)\\.ts$' },
    },
    {
      name: 'the-core-knows-neither-http-nor-broker',
      severity: 'error',
      from: {
        path: '^packages/(domain|secrets|db|people|administration|erasure|intake|delivery|reports|landing-page)/src',
      },
      to: { path: 'node_modules/(express|amqplib)/' },
    },
    {
      name: 'landing-asks-for-erasures-and-performs-none',
      severity: 'error',
      from: { path: '^(apps/landing/src|packages/(erasure/src/ask|intake/src)/)' },
      to: { path: '^packages/erasure/', pathNot: '^packages/erasure/src/ask/' },
    },
    {
      name: 'only-the-worker-and-the-operator-know-platforms',
      severity: 'error',
      from: { path: '^apps/(landing|api)/' },
      // how a phone number is read, for warnings to testers
      to: { path: '^packages/platforms/', pathNot: '^packages/platforms/src/phone-number\\.ts$' },
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
        pathNot: ['\\.test\\.ts$', '^packages/(test-fixtures|local-stack|platform-sandbox)/'],
      },
      to: { path: '^packages/(test-fixtures|local-stack|platform-sandbox)/' },
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
