import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { LandingPage } from './page.ts';

const AccountMetricSchema = defineEntity({
  name: 'AccountMetric',
  tableName: 'account_metric',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    /** In the account's time zone; the day of the lead, the client or the conversion. */
    day: p.date().primary(),
    landingPage: () => p.manyToOne(LandingPage).ref().primary().createForeignKeyConstraint(false),
    /** A `click_key`: from which campaign the click came; empty if it says nothing. */
    campaign: p.text().primary(),
    /** `leads`, `clients`, `conversions`, `amount.USD`, `refunded.USD`, `deliveries.meta.delivered` and the like. */
    measure: p.text().primary(),
    value: p.decimal('string').columnType('numeric'),
  },
  indexes: [
    {
      name: 'account_metric_leads_index',
      expression: `create index account_metric_leads_index on account_metric (account_id, day) where measure = 'leads'`,
    },
  ],
});

/** Totals of one campaign on one day, without the changes that are not rolled up yet. */
export class AccountMetric extends AccountMetricSchema.class {}
AccountMetricSchema.setClass(AccountMetric);

const MetricIncrementSchema = defineEntity({
  name: 'MetricIncrement',
  tableName: 'metric_increment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    /** A quarter of an hour: on which day that is, depends on the account's time zone when it is rolled up. */
    at: p.datetime().columnType('timestamptz'),
    landingPageId: p.bigint('number'),
    campaign: p.text(),
    measure: p.text(),
    change: p.decimal('string').columnType('numeric'),
  },
});

/** A change of an account's metrics by one statement. Written by triggers only, so it has no foreign keys to check. */
export class MetricIncrement extends MetricIncrementSchema.class {}
MetricIncrementSchema.setClass(MetricIncrement);

const QualityIncrementSchema = defineEntity({
  name: 'QualityIncrement',
  tableName: 'quality_increment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    /** A quarter of an hour: on which day that is, depends on the account's time zone when it is rolled up. */
    at: p.datetime().columnType('timestamptz'),
    connectionId: p.bigint('number'),
    platform: p.text(),
    state: p.text(),
    reason: p.text(),
    verdict: p.text(),
    matchKeys: p.integer(),
    currency: p.text(),
    change: p.bigint('number'),
    amount: p.decimal('string').columnType('numeric'),
  },
  indexes: [{ properties: ['accountId', 'at'] }],
});

/** A change of `quality_day` by one statement. Written by a trigger only, so it has no foreign keys to check. */
export class QualityIncrement extends QualityIncrementSchema.class {}
QualityIncrementSchema.setClass(QualityIncrement);

const QualityDaySchema = defineEntity({
  name: 'QualityDay',
  tableName: 'quality_day',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    /** In the account's time zone; the day of the conversion. */
    day: p.date().primary(),
    connectionId: p.bigint('number').primary(),
    platform: p.text(),
    /** `delivered`, `failed` or `skipped`. */
    state: p.text().primary(),
    /** A code: the beginning of `delivery.reason`; empty if delivered. */
    reason: p.text().primary(),
    /** As `delivery.is_confirmed`: `used`, `unused`, or empty for null. */
    verdict: p.text().primary(),
    /** As `delivery.match_keys`; -1: null. */
    matchKeys: p.integer().primary(),
    /** Of the conversions. */
    currency: p.text().primary(),
    deliveries: p.bigint('number'),
    /** Of the conversions, as they were registered. */
    amount: p.decimal('string').columnType('numeric'),
  },
});

/** How many closed deliveries of conversions ended alike, without the changes that are not rolled up yet. */
export class QualityDay extends QualityDaySchema.class {}
QualityDaySchema.setClass(QualityDay);
