import { consentScopes, languages } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

/** page: shows a page and records the lead when the visitor goes on. direct: records and sends on at once. */
export const landingPageModes = ['page', 'direct'] as const;
export const askedFields = ['name', 'email', 'phone'] as const;
export type AskedField = (typeof askedFields)[number];

/** An image on a page: one that we serve (`/media/…`), or one at an https address. */
export interface PageImage {
  readonly src: string;
  /** For those who do not see it; empty where it says nothing that the page does not. */
  readonly alt: string;
  /** In pixels, where they are known. */
  readonly width?: number;
  readonly height?: number;
}

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
    consentScope: p.enum(consentScopes).default('sharing'),
    privacyUrl: p.text().nullable(),
    language: p.enum(languages).default('en'),
    /** `#rrggbb` */
    accentColor: p.text().nullable().check("accent_color ~ '^#[0-9a-f]{6}$'::text"),
    logo: p.json<PageImage>().nullable(),
    hero: p.json<PageImage>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** By it the landing apps find what is new, whoever changed it: a trigger sets it. */
    changedAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export class LandingPage extends LandingPageSchema.class {}
LandingPageSchema.setClass(LandingPage);
