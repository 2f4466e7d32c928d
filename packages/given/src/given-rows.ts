import {
  Account,
  ApiKey,
  Client,
  Conversion,
  credentialsKey,
  type EntityManager,
  LandingPage,
  Lead,
  PlatformConnection,
  sealCredentials,
} from '@leadback/db';
import {
  apiKeyPrefixLength,
  type ClickMarks,
  type Currency,
  emailKey,
  hashApiKey,
  issueApiKey,
  issueLeadReference,
  leadReferenceKey,
  type PlatformName,
} from '@leadback/domain';
import { secretsKey } from './secrets-key.ts';
import { unique } from './unique.ts';

const saved = async <Row extends object>(em: EntityManager, row: Row): Promise<Row> => {
  await em.persist(row).flush();
  return row;
};

export const givenAccount = (
  em: EntityManager,
  { status = 'active' }: { status?: 'active' | 'suspended' } = {},
): Promise<Account> => saved(em, em.create(Account, { name: unique('account'), status }));

interface OfAccount {
  readonly account?: Account;
}

/** Gives the key as a partner holds it. */
export const givenApiKey = async (
  em: EntityManager,
  {
    account,
    expiresAt = null,
    revokedAt = null,
  }: OfAccount & { expiresAt?: Date | null; revokedAt?: Date | null } = {},
): Promise<string> => {
  const key = issueApiKey();
  await saved(
    em,
    em.create(ApiKey, {
      account: account ?? (await givenAccount(em)),
      name: 'test',
      keyHash: hashApiKey(key),
      prefix: key.slice(0, apiKeyPrefixLength),
      expiresAt,
      revokedAt,
    }),
  );
  return key;
};

interface PageOptions extends OfAccount {
  readonly mode?: 'page' | 'direct';
  readonly isOn?: boolean;
  readonly targetUrl?: string;
  readonly title?: string;
  readonly askedFields?: LandingPage['askedFields'];
  readonly consentText?: string;
}

export const givenLandingPage = async (
  em: EntityManager,
  { account, targetUrl = 'https://shop.example/offer', ...options }: PageOptions = {},
): Promise<LandingPage> =>
  saved(
    em,
    em.create(LandingPage, {
      account: account ?? (await givenAccount(em)),
      slug: unique('page'),
      targetUrl,
      ...options,
    }),
  );

interface LeadOptions extends OfAccount {
  readonly clickMarks?: ClickMarks;
  readonly userAgent?: string;
  readonly landingUrl?: string;
  readonly ipAddress?: string;
}

export const givenLead = async (
  em: EntityManager,
  { account, clickMarks = {}, ...seen }: LeadOptions = {},
): Promise<Lead> => {
  const landingPage = await givenLandingPage(em, account ? { account } : {});
  return saved(
    em,
    em.create(Lead, {
      account: landingPage.account,
      landingPage,
      reference: issueLeadReference(leadReferenceKey(secretsKey)),
      clickMarks,
      ...seen,
    }),
  );
};

interface ClientOptions extends OfAccount {
  readonly lead?: LeadOptions;
  readonly email?: string;
  readonly externalReference?: string;
  readonly phoneNumber?: string;
  readonly name?: string;
}

export const givenClient = async (
  em: EntityManager,
  { account, lead: leadOptions, email, ...options }: ClientOptions = {},
): Promise<Client> => {
  const lead = await givenLead(em, { ...leadOptions, ...(account && { account }) });
  return saved(
    em,
    em.create(Client, {
      account: lead.account,
      lead,
      ...(email !== undefined && { email, emailKey: emailKey(email) }),
      ...options,
    }),
  );
};

interface ConversionOptions extends OfAccount {
  readonly client?: ClientOptions;
  readonly amount?: string;
  readonly currency?: Currency;
}

export const givenConversion = async (
  em: EntityManager,
  { account, client: clientOptions, amount = '10.00', currency = 'USD' }: ConversionOptions = {},
): Promise<Conversion> => {
  const client = await givenClient(em, { ...clientOptions, ...(account && { account }) });
  return saved(em, em.create(Conversion, { account: client.account, client, amount, currency }));
};

interface ConnectionOptions extends OfAccount {
  readonly platform?: PlatformName;
  readonly state?: PlatformConnection['state'];
  readonly settings?: unknown;
  readonly credentials?: unknown;
}

const works = {
  meta: { settings: { pixelId: '1234567890', eventName: 'Purchase' }, credentials: { accessToken: 'test-token' } },
  google: {
    settings: { customerId: '1234567890', conversionActionId: '987654321' },
    credentials: { clientId: 'test-client', clientSecret: 'test-secret', refreshToken: 'test-refresh' },
  },
};

export const givenConnection = async (
  em: EntityManager,
  { account, platform = 'meta', state = 'active', settings, credentials }: ConnectionOptions = {},
): Promise<PlatformConnection> => {
  const owner = account ?? (await givenAccount(em));
  const connection = em.create(PlatformConnection, {
    account: owner,
    platform,
    state,
    settings: settings ?? works[platform].settings,
    credentials: Buffer.alloc(0),
  });
  await saved(em, connection);
  connection.credentials = sealCredentials(
    credentialsKey(secretsKey),
    { accountId: owner.id, id: connection.id },
    credentials ?? works[platform].credentials,
  );
  return saved(em, connection);
};
