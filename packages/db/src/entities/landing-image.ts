import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const LandingImageSchema = defineEntity({
  name: 'LandingImage',
  tableName: 'landing_image',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    /** In its address. An image never changes: another one gets another name. */
    name: p.text().unique(),
    mediaType: p.text(),
    bytes: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class LandingImage extends LandingImageSchema.class {}
LandingImageSchema.setClass(LandingImage);
