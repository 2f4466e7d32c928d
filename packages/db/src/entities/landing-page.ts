import { askedFields, consentScopes, landingPageModes, languages, type PageImage } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const LandingPageSchema = defineEntity({
  name: 'LandingPage',
  tableName: 'landing_page',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    slug: p.text().unique(),
    mode: p.enum(landingPageModes).default('page'),
    isOn: p.boolean().default(true),
    /** As its account says: then nobody sees it, although it is on. */
    isHidden: p.boolean().default(false),
    targetUrl: p.text(),
    /** The host of its target before it became another one, and when it did. */
    earlierHost: p.text().nullable(),
    hostChangedAt: p.datetime(6).nullable(),
    title: p.text().nullable(),
    text: p.text().nullable(),
    buttonLabel: p.text().nullable(),
    askedFields: p.enum(askedFields).array().default([]),
    consentText: p.text().nullable(),
    consentScope: p.enum(consentScopes).default('sharing'),
    privacyUrl: p.text().nullable(),
    language: p.enum(languages).default('en'),
    /** `#rrggbb` */
    accentColor: p.text().nullable().check("accent_color ~ '^#[0-9a-f]{6}$'::text"),
    logo: p.json<PageImage>().nullable(),
    hero: p.json<PageImage>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Set by a trigger; landing apps find changed pages by it. */
    changedAt: p.datetime(6).defaultRaw('now()').index(),
  },
  uniques: [{ properties: ['account', 'id'] }],
});

export class LandingPage extends LandingPageSchema.class {}
LandingPageSchema.setClass(LandingPage);
