import { type RefusalCode, type RefusalText, refusalCodes, refusals } from './refusals.ts';

type Refusals = typeof refusals;

/** `client-unknown`: its usual message; `client-unknown.id`: the message of a case. */
export type RefusalName = {
  [Code in RefusalCode]:
    | Code
    | (Refusals[Code] extends { readonly cases: infer Cases } ? `${Code}.${keyof Cases & string}` : never);
}[RefusalCode];

interface NamedRefusal {
  readonly code: RefusalCode;
  readonly message: string;
}

const textsOf = (code: RefusalCode): RefusalText => refusals[code];

const byName = new Map<string, NamedRefusal>(
  refusalCodes.flatMap((code) => {
    const { message, cases = {} } = textsOf(code);
    const ofCases = Object.entries(cases).map(([name, text]) => [`${code}.${name}`, { code, message: text }] as const);
    return [[code, { code, message }], ...ofCases];
  }),
);

export const refusalOf = (name: RefusalName): NamedRefusal => {
  const refusal = byName.get(name);
  if (!refusal) throw new Error(`no refusal is called ${name}`);
  return refusal;
};

interface RefusalDetails {
  /** Replaces the message of the catalogue, for one with values. */
  readonly message?: string;
  /** Only for `conversion-repeated`: the conversion that was registered first. */
  readonly conversionId?: number | undefined;
  /** Only for `conversion-repeated`: the field that it has as well. */
  readonly repeatedField?: 'conversionExternalReference' | 'eventId' | undefined;
}

/** A request that breaks a rule of the API. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly conversionId: number | undefined;
  readonly repeatedField: RefusalDetails['repeatedField'];

  constructor(name: RefusalName, { message, conversionId, repeatedField }: RefusalDetails = {}) {
    const refusal = refusalOf(name);
    super(message ?? refusal.message);
    this.code = refusal.code;
    this.conversionId = conversionId;
    this.repeatedField = repeatedField;
  }
}
