import { eventKinds } from '@leadback/domain';
import { z } from 'zod';

export const eventOptions = [
  [
    '--events <kinds>',
    'what is told to the platform, separated by commas: conversion, and lead (a client is registered); default conversion',
  ],
] as const;

export const mappingOptions = [
  [
    '--map-event <name=value...>',
    "what the platform calls conversions with this eventName of the partner: the event name, conversion action id, conversion rule id or conversion name that replaces the connection's own",
  ],
  ['--unmap-event <name...>', 'removes what the platform calls conversions with this eventName'],
] as const;

const kinds = `expected ${eventKinds.join(', ')}, or both separated by a comma`;
const mapping =
  'expected the eventName of the partner, "=", and what the platform calls it, such as subscription=Subscribe';

export const kindsSchema = z
  .string(kinds)
  .transform((list) => [...new Set(list.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(eventKinds, kinds)));

export const mappingSchema = z
  .array(z.string().regex(/^[^=]*[^=\s][^=]*=./, mapping))
  .transform((all) =>
    all.map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  );
