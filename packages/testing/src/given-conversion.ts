import {
  Client,
  Conversion,
  type EntityManager,
  LandingPage,
  Lead,
  ConversionAdjustment,
  type Account,
  type Pool,
} from '@leadback/db';
import {
  type ClickParameters,
  type ClickTimes,
  type ConsentScope,
  type Currency,
  emailKey,
  type AdjustmentKind,
  roundedAmount,
} from '@leadback/domain';
import {
  issueLeadReference,
  leadReferenceKeys,
  type AccountKeys,
  contactOfClient,
  encryptContact,
  lookupHash,
  type PersonMarks,
  personHashes,
  contactOfLead,
  type BufferedLead,
} from '@leadback/domain/keys';
import { givenAccount, keysOfAccount, type OfAccount } from './given-account.ts';
import { saved, unique } from './saved.ts';
import { secretsKeys, givenContacts } from './contexts.ts';

type PageContent =
  | 'mode'
  | 'isOn'
  | 'targetUrl'
  | 'title'
  | 'text'
  | 'buttonLabel'
  | 'askedFields'
  | 'consentText'
  | 'consentScope'
  | 'privacyUrl'
  | 'passedParameters'
  | 'origins'
  | 'waitsForConsent'
  | 'language'
  | 'accentColor'
  | 'logo'
  | 'hero';
type PageOptions = OfAccount & Partial<Pick<LandingPage, PageContent | 'slug' | 'ownSlug' | 'isHidden'>>;

// what is new is saved together: each flush is a transaction
const newLandingPage = async (
  em: EntityManager,
  { account, targetUrl = 'https://shop.example/offer', ...options }: PageOptions = {},
): Promise<LandingPage> =>
  em.create(LandingPage, {
    account: account ?? (await givenAccount(em)),
    slug: unique('page'),
    targetUrl,
    ...options,
  });

export const givenLandingPage = async (em: EntityManager, options?: PageOptions): Promise<LandingPage> =>
  saved(em, await newLandingPage(em, options));

interface LeadOptions extends OfAccount {
  readonly reference?: string;
  /** SHA-256 of what proves that a browser has left it. */
  readonly proofHash?: Buffer;
  readonly clickParameters?: ClickParameters;
  readonly clickTimes?: ClickTimes;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly consent?: boolean;
  readonly consentScope?: ConsentScope;
  readonly globalPrivacyControl?: boolean;
  readonly userAgent?: string;
  readonly landingUrl?: string;
  readonly ipAddress?: string;
  readonly consentWithdrawnAt?: Date;
  readonly traceParent?: string;
  readonly createdAt?: Date;
}

const hashOf = (keys: AccountKeys, email: string | undefined): string | null =>
  email === undefined ? null : lookupHash(keys, 'email', emailKey(email));

const newLead = async (
  em: EntityManager,
  {
    account,
    clickParameters = {},
    reference = issueLeadReference(leadReferenceKeys(secretsKeys)),
    name,
    email,
    phone,
    ipAddress,
    ...seen
  }: LeadOptions = {},
): Promise<Lead> => {
  const landingPage = await newLandingPage(em, account ? { account } : {});
  const owner = landingPage.account.getEntity();
  const keys = keysOfAccount(owner);
  return em.create(Lead, {
    account: landingPage.account,
    landingPage,
    reference,
    clickParameters,
    contact: encryptContact(keys, contactOfLead(owner.id, reference), { name, email, phone, ipAddress }) ?? null,
    emailHash: hashOf(keys, email),
    ...seen,
  });
};

export const givenLead = async (em: EntityManager, options?: LeadOptions): Promise<Lead> =>
  saved(em, await newLead(em, options));

interface ClientOptions extends OfAccount {
  /** Default: a new one. */
  readonly lead?: LeadOptions | Lead;
  readonly email?: string;
  readonly externalReference?: string;
  readonly phoneNumber?: string;
  readonly name?: string;
  readonly isTest?: boolean;
  /** What the advertiser told. */
  readonly adUserData?: boolean;
  readonly adUserDataAt?: Date;
  readonly adPersonalization?: boolean;
  readonly adPersonalizationAt?: Date;
}

const campaignOf = async (em: EntityManager, { id }: Lead): Promise<string> => {
  const sql = 'select campaign_of(click_parameters, click_times) as campaign from lead where id = ?';
  const [row] = await em.execute<{ campaign: string }[]>(sql, [id]);
  return row?.campaign ?? '';
};

const newClient = async (
  em: EntityManager,
  {
    account,
    lead: leadOptions,
    name,
    email,
    phoneNumber: phone,
    externalReference,
    isTest = false,
    ...told
  }: ClientOptions = {},
): Promise<Client> => {
  // saved before: a client has the id of its page
  const lead =
    leadOptions instanceof Lead ? leadOptions : await givenLead(em, { ...leadOptions, ...(account && { account }) });
  const owner = lead.account.getEntity();
  const keys = keysOfAccount(owner);
  return em.create(Client, {
    account: lead.account,
    lead,
    landingPageId: lead.landingPage.id,
    campaign: await campaignOf(em, lead),
    traceParent: lead.traceParent ?? null,
    contact: encryptContact(keys, contactOfClient(owner.id, lead.reference), { name, email, phone }) ?? null,
    [isTest ? 'testEmailHash' : 'emailHash']: hashOf(keys, email),
    ...(externalReference !== undefined && { [isTest ? 'testReference' : 'externalReference']: externalReference }),
    isTest,
    ...told,
  });
};

export const givenClient = async (em: EntityManager, options?: ClientOptions): Promise<Client> =>
  saved(em, await newClient(em, options));

interface ConversionOptions extends OfAccount {
  readonly client?: ClientOptions;
  readonly amount?: string;
  readonly currency?: Currency;
  readonly isTest?: boolean;
  readonly externalReference?: string;
  readonly eventId?: string;
  readonly eventName?: string;
  readonly occurredAt?: Date;
}

export const givenConversion = async (
  em: EntityManager,
  {
    account,
    client: clientOptions,
    amount = '10.00',
    currency = 'USD',
    isTest = false,
    eventId = unique('event'),
    ...told
  }: ConversionOptions = {},
): Promise<Conversion> => {
  const client = await newClient(em, { isTest, ...clientOptions, ...(account && { account }) });
  const { landingPageId, campaign } = client;
  const counted = { leadId: client.lead.id, landingPageId, campaign };
  return saved(
    em,
    em.create(Conversion, {
      account: client.account,
      client,
      amount: roundedAmount(amount, currency),
      currency,
      isTest,
      eventId,
      ...counted,
      ...told,
    }),
  );
};

interface AdjustmentOptions {
  readonly conversion: Conversion;
  readonly kind?: AdjustmentKind;
  /** The new total; default: 0. */
  readonly amount?: string;
  /** Default: the original amount. */
  readonly previousAmount?: string;
  /** Default: now. */
  readonly occurredAt?: Date;
  readonly externalReference?: string;
}

/** An adjustment without deliveries. */
export const givenAdjustment = (
  em: EntityManager,
  {
    conversion,
    amount = '0.00',
    kind = 'retract',
    previousAmount,
    occurredAt = new Date(),
    ...told
  }: AdjustmentOptions,
): Promise<ConversionAdjustment> =>
  saved(
    em,
    em.create(ConversionAdjustment, {
      account: conversion.account,
      conversion,
      isTest: conversion.isTest,
      kind,
      amount: roundedAmount(amount, conversion.currency),
      previousAmount: previousAmount ?? conversion.amount,
      occurredAt,
      ...told,
    }),
  );

/** Notes whom an erasure in this account erased, that a partner asked for, so many minutes from now. Its id: 22 times `E`. */
export const givenErased = async (
  { pool }: { readonly pool: Pool },
  account: Account,
  marks: PersonMarks,
  minutes = 0,
): Promise<void> => {
  await pool.query(
    `insert into erased_key (account_id, hash, erased_at, asked_by, erasure_id)
     select $1, hash, now() + $3 * interval '1 minute', 'partner', repeat('E', 22) from unnest($2::text[]) hash`,
    [account.id, personHashes(keysOfAccount(account), marks), minutes],
  );
};

/** The lead with a reference, with its contact data decrypted. Throws if there is none. */
export const findLead = async (em: EntityManager, reference: string) => {
  const lead = await em.findOneOrFail(Lead, { reference }, { populate: ['account'] });
  const { id: accountId, dataKey = null } = lead.account.getEntity();
  const { contact = null } = lead;
  const decrypted = givenContacts().decrypt({
    accountId,
    owner: contactOfLead(accountId, reference),
    dataKey,
    contact,
  });
  const { name = null, email = null, phone = null, ipAddress = null } = decrypted;
  return Object.assign(lead, { name, email, phone, ipAddress });
};

/** Every field that the test does not give is empty. */
export const bufferedLead = (given: Partial<BufferedLead> = {}): BufferedLead => ({
  accountId: 1,
  landingPageId: 2,
  reference: issueLeadReference(leadReferenceKeys(secretsKeys)),
  clickParameters: {},
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  name: null,
  email: null,
  phone: null,
  consent: null,
  consentScope: null,
  globalPrivacyControl: false,
  visitedAt: '2026-11-21T12:00:00.000Z',
  ...given,
});
