/**
 * Every platform: how the console shows it, and what visitors know it as, with the click ids that its ads add to the URL of a landing page, the other keys by which it matches
 * events (see delivery.ts), the age in days up to which it accepts them, and whether it reports later which of them it used. `docs/add-a-platform.md` says what else a
 * new platform needs.
 */
export const supportedPlatforms = [
  {
    name: 'meta',
    title: 'Meta',
    brand: 'Meta',
    colour: '#1877f2',
    clickIds: ['fbclid'],
    otherKeys: ['email', 'phone', 'externalId', 'ipAndUserAgent', 'fbp'],
    eventDaysMax: 7,
    reportsUse: false,
  },
  {
    name: 'google',
    title: 'Google Ads',
    brand: 'Google',
    colour: '#fbbc04',
    clickIds: ['gclid', 'gbraid', 'wbraid'],
    otherKeys: ['email', 'phone'],
    eventDaysMax: 90,
    reportsUse: true,
  },
  {
    name: 'tiktok',
    title: 'TikTok',
    brand: 'TikTok',
    colour: '#ee1d52',
    clickIds: ['ttclid'],
    otherKeys: ['email', 'phone', 'externalId', 'ipAndUserAgent', 'ttp'],
    eventDaysMax: 7,
    reportsUse: false,
  },
  {
    name: 'linkedin',
    title: 'LinkedIn',
    brand: 'LinkedIn',
    colour: '#0a66c2',
    clickIds: ['li_fat_id'],
    otherKeys: ['email', 'ipAddress'],
    eventDaysMax: 90,
    reportsUse: false,
  },
  {
    name: 'microsoft',
    title: 'Microsoft Ads',
    brand: 'Microsoft',
    colour: '#00a4ef',
    clickIds: ['msclkid'],
    otherKeys: ['email', 'phone'],
    eventDaysMax: 90,
    reportsUse: false,
  },
] as const;

/**
 * What a platform can match an event by: click ids, contact data, and what the browser showed. Their positions are
 * stored: new ones are added at the end.
 */
export const matchKeys = [
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'ttclid',
  'li_fat_id',
  'msclkid',
  'email',
  'phone',
  'externalId',
  'ipAndUserAgent',
  'fbp',
  'ttp',
  'ipAddress',
] as const;

export type PlatformName = (typeof supportedPlatforms)[number]['name'];

/**
 * What to add to the URL of a page in the ads of each platform, with the placeholders that it fills. It adds its click id by
 * itself. Microsoft documents its placeholders (help article 56799); those of the others were found in guides of third parties.
 */
export const adQueries: Readonly<Record<PlatformName, string>> = {
  meta: 'utm_source=facebook&utm_medium=paid_social&utm_campaign={{campaign.name}}&utm_id={{campaign.id}}&utm_term={{adset.name}}&utm_content={{ad.name}}',
  google: 'utm_source=google&utm_medium=cpc&utm_id={campaignid}&utm_term={keyword}&utm_content={creative}',
  tiktok:
    'utm_source=tiktok&utm_medium=paid_social&utm_campaign=__CAMPAIGN_NAME__&utm_id=__CAMPAIGN_ID__&utm_term=__AID_NAME__&utm_content=__CID_NAME__',
  linkedin:
    'utm_source=linkedin&utm_medium=paid_social&utm_campaign={{CAMPAIGN_NAME}}&utm_id={{CAMPAIGN_ID}}&utm_content={{CREATIVE_NAME}}',
  microsoft:
    'utm_source=bing&utm_medium=cpc&utm_campaign={Campaign}&utm_id={CampaignId}&utm_term={keyword:default}&utm_content={AdId}',
};

const [first, ...others] = supportedPlatforms;
/** Undefined: there is none of this name. */
export const platformNamed = (name: string): (typeof supportedPlatforms)[number] | undefined =>
  supportedPlatforms.find((platform) => platform.name === name);

/** The platform whose ads add a click id. */
export const platformOfClick = (clickId: string): (typeof supportedPlatforms)[number] | undefined =>
  supportedPlatforms.find(({ clickIds }) => clickIds.some((one) => one === clickId));

// not one map: the type must say that there is at least one name
export const platformNames = [first.name, ...others.map(({ name }) => name)] as const;

/**
 * `needs_attention`: the platform rejected the credentials; deliveries wait until an operator fixes and resumes the
 * connection.
 */
export const connectionStates = ['active', 'paused', 'needs_attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** The `platform` of a connection that is a partner's webhook, which is no advertising platform. */
export const webhookName = 'webhook';

/** Where deliveries go: advertising platforms, and partners' webhooks. */
export type DestinationName = PlatformName | typeof webhookName;

export const destinationNames: readonly DestinationName[] = [...platformNames, webhookName];

/** The reason of deliveries that waited when their connection was deleted. */
export const connectionDeleted = 'connection_deleted';
