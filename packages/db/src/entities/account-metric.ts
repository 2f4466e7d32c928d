import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { LandingPage } from './landing-page.ts';

const AccountMetricSchema = defineEntity({
  name: 'AccountMetric',
  tableName: 'account_metric',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    /** In UTC: of the lead, the client or the conversion. */
    day: p.date().primary(),
    landingPage: () => p.manyToOne(LandingPage).ref().primary(),
    /** The click's utm_campaign; empty where it has none. */
    campaign: p.text().primary(),
    /** `leads`, `clients`, `conversions`, `amount.USD`, `feedback.meta.delivered` and the like. */
    measure: p.text().primary(),
    value: p.decimal('string').precision(24).scale(2),
  },
});

/** What one campaign came to on one day, but for the changes that are still to be folded into it. */
export class AccountMetric extends AccountMetricSchema.class {}
AccountMetricSchema.setClass(AccountMetric);
