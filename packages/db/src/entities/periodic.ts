import { defineEntity, p } from '@mikro-orm/core';

/** What runs once a day, in one of the apis. */
export const periodicJobs = ['attempt-partitions', 'retention'] as const;
export type PeriodicJob = (typeof periodicJobs)[number];

const PeriodicRunSchema = defineEntity({
  name: 'PeriodicRun',
  tableName: 'periodic_run',
  properties: {
    name: p.enum(periodicJobs).primary(),
    /** The process that took it last. */
    holder: p.uuid(),
    beganAt: p.datetime(6).defaultRaw('now()'),
    /** Until then, nobody else takes it. */
    heldUntil: p.datetime(6),
    finishedAt: p.datetime(6).nullable(),
    failedAt: p.datetime(6).nullable(),
    /** What the last finished run did, in counts. */
    outcome: p.json<unknown>().nullable(),
  },
});

/** The last run of a job. */
export class PeriodicRun extends PeriodicRunSchema.class {}
PeriodicRunSchema.setClass(PeriodicRun);

export const retentionPeriods = ['leads', 'attempts', 'imports', 'webhooks', 'campaigns'] as const;

const RetentionPeriodSchema = defineEntity({
  name: 'RetentionPeriod',
  tableName: 'retention_period',
  properties: {
    name: p.enum(retentionPeriods).primary(),
    days: p.integer(),
  },
  checks: [
    { name: 'retention_period_days_check', expression: 'days >= 7' },
    { name: 'retention_period_leads_check', expression: `name <> 'leads' or days >= 90` },
    { name: 'retention_period_campaigns_check', expression: `name <> 'campaigns' or days >= 400` },
  ],
});

/** After how many days data are deleted; never without a row. */
export class RetentionPeriod extends RetentionPeriodSchema.class {}
RetentionPeriodSchema.setClass(RetentionPeriod);
