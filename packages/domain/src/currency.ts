import { z } from 'zod';

export const currencies = ['USD', 'ARS'] as const;
export type Currency = (typeof currencies)[number];

export const currencySchema = z.enum(currencies, { error: `expected ${currencies.join(' or ')}` });
