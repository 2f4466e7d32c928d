import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

/** page: shows a page and records the lead when the visitor goes on. direct: records and sends on at once. */
export const landingPageModes = ['page', 'direct'] as const;
export const askedFields = ['name', 'email', 'phone'] as const;
export type AskedField = (typeof askedFields)[number];

const LandingPageSchema = defineEntity({
  name: 'LandingPage',
  tableName: 'landing_page',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    slug: p.text().unique(),
    mode: p.enum(landingPageModes).default('page'),
    isOn: p.boolean().default(true),
    targetUrl: p.text(),
    title: p.text().nullable(),
    text: p.text().nullable(),
    buttonLabel: p.text().nullable(),
    askedFields: p.enum(askedFields).array().default([]),
    consentText: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class LandingPage extends LandingPageSchema.class {}
LandingPageSchema.setClass(LandingPage);
