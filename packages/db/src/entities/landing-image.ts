import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

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
