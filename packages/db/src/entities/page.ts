import { askedFields, consentScopes, landingPageModes, languages, type PageImage } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const LandingPageSchema = defineEntity({
  name: 'LandingPage',
  tableName: 'landing_page',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    /** Where it is found. */
    slug: p.text(),
    /** Its path on the domains of its account, if that is another one: there, other accounts have other slugs. */
    ownSlug: p.text().nullable(),
    mode: p.enum(landingPageModes).default('page'),
    isOn: p.boolean().default(true),
    /** Then it is off for ever; its leads and their numbers stay. */
    deletedAt: p.datetime(6).nullable(),
    /** As its account says: then nobody sees it, although it is on. */
    isHidden: p.boolean().default(false),
    /** Has the leads that the account's own server reports without naming a page. */
    isOfServer: p.boolean().default(false),
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
    /** See `passedParametersSchema`. */
    passedParameters: p.text().default('known'),
    /** Of the pages that have the script; empty in other modes. */
    origins: p.array().columnType('text[]').default([]),
    waitsForConsent: p.boolean().default(false),
    language: p.enum(languages).default('en'),
    /** `#rrggbb` */
    accentColor: p.text().nullable().check("accent_color ~ '^#[0-9a-f]{6}$'::text"),
    logo: p.json<PageImage>().nullable(),
    hero: p.json<PageImage>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Set by a trigger; landing apps find changed pages by it. */
    changedAt: p.datetime(6).defaultRaw('now()').index(),
  },
  checks: [
    { name: 'landing_page_origins_check', expression: "mode <> 'script' or cardinality(origins) > 0" },
    { name: 'landing_page_deleted_check', expression: 'deleted_at is null or not is_on' },
  ],
  uniques: [
    { properties: ['account', 'id'] },
    { name: 'landing_page_slug_unique', properties: ['slug'], where: 'deleted_at is null' },
    { name: 'landing_page_of_server_unique', properties: ['account'], where: 'is_of_server' },
  ],
  indexes: [
    {
      name: 'landing_page_own_slug_unique',
      expression:
        'create unique index landing_page_own_slug_unique on landing_page (account_id, (coalesce(own_slug, slug))) where deleted_at is null',
    },
  ],
});

export class LandingPage extends LandingPageSchema.class {}
LandingPageSchema.setClass(LandingPage);

const LandingSlugSchema = defineEntity({
  name: 'LandingSlug',
  tableName: 'landing_slug',
  properties: {
    /** 0: on the host of the installation; else on the domains of the account with this id. */
    scope: p.bigint('number').primary(),
    slug: p.text().primary(),
    /** Null: it was given up. */
    page: () => p.manyToOne(LandingPage).ref().fieldName('landing_page_id').nullable().deleteRule('no action').index(),
  },
});

/**
 * A slug that a page has or had, so that no other page gets it. A trigger adds those of pages; the slugs of a deleted page stay
 * with its account.
 */
export class LandingSlug extends LandingSlugSchema.class {}
LandingSlugSchema.setClass(LandingSlug);

const LandingImageSchema = defineEntity({
  name: 'LandingImage',
  tableName: 'landing_image',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    /** Part of its URL. An image never changes: a new image gets a new name. */
    name: p.text().unique(),
    mediaType: p.text(),
    bytes: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class LandingImage extends LandingImageSchema.class {}
LandingImageSchema.setClass(LandingImage);

const LandingInstanceSchema = defineEntity({
  name: 'LandingInstance',
  tableName: 'landing_instance',
  properties: {
    id: p.text().primary(),
    seenAt: p.datetime(6).defaultRaw('now()'),
    /** Whether it holds leads that are not written yet. */
    isBehind: p.boolean(),
    /** The folder in which it may hold leads; null if it stopped with none there. */
    spool: p.text().nullable(),
    /** It receives X-Forwarded-For but trusts no proxy, so it records the proxy's IP address as the visitor's. */
    ignoresProxy: p.boolean().default(false),
    /** Most of its requests come from a proxy that ends TLS but is not trusted: cookies lack `Secure`. */
    missesTls: p.boolean().default(false),
  },
});

/** A running landing app. One that has not been seen for some seconds may hold leads that it cannot write. */
export class LandingInstance extends LandingInstanceSchema.class {}
LandingInstanceSchema.setClass(LandingInstance);
