import { expect, it } from 'vitest';
import { debianComponent, provenanceOf } from './statements.ts';

it('a Debian package is named by a package URL with its escaped version', () => {
  expect(debianComponent('libc6 2.36-9+deb12u14')).toEqual({
    type: 'library',
    name: 'libc6',
    version: '2.36-9+deb12u14',
    purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14',
  });
});

it('a provenance names the image and its base by their digests, and the commit of the sources', () => {
  const origin = {
    image: 'leadback-api',
    digest: 'sha256:aa',
    created: '2026-01-01',
    commit: 'cc',
    isChanged: false,
    args: { APP: 'api' },
  };
  expect(provenanceOf({ ...origin, base: 'node:24', baseDigest: 'sha256:bb' })).toMatchObject({
    subject: [{ name: 'leadback-api', digest: { sha256: 'aa' } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [{ digest: { gitCommit: 'cc' } }, { name: 'node:24', digest: { sha256: 'bb' } }],
      },
    },
  });
});

it('a provenance says that the sources had uncommitted changes', () => {
  const origin = { image: 'x', digest: 'sha256:aa', created: '2026-01-01', commit: 'cc', base: 'y', args: {} };
  const text = (isChanged: boolean) => JSON.stringify(provenanceOf({ ...origin, baseDigest: 'sha256:bb', isChanged }));
  expect(text(true)).toContain('"annotations":{"uncommittedChanges":true}');
  expect(text(false)).not.toContain('uncommittedChanges');
});
