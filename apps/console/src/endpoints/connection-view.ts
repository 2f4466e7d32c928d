import { platformNames } from '@leadback/domain';
import { type ConnectionField, type PlatformDescriptor, platformList, type Remedy } from '@leadback/platforms';
import type { ListedConnection } from '@leadback/reports';
import { z } from 'zod';
import type { Connections } from '../connections/connections.ts';
import type { CheckReply, Connection, ConnectionReply, PlatformForm } from '../contract/connections.ts';

const describeField = ({ name, label, help, isRequired, isSecret, isFile, choices, standard }: ConnectionField) => ({
  name,
  label,
  help,
  isRequired,
  isSecret,
  isFile,
  choices: [...choices],
  standard: standard ?? null,
});

const nameSchema = z.enum(platformNames);

const describePlatform = ({
  name,
  fields,
  credentialKinds,
  eventKinds,
  eventSettings,
}: PlatformDescriptor): PlatformForm => {
  const isCredential = new Set(credentialKinds.flat());
  const fieldsOf = (names: readonly string[]) => fields.filter((one) => names.includes(one.name)).map(describeField);
  return {
    name: nameSchema.parse(name),
    settings: fields.filter((one) => !isCredential.has(one.name)).map(describeField),
    credentials: credentialKinds.map(fieldsOf),
    eventKinds: [...eventKinds],
    eventSettings: eventSettings
      ? { conversion: eventSettings.conversion, ...(eventSettings.lead !== undefined && { lead: eventSettings.lead }) }
      : null,
  };
};

export const platformForms: PlatformForm[] = platformList.map(describePlatform);

const describeRemedy = (remedy: Remedy | undefined): Connection['remedy'] =>
  remedy ? { words: remedy.words, change: [...remedy.change, ...(remedy.credentials ?? [])] } : null;

export const describeConnection = (connection: ListedConnection, { remedyFor }: Connections): Connection => ({
  ...connection,
  eventKinds: [...connection.eventKinds],
  createdAt: connection.createdAt.toISOString(),
  retryAt: connection.retryAt?.toISOString() ?? null,
  deliveredAt: connection.deliveredAt?.toISOString() ?? null,
  remedy: describeRemedy(remedyFor(connection)),
});

export const describeContent = (
  { connection, edition, settings, credentials, eventNames }: NonNullable<Awaited<ReturnType<Connections['read']>>>,
  connections: Connections,
): ConnectionReply => ({
  connection: describeConnection(connection, connections),
  edition,
  settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  credentials: credentials ? [...credentials] : null,
  eventNames: { ...eventNames },
});

export const describeCheck = ({
  outcome,
  httpStatus,
  body,
  note,
  remedy,
}: Awaited<ReturnType<Connections['checkTyped']>>): CheckReply => ({
  outcome: outcome.kind,
  reason: 'reason' in outcome ? outcome.reason : null,
  httpStatus,
  answer: body,
  note,
  remedy: describeRemedy(remedy),
});
