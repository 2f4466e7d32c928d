import {
  deliveryStates,
  destinationNames,
  type DestinationName,
  type DeliveryState,
  webhookName,
} from '@leadback/domain';
import { instruments, type Metrics, type Logger } from '@leadback/server/app';
import type { ClaimedParcel } from '@leadback/core/delivery/claim';
import type { DuePlatformRequest } from '@leadback/core/delivery/request-status';
import type { PlatformResponse, ApiVersion } from '@leadback/platforms';
import type { LoggedTrace } from '@leadback/server/trace';

/**
 * Results of a request status check. `named`: the platform named the events that it did not use. `noted`: the deliveries
 * stay delivered, with a note. `skipped`: the events were too old. `refused`: the deliveries wait for the operator.
 */
const requestStatusResults = [
  'used',
  'named',
  'noted',
  'failed',
  'skipped',
  'again',
  'refused',
  'processing',
  'unknown',
  'given_up',
] as const;
export type RequestStatusResult = (typeof requestStatusResults)[number];

const requestOutcomes = ['delivered', 'partial', 'rejected', 'unavailable', 'throttled', 'refused'] as const;

/** Every label value is present from the start, with zero. */
const workerInstruments = (metrics: Metrics) => {
  const { counter, gauge, histogram } = instruments(metrics);
  return {
    settled: counter({
      name: 'leadback_deliveries_settled_total',
      help: 'Deliveries settled by this worker, by new state (closed: another worker settled it first); tests excluded',
      labels: { platform: destinationNames, state: [...deliveryStates, 'closed'] },
    }),
    requests: histogram({
      name: 'leadback_platform_request_seconds',
      help: 'Requests to a platform, by outcome (partial: it accepted some events of the request)',
      labels: { platform: destinationNames, outcome: requestOutcomes },
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    }),
    warnings: counter({
      name: 'leadback_platform_warnings_total',
      help: 'Requests that a platform accepted, but not in full; the note of their deliveries says why',
      labels: { platform: destinationNames },
    }),
    versionEnds: gauge({
      name: 'leadback_platform_version_end_timestamp_seconds',
      help: 'When the platform may end this version of its API; 0 if it has announced no end',
      labels: { platform: destinationNames },
    }),
    circuitOpenings: counter({
      name: 'leadback_connection_rests_total',
      help: 'Times that the circuit of a connection opened, because its platform failed or throttled',
      labels: { platform: destinationNames },
    }),
    expired: counter({
      name: 'leadback_deliveries_expired_total',
      help: 'Deliveries too old for their platform when they were to be sent; tests excluded',
      labels: { platform: destinationNames },
    }),
    crashed: counter({
      name: 'leadback_deliveries_crashed_total',
      help: 'Deliveries failed after five worker crashes',
      labels: { platform: destinationNames },
    }),
    foreignMessages: counter({
      name: 'leadback_foreign_messages_total',
      help: 'Messages of an unknown format or version',
    }),
    statusChecks: counter({
      name: 'leadback_platform_verdicts_total',
      help: 'Request status checks, by result',
      labels: { platform: destinationNames, verdict: requestStatusResults },
    }),
    internalErrors: counter({
      name: 'leadback_delivery_faults_total',
      help: 'Deliveries that failed with an internal error; they are retried',
      labels: { platform: destinationNames },
    }),
    quotaSlots: counter({
      name: 'leadback_quota_turns_total',
      help: 'Quota slots requested, by outcome; requests without a slot wait',
      labels: { outcome: ['taken', 'minute_full', 'day_full'] },
    }),
  };
};

interface Connection {
  readonly id: number;
  readonly platform: DestinationName;
}

interface SettledDelivery {
  readonly deliveryId: number;
  readonly state: DeliveryState | 'closed';
  /** If it is traced. */
  readonly trace: LoggedTrace | undefined;
}

/** Whether a quota slot was taken; if not, whether the quota of the minute or of the day is used up. */
type QuotaSlotResult = 'taken' | 'minute_full' | 'day_full';

const checkFields = ({ id: requestId, checks, deliveries, connection }: DuePlatformRequest) => ({
  platform: connection.platform,
  connectionId: connection.id,
  requestId,
  checks,
  deliveries,
});

/** One function per event: it updates a metric and writes a log line. */
export const workerEvents = (log: Logger, metrics: Metrics) => {
  const {
    settled,
    expired,
    requests,
    warnings,
    versionEnds,
    circuitOpenings,
    crashed,
    foreignMessages,
    statusChecks,
    internalErrors,
    quotaSlots,
  } = workerInstruments(metrics);
  return {
    platformAnswered: (
      { id: connectionId, platform }: Connection,
      { events, durationMs, answer }: { events: number; durationMs: number; answer: PlatformResponse },
    ) => {
      const { outcome, httpStatus } = answer;
      const failed = outcome.kind === 'delivered' ? outcome.events : undefined;
      const kind = failed === undefined ? outcome.kind : 'partial';
      requests.observe({ platform, outcome: kind }, durationMs / 1000);
      const accepted = outcome.kind === 'delivered' ? outcome : undefined;
      const warning = accepted?.warning ?? accepted?.warnings?.[0]?.warning;
      if (warning !== undefined) warnings.inc({ platform });
      const level = kind === 'delivered' && warning === undefined ? 'info' : 'warn';
      const reason = 'reason' in outcome ? outcome.reason : failed?.[0]?.outcome.reason;
      log[level](
        {
          platform,
          connectionId,
          events,
          failed: failed?.length,
          durationMs,
          outcome: kind,
          reason,
          warning,
          httpStatus,
        },
        'platform answered',
      );
    },
    circuitOpened: ({ id: connectionId, platform }: Connection, openMs: number) => {
      circuitOpenings.inc({ platform });
      log.warn({ platform, connectionId, openMs }, 'circuit open; deliveries of the connection wait');
    },
    versionUsed: (platform: DestinationName, { version, endsAt }: ApiVersion) => {
      if (endsAt) versionEnds.set({ platform }, endsAt.getTime() / 1000);
      log.info({ platform, version, endsAt: endsAt ?? null }, "version of the platform's API");
    },
    claimFailed: (error: unknown) => log.warn({ err: error }, 'failed to claim deliveries; retrying'),
    /** One line for what was delivered and has no trace, and one for each other delivery. */
    parcelSettled: ({ id: parcelId, connection, mode }: ClaimedParcel, deliveries: readonly SettledDelivery[]) => {
      const { platform, id: connectionId } = connection;
      const counts = new Map<SettledDelivery['state'], number>();
      for (const { deliveryId, state, trace } of deliveries) {
        counts.set(state, (counts.get(state) ?? 0) + 1);
        if (state === 'delivered' && trace === undefined) continue;
        log.info({ platform, connectionId, deliveryId, mode, state, ...trace }, 'delivery settled');
      }
      if (mode === 'live') for (const [state, count] of counts) settled.inc({ platform, state }, count);
      const delivered = counts.get('delivered') ?? 0;
      log.info({ platform, connectionId, parcelId, mode, deliveries: deliveries.length, delivered }, 'parcel settled');
    },
    deliveryExpired: ({ connection: { platform }, mode }: ClaimedParcel) => {
      if (mode === 'live') expired.inc({ platform });
    },
    connectionRejected: ({ id: connectionId, platform }: Connection) => {
      if (platform === webhookName) {
        return log.warn(
          { connectionId },
          'webhook paused: it is gone or accepts nothing; its deliveries wait for the partner',
        );
      }
      return log.error(
        { platform, connectionId },
        'the platform rejects the connection; its deliveries wait for the operator',
      );
    },
    deliveryCrashed: (platform: DestinationName, deliveryId: number) => {
      crashed.inc({ platform });
      log.error({ platform, deliveryId }, 'delivery failed after five worker crashes');
    },
    deliveryIsolated: (platform: DestinationName, deliveryId: number) =>
      log.warn({ platform, deliveryId }, 'workers crashed during this delivery; processing it alone'),
    settlingFailed: ({ platform }: Connection, error: unknown) =>
      log.warn({ platform, err: error }, 'failed to save delivery outcomes; retrying'),
    parcelNotSettled: ({ platform }: Connection, error: unknown) =>
      log.error({ platform, err: error }, 'delivery outcomes not saved; the deliveries are claimed again'),
    deliveryFailed: ({ id: connectionId, platform }: Connection, error: unknown) => {
      internalErrors.inc({ platform });
      log.error({ platform, connectionId, err: error }, 'delivery failed with an internal error; retrying');
    },
    quotaSlot: (outcome: QuotaSlotResult) => quotaSlots.inc({ outcome }),
    foreignMessageDropped: () => {
      foreignMessages.inc();
      log.warn('dropped a message of an unknown format or version');
    },
    requestStatusChecked: (request: DuePlatformRequest, verdict: RequestStatusResult) => {
      statusChecks.inc({ platform: request.connection.platform, verdict });
      log.info({ ...checkFields(request), verdict }, "checked the platform's request status");
    },
    requestStatusCheckFailed: (request: DuePlatformRequest, error: unknown) =>
      log.error({ ...checkFields(request), err: error }, "failed to check the platform's request status; retrying"),
    webhookVerified: ({ id }: { readonly id: number }) =>
      log.info({ connectionId: id }, 'the URL of a webhook answered its test'),
    webhookVerificationFailed: ({ id }: { readonly id: number }, error: unknown) =>
      log.error({ connectionId: id, err: error }, 'failed to save the verification of a webhook; retrying'),
    webhookUnreadable: ({ id }: { readonly id: number }, error: unknown) =>
      log.error({ connectionId: id, err: error }, 'what is stored of a webhook cannot be read, so it is not verified'),
    webhookVerifierFailed: (error: unknown) => log.warn({ err: error }, 'failed to load unverified webhooks; retrying'),
    quotaSlotFailed: (error: unknown) => log.warn({ err: error }, 'failed to take a quota slot; retrying'),
    consuming: () => log.info('consuming from RabbitMQ'),
    notConsuming: (reason: unknown) => log.warn({ err: reason }, 'not consuming from RabbitMQ; reconnecting'),
  };
};

export type WorkerEvents = ReturnType<typeof workerEvents>;

/** Exports what a worker holds, and which circuits are open in it. */
export const deliveryGauges = (
  metrics: Metrics,
  { held, openCircuits }: { readonly held: () => number; readonly openCircuits: () => DestinationName[] },
): void => {
  const { gauge } = instruments(metrics);
  gauge({
    name: 'leadback_deliveries_held',
    help: 'Deliveries in the memory of this worker, from their claim until their outcome is saved',
    refresh: (one) => one.set(held()),
  });
  gauge({
    name: 'leadback_connections_resting',
    help: 'Connections whose circuit is open in this worker: their platform fails or throttles',
    labels: { platform: destinationNames },
    refresh(open) {
      for (const platform of destinationNames) open.set({ platform }, 0);
      for (const platform of openCircuits()) open.inc({ platform });
    },
  });
};
