import {
  type ClickIdName,
  type ClickParameters,
  type ClickTimes,
  consentScopes,
  reporters,
  type UnusableClicks,
} from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { LandingPage } from './page.ts';

// as the index of the migration has them
const indexedClickIds: readonly ClickIdName[] = [
  ...(['gclid', 'gbraid', 'wbraid'] as const),
  ...(['fbclid', 'ttclid', 'msclkid', 'li_fat_id', 'epik', 'ScCid', 'twclid', 'rdt_cid', 'oppref'] as const),
];

/** The click id by which a reported lead is found again: of Google, if it has one. */
export const clickIdFor = (clickParameters: ClickParameters): string | undefined =>
  indexedClickIds.map((name) => clickParameters[name]).find((id) => id !== undefined);

/** SQL: the same of a row of leads. */
const clickId = `coalesce(${indexedClickIds.map((name) => `click_parameters ->> '${name}'`).join(', ')})`;

/** SQL: whether a row of leads is one that was reported with a click id, by the index of these. */
export const hasClickId = (account: string, id: string): string =>
  `account_id = ${account} and hashtextextended(${clickId}, account_id) = hashtextextended(${id}, ${account}) and ${clickId} = ${id}
   and reported_by is not null`;

const LeadSchema = defineEntity({
  name: 'Lead',
  tableName: 'lead',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    landingPage: () => p.manyToOne(LandingPage).ref().createForeignKeyConstraint(false),
    reference: p.text().unique(),
    /** Reported with a test key: counted nowhere, and only test clients can have it. */
    isTest: p.boolean().default(false),
    /** SHA-256 of what the cookie of the browser proves it by that has left the lead. */
    proofHash: p.blob().nullable(),
    clickParameters: p.json<ClickParameters>().fieldName('click_parameters'),
    /** Whether the metrics count it under `(other)`, whatever its campaign; null: no. */
    countsAsOther: p.boolean().nullable(),
    /** The times of clicks made on earlier visits. */
    clickTimes: p.json<ClickTimes>().nullable(),
    /** What was sent as click ids and is none; null: nothing, as of nearly all leads. */
    unusableClicks: p.json<UnusableClicks>().nullable(),
    userAgent: p.text().nullable(),
    acceptLanguage: p.text().nullable(),
    referrer: p.text().nullable(),
    landingUrl: p.text().nullable(),
    /** Name, email, phone and IP address, encrypted. */
    contact: p.blob().nullable(),
    /** A keyed hash of the email in `contact`. */
    emailHash: p.text().nullable(),
    /** Null: the page did not ask. */
    consent: p.boolean().nullable(),
    /** What the consent covers. */
    consentScope: p.enum(consentScopes).nullable(),
    /** The advertiser said that the visitor agreed to sharing, where `consent` cannot say it alone. Null: nothing. */
    adUserData: p.boolean().nullable(),
    globalPrivacyControl: p.boolean().default(false),
    /** When the visitor withdrew consent on the page `/data`. */
    consentWithdrawnAt: p.datetime(6).nullable(),
    /** Null: a visit to a landing page left it. */
    reportedBy: p.enum(reporters).nullable(),
    /** Null: the visitor's request is not traced. */
    traceParent: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'lead_email_hash_index',
      properties: ['account', 'emailHash', 'id'],
      where: 'email_hash is not null',
    },
    {
      // by which both leads of a click of Google are one, and an order finds the lead of its click
      name: 'lead_reported_click_index',
      expression: `create index lead_reported_click_index on lead (hashtextextended(${clickId}, account_id)) where reported_by is not null`,
    },
    {
      name: 'lead_unusable_clicks_index',
      properties: ['landingPage', 'createdAt'],
      where: 'unusable_clicks is not null',
    },
  ],
});

export class Lead extends LeadSchema.class {}
LeadSchema.setClass(Lead);

const ConsentWithdrawalSchema = defineEntity({
  name: 'ConsentWithdrawal',
  tableName: 'consent_withdrawal',
  properties: {
    /** The reference of the lead. */
    reference: p.text().primary(),
    askedAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** Consent that a visitor withdrew while the lead was buffered, until it is recorded. */
export class ConsentWithdrawal extends ConsentWithdrawalSchema.class {}
ConsentWithdrawalSchema.setClass(ConsentWithdrawal);
