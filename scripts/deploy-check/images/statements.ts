import { digestSet, predicateTypes, statementType } from '../../supply-chain/provenance/statement.ts';

/** A component of CycloneDX. */
export interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** From a line of dpkg-query: name and version. */
export const debianComponent = (line: string): Component => {
  const [name = '', version = ''] = line.split(' ');
  return { type: 'library', name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}` };
};

export interface Origin {
  readonly image: string;
  /** `sha256:…`, as is `baseDigest`: the id of the local image, which differs from the digest of the pushed one. */
  readonly digest: string;
  readonly created: string;
  readonly commit: string;
  /** Whether files were changed since the commit. */
  readonly isChanged: boolean;
  readonly base: string;
  readonly baseDigest: string;
  readonly args: Readonly<Record<string, string>>;
}

/** How an image was built: a statement of in-toto with the predicate of SLSA 1.0. */
export const provenanceOf = ({
  image,
  digest,
  created,
  commit,
  isChanged,
  base,
  baseDigest,
  args,
}: Origin): object => ({
  _type: statementType,
  subject: [{ name: image, digest: digestSet(digest) }],
  predicateType: predicateTypes.provenance,
  predicate: {
    buildDefinition: {
      buildType: 'https://docs.docker.com/build/',
      externalParameters: { dockerfile: 'Dockerfile', args },
      resolvedDependencies: [
        {
          name: 'sources',
          digest: { gitCommit: commit },
          ...(isChanged && { annotations: { uncommittedChanges: true } }),
        },
        { name: base, digest: digestSet(baseDigest) },
      ],
    },
    runDetails: { builder: { id: 'scripts/deploy-check' }, metadata: { finishedOn: created } },
  },
});
