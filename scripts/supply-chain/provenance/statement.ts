import { z } from 'zod';

export const statementType = 'https://in-toto.io/Statement/v1';

/** The predicates that have a short name on the command line. */
export const predicateTypes = {
  provenance: 'https://slsa.dev/provenance/v1',
  sbom: 'https://cyclonedx.org/bom',
} as const;

const statementSchema = z.looseObject({
  _type: z.literal(statementType),
  subject: z.array(z.looseObject({ name: z.string(), digest: z.record(z.string(), z.string()) })).min(1),
  predicateType: z.string(),
});
const billSchema = z.looseObject({ bomFormat: z.literal('CycloneDX') });

export type Statement = Readonly<z.infer<typeof statementSchema>>;

export interface Subject {
  /** Of the image, with its registry. */
  readonly name: string;
  /** `sha256:…` */
  readonly digest: string;
}

export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);

/** What in-toto calls a digest set. */
export const digestSet = (digest: string): { readonly sha256: string } => ({ sha256: digest.replace('sha256:', '') });

const subjectOf = ({ name, digest }: Subject) => [{ name, digest: digestSet(digest) }];

/** A bill of materials as a statement about an image. */
export const billStatement = (bill: object, subject: Subject): object => ({
  _type: statementType,
  subject: subjectOf(subject),
  predicateType: predicateTypes.sbom,
  predicate: bill,
});

const encode = (statement: object): Buffer => Buffer.from(JSON.stringify(statement));

/** The bytes to sign: of a statement, as they are or about another subject, or of a bill of materials. */
export const statementBytes = (content: Buffer, subject: Partial<Subject>): Buffer => {
  const document: unknown = JSON.parse(content.toString());
  const bill = billSchema.safeParse(document);
  const { name, digest } = subject;
  if (bill.success) {
    if (name === undefined || digest === undefined)
      throw new Error('it is a bill of materials, which names no image: pass --image and --digest too');
    return encode(billStatement(bill.data, { name, digest }));
  }
  const statement = statementSchema.safeParse(document);
  if (!statement.success)
    throw new Error(`it is neither a statement of the type ${statementType} nor a bill of materials of CycloneDX`);
  if (name === undefined && digest === undefined) return content;
  if (digest === undefined) throw new Error('--image names another image: pass its --digest too');
  const [{ name: former } = { name: '' }] = statement.data.subject;
  return encode({ ...statement.data, subject: subjectOf({ name: name ?? former, digest }) });
};

/** Reads a statement and checks that it is about this image. `type`: a short name, or the URI of a predicate. */
export const statementAbout = (payload: Buffer, digest: string, type?: string): Statement => {
  const { success, data } = statementSchema.safeParse(JSON.parse(payload.toString()));
  if (!success) throw new Error(`its signature is correct, but its content is not of the type ${statementType}`);
  const subjects = data.subject.map((one) => `sha256:${one.digest['sha256']}`);
  if (!subjects.includes(digest))
    throw new Error(
      `its signature is correct, but it is about ${subjects.join(', ')}, not ${digest}: another image, or the local id ` +
        'of this one. Compare with: docker buildx imagetools inspect IMAGE. The publisher passes that digest to sign --digest',
    );
  const wanted = Object.entries(predicateTypes).find(([name]) => name === type)?.[1] ?? type;
  if (wanted !== undefined && data.predicateType !== wanted)
    throw new Error(`its signature is correct, but it is ${data.predicateType}, not ${wanted}. Pass the other file`);
  return data;
};
