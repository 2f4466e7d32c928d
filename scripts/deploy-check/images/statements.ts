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
  /** `sha256:…`, as is `baseDigest`. */
  readonly digest: string;
  readonly created: string;
  readonly commit: string;
  readonly base: string;
  readonly baseDigest: string;
  readonly args: Readonly<Record<string, string>>;
}

const asDigest = (digest: string) => ({ sha256: digest.replace('sha256:', '') });

/** How an image was built: a statement of in-toto with the predicate of SLSA 1.0. */
export const provenanceOf = ({ image, digest, created, commit, base, baseDigest, args }: Origin): object => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: image, digest: asDigest(digest) }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://docs.docker.com/build/',
      externalParameters: { dockerfile: 'Dockerfile', args },
      resolvedDependencies: [
        { name: 'sources', digest: { gitCommit: commit } },
        { name: base, digest: asDigest(baseDigest) },
      ],
    },
    runDetails: { builder: { id: 'scripts/deploy-check' }, metadata: { finishedOn: created } },
  },
});
