import { z } from 'zod';
import type { SourceKind } from '../kind.ts';
import { mercadoPago } from './mercadopago/index.ts';
import { postback } from './postback/index.ts';
import { shopify } from './shopify/index.ts';
import { stripe } from './stripe/index.ts';
import { tiendanube } from './tiendanube/index.ts';
import { webhook } from './webhook/index.ts';
import { wooCommerce } from './woocommerce/index.ts';

/** Every kind of source: a folder here, and a line. */
export const sourceKinds: readonly SourceKind[] = [
  wooCommerce,
  tiendanube,
  mercadoPago,
  shopify,
  stripe,
  webhook,
  postback,
];

/** Undefined: there is none of this name. */
export const kindNamed = (name: string): SourceKind | undefined => sourceKinds.find((kind) => kind.name === name);

const urls = sourceKinds.flatMap(({ env }) => Object.entries(env));

/** The URLs of the APIs of shops as environment variables: part of a settings schema. They are optional. */
export const sourceSettings = (): Readonly<Record<`${string}_API_URL`, z.ZodOptional<z.ZodURL>>> =>
  Object.fromEntries(
    urls.map(([name, standard]) => [
      name,
      z.url().optional().meta({ description: 'The address of the API of a shop or payment service', standard }),
    ]),
  );

/** The URL of an API by the name of its setting, without a slash at its end. */
export const sourceUrls = (settings: Readonly<Record<string, unknown>>): ((name: string) => string) => {
  const standards = new Map(urls);
  return (name) => {
    const given = settings[name];
    const url = typeof given === 'string' ? given : standards.get(name);
    if (url === undefined) throw new Error(`no kind of source has the setting ${name}`);
    return url.replace(/\/+$/, '');
  };
};
