import { type ClickParameters, matchKeySet, type PlatformName } from '@leadback/domain';

/** A platform that the invented shop has a connection to. */
export const inventedPlatforms = ['meta', 'google', 'tiktok'] as const satisfies readonly PlatformName[];
export type InventedPlatform = (typeof inventedPlatforms)[number];

/** What the shop's pages are called: nobody can take them for real ones. */
export const inventedPages = ['invented-spring-sale', 'invented-catalogue'] as const;
type InventedPage = (typeof inventedPages)[number];

/** Times are in milliseconds since 1970. */
interface Visit {
  /** Unique within the shop. */
  readonly seed: string;
  readonly at: number;
  readonly page: InventedPage;
  readonly clickParameters: ClickParameters;
  readonly userAgent: string;
  readonly referrer: string | null;
  readonly ipAddress: string;
  /** Null: the page asks for none. */
  readonly consent: boolean | null;
}

interface Buyer {
  readonly reference: string;
  readonly visit: Visit;
  readonly at: number;
  readonly name: string;
  readonly email: string | null;
}

/** A click of a known client. */
interface FurtherVisit {
  readonly client: string;
  readonly visit: Visit;
}

interface Sale {
  readonly reference: string;
  readonly client: string;
  /** The click that counts. */
  readonly visit: Visit;
  readonly at: number;
  readonly amount: string;
  readonly currency: 'ARS' | 'USD';
}

interface Correction {
  readonly reference: string;
  readonly sale: string;
  readonly kind: 'restate' | 'retract';
  readonly amount: string;
  readonly at: number;
}

interface Attempt {
  readonly outcome: 'delivered' | 'rejected' | 'unavailable' | 'refused';
  readonly reason: string | null;
  readonly status: number;
  readonly answer: string;
  readonly at: number;
  readonly durationMs: number;
}

interface Told {
  /** Of a sale, or of a correction. */
  readonly sale: string | null;
  readonly correction: string | null;
  readonly platform: InventedPlatform;
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
  readonly reason: string | null;
  readonly matchKeys: number | null;
  /** The visit with the click id that the platform was told of, if another one counts for the sale. */
  readonly visit: string | null;
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly closedAt: number | null;
  readonly attempts: readonly Attempt[];
}

export interface InventedHistory {
  readonly visits: readonly Visit[];
  readonly buyers: readonly Buyer[];
  readonly furtherVisits: readonly FurtherVisit[];
  readonly sales: readonly Sale[];
  readonly corrections: readonly Correction[];
  readonly told: readonly Told[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const historyDays = 60;
/** Before this, the shop did not advertise on TikTok. */
export const tiktokSinceDays = 34;
/** Since then TikTok rejects the shop's token. */
export const rejectedSinceHours = 50;

// Buenos Aires has no summer time
const offsetMs = 3 * hourMs;

/** The same numbers from 0 to 1 at every start: mulberry32. */
const dice = () => {
  let state = 20_261_129;
  const next = (): number => {
    state = (state + 0x6d2b79f5) % 2 ** 32;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const among = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(next() * items.length)] ?? items[0];
  return {
    next,
    among,
    isIn: (share: number) => next() < share,
    between: (least: number, most: number) => least + next() * (most - least),
    /** Most are small. */
    waits: (mean: number) => -Math.log(1 - next()) * mean,
    letters: (length: number) => Array.from({ length }, () => Math.floor(next() * 36).toString(36)).join(''),
  };
};
type Dice = ReturnType<typeof dice>;

/** A way to the shop. `share`: of visits become clients. */
interface Campaign {
  readonly platform: InventedPlatform | null;
  readonly page: InventedPage;
  readonly utm: ClickParameters;
  readonly terms: readonly [string, ...string[]];
  readonly visitsADay: number;
  readonly share: number;
  readonly referrer: string | null;
  readonly runs: (daysAgo: number, weekday: number) => boolean;
}

const always = () => true;

const campaigns: readonly Campaign[] = [
  {
    platform: 'meta',
    page: 'invented-spring-sale',
    utm: { utm_source: 'facebook', utm_medium: 'paid_social', utm_campaign: 'spring sale' },
    terms: ['carousel', 'video'],
    visitsADay: 11,
    share: 0.17,
    referrer: 'https://l.facebook.com/',
    runs: (daysAgo) => daysAgo <= 44,
  },
  {
    platform: 'meta',
    page: 'invented-catalogue',
    utm: { utm_source: 'instagram', utm_medium: 'paid_social', utm_campaign: 'retargeting' },
    terms: ['sofas', 'lamps'],
    visitsADay: 5,
    share: 0.34,
    referrer: 'https://l.instagram.com/',
    runs: always,
  },
  {
    platform: 'google',
    page: 'invented-catalogue',
    utm: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'brand search', gad_campaignid: '20000000001' },
    terms: ['invented shop', 'invented shop sofas'],
    visitsADay: 7,
    share: 0.36,
    referrer: 'https://www.google.com/',
    runs: always,
  },
  {
    platform: 'google',
    page: 'invented-catalogue',
    utm: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'furniture search', gad_campaignid: '20000000002' },
    terms: ['corner sofa', 'oak table', 'floor lamp'],
    visitsADay: 9,
    share: 0.15,
    referrer: 'https://www.google.com/',
    // its budget was used up for ten days
    runs: (daysAgo) => daysAgo < 18 || daysAgo > 27,
  },
  {
    platform: 'tiktok',
    page: 'invented-spring-sale',
    utm: { utm_source: 'tiktok', utm_medium: 'paid_social', utm_campaign: 'room tour' },
    terms: ['room tour 1', 'room tour 2'],
    visitsADay: 10,
    share: 0.09,
    referrer: 'https://www.tiktok.com/',
    runs: (daysAgo) => daysAgo <= tiktokSinceDays,
  },
  {
    platform: null,
    page: 'invented-spring-sale',
    utm: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'tuesday letter' },
    terms: ['top', 'footer'],
    visitsADay: 16,
    share: 0.28,
    referrer: null,
    runs: (_daysAgo, weekday) => weekday === 2,
  },
  {
    platform: null,
    page: 'invented-catalogue',
    utm: {},
    terms: [''],
    visitsADay: 3,
    share: 0.12,
    referrer: null,
    runs: always,
  },
];

const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
] as const;

const firstNames = [
  'Ana',
  'Bruno',
  'Camila',
  'Diego',
  'Elena',
  'Felipe',
  'Gabriela',
  'Hugo',
  'Ines',
  'Julian',
] as const;
const lastNames = ['Acosta', 'Benitez', 'Castro', 'Duarte', 'Escobar', 'Ferreira', 'Gimenez', 'Herrera'] as const;
const prices = [18_900, 24_500, 39_900, 52_000, 74_900, 98_000, 129_900, 184_000, 246_500] as const;

// of every hour of a day: few people buy at night
const hours = [2, 1, 1, 0, 0, 1, 2, 4, 6, 7, 8, 9, 10, 9, 8, 7, 7, 8, 9, 11, 13, 14, 10, 5] as const;
const hoursInAll = hours.reduce((sum: number, one) => sum + one, 0);

const timeOfDay = ({ next }: Dice): number => {
  let left = next() * hoursInAll;
  for (const [hour, weight] of hours.entries()) {
    if (left < weight) return (hour + left / weight) * hourMs;
    left -= weight;
  }
  return 12 * hourMs;
};

const clickIdOf = (platform: InventedPlatform | null, { letters, next }: Dice): ClickParameters => {
  switch (platform) {
    case 'meta':
      return { fbclid: `IwInvented${letters(30)}`, _fbp: `fb.1.1790000000000.${Math.floor(next() * 1e9)}` };
    case 'google':
      return { gclid: `CjInvented${letters(40)}` };
    case 'tiktok':
      return { ttclid: `EInvented${letters(40)}` };
    case null:
      return {};
  }
};

const givenVisit = (campaign: Campaign, at: number, seed: string, roll: Dice): Visit => {
  const term = roll.among(campaign.terms);
  return {
    seed,
    at,
    page: campaign.page,
    clickParameters: {
      ...campaign.utm,
      ...(term !== '' && (campaign.platform === 'google' ? { utm_term: term } : { utm_content: term })),
      ...clickIdOf(campaign.platform, roll),
    },
    userAgent: roll.among(userAgents),
    referrer: campaign.referrer,
    // of the range for documentation
    ipAddress: `203.0.113.${Math.floor(roll.between(1, 255))}`,
    consent: campaign.page === 'invented-catalogue' ? !roll.isIn(0.05) : null,
  };
};

/** All visits until `now`, in the order of their times, each with its campaign. */
const givenVisits = (now: number, roll: Dice): { readonly visit: Visit; readonly campaign: Campaign }[] => {
  const today = Math.floor((now - offsetMs) / dayMs) * dayMs + offsetMs;
  const visits = Array.from({ length: historyDays }, (_, place) => historyDays - 1 - place).flatMap((daysAgo) => {
    const day = today - daysAgo * dayMs;
    const weekday = new Date(day - offsetMs).getUTCDay();
    // fewer people look for furniture on weekends, and the shop grows
    const rate = (weekday === 0 || weekday === 6 ? 0.62 : 1) * (1 + (historyDays - daysAgo) * 0.006);
    return campaigns
      .filter(({ runs }) => runs(daysAgo, weekday))
      .flatMap((campaign) => {
        const length = Math.round(campaign.visitsADay * rate * roll.between(0.75, 1.25));
        return Array.from({ length }, () => ({ campaign, at: day + timeOfDay(roll) }));
      });
  });
  return visits
    .filter(({ at }) => at < now - 5 * minuteMs)
    .toSorted((one, other) => one.at - other.at)
    .map(({ campaign, at }, place) => ({ campaign, visit: givenVisit(campaign, at, `visit ${place}`, roll) }));
};

const platformOf = ({ clickParameters }: Visit): InventedPlatform | null => {
  if (clickParameters.fbclid !== undefined) return 'meta';
  if (clickParameters.gclid !== undefined) return 'google';
  return clickParameters.ttclid === undefined ? null : 'tiktok';
};

const amountOf = (roll: Dice): Pick<Sale, 'amount' | 'currency'> =>
  roll.isIn(0.11)
    ? { currency: 'USD', amount: (Math.round(roll.between(40, 380)) - 0.1).toFixed(2) }
    : { currency: 'ARS', amount: (roll.among(prices) * (roll.isIn(0.2) ? 2 : 1)).toFixed(2) };

const keysOf = (platform: InventedPlatform, { email }: Buyer, click: Visit | undefined): number => {
  const has = { email: email !== null, externalId: platform !== 'google', ipAndUserAgent: platform !== 'google' };
  const clickId = { meta: 'fbclid', google: 'gclid', tiktok: 'ttclid' } as const;
  const isOfMeta = platform === 'meta' && click !== undefined;
  return matchKeySet({ ...has, fbp: isOfMeta, ...(click && { [clickId[platform]]: true }) });
};

const answers: Readonly<Record<InventedPlatform, string>> = {
  meta: '{"events_received":1,"messages":[],"fbtrace_id":"invented"}',
  google: '{"requestId":"invented"}',
  tiktok: '{"code":0,"message":"OK","request_id":"invented","data":{}}',
};

/** What TikTok says of a token that it does not know, as `connections` shows it. */
export const tiktokRefusal = '40104: Access token is empty or invalid.';

const rejection = '100: data[0]: Invalid parameter';
const downAnswer = '{"error":{"message":"Service temporarily unavailable","code":2}}';

type Outcome = Pick<Told, 'state' | 'reason' | 'closedAt' | 'attempts'>;

/** How a platform took what it was told of at this time. Nothing was wrong with it, but for what is named here. */
const outcomeOf = (platform: InventedPlatform, at: number, now: number, roll: Dice): Outcome => {
  const durationMs = Math.round(roll.between(70, 420));
  const answered = at + 1_000 + durationMs;
  const delivered = { outcome: 'delivered', reason: null, status: 200, answer: answers[platform], durationMs } as const;
  if (platform === 'tiktok' && at > now - rejectedSinceHours * hourMs) {
    return { state: 'pending', reason: tiktokRefusal, closedAt: null, attempts: [] };
  }
  const daysAgo = (now - at) / dayMs;
  // Meta was down for a day, three weeks ago
  if (platform === 'meta' && daysAgo > 20.5 && daysAgo < 21.5) {
    const failed = { outcome: 'unavailable', reason: 'HTTP 503', status: 503, answer: downAnswer, durationMs } as const;
    const closedAt = at + (daysAgo - 20.5) * dayMs + roll.between(minuteMs, 20 * minuteMs);
    const attempts = [
      { ...failed, at: answered },
      { ...failed, at: answered + 40_000 },
      { ...delivered, at: closedAt },
    ];
    return { state: 'delivered', reason: null, closedAt, attempts };
  }
  if (platform === 'meta' && daysAgo > 2 && daysAgo < 6 && roll.isIn(0.1)) {
    const rejected = { outcome: 'rejected', reason: rejection, status: 400, durationMs } as const;
    const answer = '{"error":{"message":"data[0]: Invalid parameter","type":"OAuthException","code":100}}';
    return {
      state: 'failed',
      reason: rejection,
      closedAt: answered,
      attempts: [{ ...rejected, answer, at: answered }],
    };
  }
  return { state: 'delivered', reason: null, closedAt: answered, attempts: [{ ...delivered, at: answered }] };
};

const skipped = (reason: string, at: number): Outcome => ({
  state: 'skipped',
  reason,
  closedAt: at + 1_000,
  attempts: [],
});

/** A client with all visits, in the order of their times. */
interface Person {
  readonly buyer: Buyer;
  readonly visits: readonly Visit[];
}

interface Registered {
  readonly sale: Sale;
  readonly person: Person;
}

const toldOfSale = (platform: InventedPlatform, { sale, person }: Registered, now: number, roll: Dice): Told => {
  const { buyer, visits } = person;
  const click = visits.findLast((visit) => visit.at <= sale.at && platformOf(visit) === platform);
  const matchKeys = keysOf(platform, buyer, click);
  const createdAt = sale.at;
  let outcome = outcomeOf(platform, createdAt, now, roll);
  if (visits.some(({ consent }) => consent === false)) outcome = skipped('consent', createdAt);
  else if (matchKeys === 0) outcome = skipped('no_match_keys', createdAt);
  return {
    sale: sale.reference,
    correction: null,
    platform,
    ...outcome,
    matchKeys: outcome.state === 'delivered' || outcome.state === 'failed' ? matchKeys : null,
    visit: click === undefined || click === sale.visit ? null : click.seed,
    occurredAt: sale.at,
    createdAt,
  };
};

/** Google alone takes corrections of this shop: its Meta and TikTok connections have no event for them. */
const toldOfCorrection = (correction: Correction, { platform, state, visit }: Told, now: number, roll: Dice): Told => {
  const { at } = correction;
  let outcome = outcomeOf(platform, at, now, roll);
  if (outcome.state !== 'pending' && platform !== 'google') outcome = skipped('not_supported', at);
  else if (state === 'skipped' || state === 'failed') outcome = skipped('original_not_delivered', at);
  return {
    sale: null,
    correction: correction.reference,
    platform,
    ...outcome,
    matchKeys: null,
    visit,
    occurredAt: at,
    createdAt: at,
  };
};

const correctionOf = ({ sale }: Registered, now: number, roll: Dice): Correction | undefined => {
  const fate = roll.next();
  const at = sale.at + roll.between(0.4, 6) * dayMs;
  if (fate > 0.08 || at > now - hourMs) return undefined;
  const shared = { reference: `correction of ${sale.reference}`, sale: sale.reference, at };
  if (fate < 0.03) return { ...shared, kind: 'retract', amount: '0' };
  return { ...shared, kind: 'restate', amount: (Number(sale.amount) * 0.75).toFixed(2) };
};

/**
 * What happened in 60 days until `now` in a shop that does not exist: the same at every start, but for the time of the day
 * that `now` cuts off.
 */
export const inventHistory = (now: number): InventedHistory => {
  const roll = dice();
  const visited = givenVisits(now, roll);
  const visits = visited.map(({ visit }) => visit);
  const people: Person[] = [];
  const registered: Registered[] = [];
  const furtherVisits: FurtherVisit[] = [];
  const [retargeting] = campaigns.filter(({ utm }) => utm['utm_campaign'] === 'retargeting');

  const sell = (person: Person, visit: Visit, at: number) => {
    if (at > now - 2 * minuteMs) return;
    const reference = `invented-${1_001 + registered.length}`;
    registered.push({ person, sale: { reference, client: person.buyer.reference, visit, at, ...amountOf(roll) } });
  };
  for (const { visit, campaign } of visited) {
    const at = visit.at + roll.between(2, 40) * minuteMs;
    if (!roll.isIn(campaign.share) || at > now - 3 * minuteMs) continue;
    const [first, last, number] = [roll.among(firstNames), roll.among(lastNames), people.length + 1];
    const email = roll.isIn(0.03) ? null : `${first}.${last}.${number}@example.com`.toLowerCase();
    const reference = `invented-customer-${number}`;
    const buyer: Buyer = { reference, visit, at, name: `${first} ${last}`, email };
    const againAt = at + roll.between(4, 24) * dayMs;
    const returns = retargeting !== undefined && roll.isIn(0.16) && againAt < now - dayMs / 2;
    const again = returns ? givenVisit(retargeting, againAt, `return ${number}`, roll) : undefined;
    const person: Person = { buyer, visits: again ? [visit, again] : [visit] };
    people.push(person);
    if (roll.isIn(0.74))
      sell(person, visit, at + (roll.isIn(0.4) ? roll.between(0.1, 2) * hourMs : roll.waits(1.4 * dayMs)));
    if (again === undefined) continue;
    visits.push(again);
    furtherVisits.push({ client: reference, visit: again });
    if (roll.isIn(0.8)) sell(person, again, againAt + roll.waits(5 * hourMs));
  }

  // a first sale that took longer than the second click counts for that click
  const sales = registered
    .map((one) => {
      const visit = one.person.visits.findLast(({ at }) => at <= one.sale.at) ?? one.sale.visit;
      return { ...one, sale: { ...one.sale, visit } };
    })
    .toSorted((one, other) => one.sale.at - other.sale.at);
  const told: Told[] = [];
  const corrections: Correction[] = [];
  for (const one of sales) {
    const platforms = inventedPlatforms.filter(
      (platform) => platform !== 'tiktok' || one.sale.at > now - tiktokSinceDays * dayMs,
    );
    const its = platforms.map((platform) => toldOfSale(platform, one, now, roll));
    told.push(...its);
    const correction = correctionOf(one, now, roll);
    if (correction === undefined) continue;
    corrections.push(correction);
    told.push(...its.map((original) => toldOfCorrection(correction, original, now, roll)));
  }
  return {
    visits: visits.toSorted((one, other) => one.at - other.at),
    buyers: people.map(({ buyer }) => buyer).toSorted((one, other) => one.at - other.at),
    furtherVisits,
    sales: sales.map(({ sale }) => sale),
    corrections: corrections.toSorted((one, other) => one.at - other.at),
    told: told.toSorted((one, other) => one.createdAt - other.createdAt),
  };
};
