import { consentScopes, languages } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

/**
 * page: shows a page and records the lead when the visitor continues. direct: records the lead and redirects at once.
 */
export const landingPageModes = ['page', 'direct'] as const;
export const askedFields = ['name', 'email', 'phone'] as const;
export type AskedField = (typeof askedFields)[number];

/** An image on a page: served by the landing app (`/media/…`), or by another server over https. */
export interface PageImage {
  readonly src: string;
  /** Alternative text; empty for a decorative image. */
  readonly alt: string;
  /** In pixels, if known. */
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
    /** Set by a trigger; landing apps find changed pages by it. */
    changedAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export class LandingPage extends LandingPageSchema.class {}
LandingPageSchema.setClass(LandingPage);
