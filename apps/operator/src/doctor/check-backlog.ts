import { type BacklogPart, measureBacklog } from '@leadback/delivery';
import { type DestinationName, destinationNames } from '@leadback/domain';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { pluralize, formatDuration } from './format.ts';

const check = 'backlog';
const warnSeconds = 10 * 60;
const errorSeconds = 60 * 60;

const findingOf = (platform: DestinationName, parts: readonly BacklogPart[]): Finding => {
  const rowsThat = (isMeant: (part: BacklogPart) => boolean) =>
    parts.filter(isMeant).reduce((sum, { rows }) => sum + rows, 0);
  const sent = rowsThat(({ waitsFor }) => waitsFor === 'worker' || waitsFor === 'retry');
  const held = rowsThat(({ waitsFor }) => waitsFor === 'paused' || waitsFor === 'needs_attention');
  const count = `${platform}: ${pluralize(sent, 'delivery', 'deliveries')} pending, ${held.toLocaleString('en')} held until a connection is resumed`;
  const freeSeconds = parts.find(({ waitsFor }) => waitsFor === 'worker')?.freeSeconds ?? 0;
  if (freeSeconds < warnSeconds) return ok(check, count);
  const found = `${count}; the oldest has been ready to send for ${formatDuration(freeSeconds)}`;
  const todo =
    'Start more feedback-workers, and see "workers" below; `feedback list --account ID --state pending` lists the deliveries.';
  return freeSeconds < errorSeconds ? warn(check, found, todo) : fail(check, found, todo);
};

export const checkBacklog: Check = async ({ pool }) => {
  const { parts, connections } = await measureBacklog(pool);
  const connected = destinationNames.filter((name) => connections.some(({ platform }) => platform === name));
  if (connected.length === 0) return [ok(check, 'there are no connections yet')];
  return connected.map((name) =>
    findingOf(
      name,
      parts.filter(({ platform }) => platform === name),
    ),
  );
};
