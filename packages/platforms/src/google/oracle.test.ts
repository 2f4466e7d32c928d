import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { givenConversion, now } from '../../test/given-conversion.ts';
import { gclidAndUserData } from '../../test/google-oracle.ts';
import { googleEvent } from './event.ts';
import { ingestBody } from './send.ts';

const { lead, client, conversion, body } = gclidAndUserData;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it("Google's body equals that of Google's own library, and adds the Argentine phone number without the 9 of mobiles", () => {
  const [destination] = body.destinations;
  const { operatingAccount, loginAccount, productDestinationId } = destination;
  const prepared = googleEvent(
    givenConversion({
      eventId: conversion.id,
      amount: conversion.amount.toFixed(2),
      currency: conversion.currency,
      occurredAt: new Date(conversion.created_at),
      client,
      lead: { clickParameters: { gclid: lead.gclid }, ipAddress: lead.ip },
    }),
    { conversionActionId: productDestinationId },
    now,
  );
  const { event } = z.object({ event: z.record(z.string(), z.unknown()) }).parse(prepared);
  const settings = {
    customerId: operatingAccount.accountId,
    loginCustomerId: loginAccount.accountId,
    conversionActionId: productDestinationId,
  };
  const [oracle] = body.events;
  // Google knows a subscriber by one of the two forms; its library leaves that to the caller
  const withoutNine = { phoneNumber: sha256('+541123456789') };
  const userData = { userIdentifiers: [...oracle.userData.userIdentifiers, withoutNine] };
  // our events name their destination
  const named = { destinationReferences: [productDestinationId] };
  expect(ingestBody(settings, 'live', [event])).toEqual({
    ...body,
    destinations: [{ reference: productDestinationId, ...destination }],
    events: [{ ...named, ...oracle, userData }],
  });
});
