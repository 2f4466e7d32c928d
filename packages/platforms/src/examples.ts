import type { AttributedAdjustment, AttributedConversion, Outcome } from '@leadback/domain';
import { z } from 'zod';
import { hourMs, minuteMs, type PlatformResponse } from './exchange.ts';

/** What a platform answers to one event, but for its words, which may change at any time. */
export interface ExampleAnswer {
  readonly outcome: Outcome['kind'];
  readonly httpStatus: number | null;
  /** The platform's code of what is wrong, or what it says of an event that it took only in part. Null: neither. */
  readonly code: string | null;
}

/** An event of invented people that shows a rule of the platform. */
export interface Example {
  /** What is special about it. */
  readonly about: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** What the sandbox answers; tests compare. */
  readonly sandbox: ExampleAnswer;
}

/** What the examples of a platform are built from. */
export interface ExampleParts<Settings> {
  readonly sale: AttributedConversion;
  readonly adjustment: AttributedAdjustment;
  /** Of the connection. */
  readonly settings: Settings;
  readonly nowMs: number;
}

/** The event name of all examples: no campaign counts it, also if the platform measures with its tests. */
export const exampleEventName = 'LeadbackCheck';

/** The sale of somebody invented: an hour ago, with a click of an hour before, and an adjustment of it. */
export const exampleParts = (nowMs: number): Omit<ExampleParts<never>, 'settings'> => {
  const soldMs = nowMs - hourMs;
  const clickedMs = soldMs - hourMs;
  const sale: AttributedConversion = {
    kind: 'conversion',
    id: 1,
    eventId: `leadback-check-${nowMs}`,
    externalReference: null,
    amount: '149.90',
    currency: 'USD',
    eventName: null,
    isNewCustomer: null,
    netAmount: null,
    items: [],
    occurredAt: new Date(soldMs),
    accountCountry: 'US',
    installationId: '00000000-0000-4000-8000-000000000000',
    client: {
      id: 1,
      externalReference: 'leadback-check',
      name: 'Ana Example',
      email: 'ana@leadback.example',
      phoneNumber: '+12025550147', // of those for fiction
    },
    lead: {
      clickParameters: {
        gclid: 'leadback-check',
        fbclid: 'leadback-check',
        ttclid: 'leadback-check',
        _fbc: `fb.1.${clickedMs}.leadback-check`,
      },
      clickTimes: {},
      ipAddress: '203.0.113.24',
      userAgent: 'Mozilla/5.0 (compatible; leadback-check)',
      acceptLanguage: 'en',
      referrer: null,
      landingUrl: 'https://leadback.example/check',
      sharing: 'granted',
      createdAt: new Date(clickedMs),
    },
  };
  const adjustment: AttributedAdjustment = {
    kind: 'restate',
    id: 1,
    amount: '99.90',
    takenBack: '50.00',
    occurredAt: new Date(soldMs + minuteMs),
    conversion: sale,
  };
  return { sale, adjustment, nowMs };
};

const fields = z.record(z.string(), z.unknown());

/** The fields of a part of an event. */
export const fieldsOf = (part: unknown): Readonly<Record<string, unknown>> => fields.parse(part);

export const accepted: ExampleAnswer = { outcome: 'delivered', httpStatus: 200, code: null };

export const rejectedWith = (httpStatus: number, code: string): ExampleAnswer => ({
  outcome: 'rejected',
  httpStatus,
  code,
});

const reasonOf = (outcome: Outcome): string | undefined => {
  if (outcome.kind === 'delivered') return outcome.warning;
  return outcome.kind === 'rejected' ? (outcome.events?.[0]?.reason ?? outcome.reason) : outcome.reason;
};

/** The answer to an example, and the platform's words. */
export const exampleAnswer = ({
  outcome,
  httpStatus,
}: Pick<PlatformResponse, 'outcome' | 'httpStatus'>): ExampleAnswer & { readonly words: string | null } => {
  const reason = reasonOf(outcome);
  const code = outcome.kind === 'delivered' ? reason : /^[\w/]+(?=:|$)/.exec(reason ?? '')?.[0];
  return { outcome: outcome.kind, httpStatus, code: code ?? null, words: reason ?? null };
};

export const isSameAnswer = (one: ExampleAnswer, other: ExampleAnswer): boolean =>
  one.outcome === other.outcome && one.httpStatus === other.httpStatus && one.code === other.code;
