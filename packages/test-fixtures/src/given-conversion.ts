import { Client, Conversion, type EntityManager, LandingPage, Lead } from '@leadback/db';
import { type ClickParameters, type ClickTimes, type ConsentScope, type Currency, emailKey } from '@leadback/domain';
import { issueLeadReference, leadReferenceKeys } from '@leadback/secrets';
import { givenAccount, type OfAccount } from './given-account.ts';
import { saved } from './saved.ts';
import { secretsKeys } from './secrets-key.ts';
import { unique } from './unique.ts';

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
  | 'language'
  | 'accentColor'
  | 'logo'
  | 'hero';
type PageOptions = OfAccount & Partial<Pick<LandingPage, PageContent | 'slug' | 'isHidden'>>;

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
  readonly clickedAt?: Date;
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
}

const newLead = async (
  em: EntityManager,
  { account, clickParameters = {}, ...seen }: LeadOptions = {},
): Promise<Lead> => {
  const landingPage = await newLandingPage(em, account ? { account } : {});
  return em.create(Lead, {
    account: landingPage.account,
    landingPage,
    reference: issueLeadReference(leadReferenceKeys(secretsKeys)),
    clickParameters,
    ...seen,
  });
};

export const givenLead = async (em: EntityManager, options?: LeadOptions): Promise<Lead> =>
  saved(em, await newLead(em, options));

interface ClientOptions extends OfAccount {
  readonly lead?: LeadOptions;
  readonly email?: string;
  readonly externalReference?: string;
  readonly phoneNumber?: string;
  readonly name?: string;
  readonly isTest?: boolean;
}

const newClient = async (
  em: EntityManager,
  { account, lead: leadOptions, email, externalReference, isTest = false, ...options }: ClientOptions = {},
): Promise<Client> => {
  const lead = await newLead(em, { ...leadOptions, ...(account && { account }) });
  return em.create(Client, {
    account: lead.account,
    lead,
    ...(email !== undefined && { email, [isTest ? 'testEmailKey' : 'emailKey']: emailKey(email) }),
    ...(externalReference !== undefined && { [isTest ? 'testReference' : 'externalReference']: externalReference }),
    isTest,
    ...options,
  });
};

export const givenClient = async (em: EntityManager, options?: ClientOptions): Promise<Client> =>
  saved(em, await newClient(em, options));

interface ConversionOptions extends OfAccount {
  readonly client?: ClientOptions;
  readonly amount?: string;
  readonly currency?: Currency;
  readonly isTest?: boolean;
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
    ...told
  }: ConversionOptions = {},
): Promise<Conversion> => {
  const client = await newClient(em, { isTest, ...clientOptions, ...(account && { account }) });
  return saved(em, em.create(Conversion, { account: client.account, client, amount, currency, isTest, ...told }));
};
