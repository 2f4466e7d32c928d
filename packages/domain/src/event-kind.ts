/**
 * What a connection may be told of. lead: a client was registered. Adjustments are not chosen: they follow their conversion.
 */
export const eventKinds = ['conversion', 'lead'] as const;
export type EventKind = (typeof eventKinds)[number];
