import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { LandingPage } from './landing-page.ts';

const AccountMetricSchema = defineEntity({
  name: 'AccountMetric',
  tableName: 'account_metric',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    /** In UTC; the day of the lead, the client or the conversion. */
    day: p.date().primary(),
    landingPage: () => p.manyToOne(LandingPage).ref().primary().createForeignKeyConstraint(false),
    /** The click's utm_campaign; empty if it has none. */
    campaign: p.text().primary(),
    /** `leads`, `clients`, `conversions`, `amount.USD`, `refunded.USD`, `feedback.meta.delivered` and the like. */
    measure: p.text().primary(),
    value: p.decimal('string').precision(24).scale(2),
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
