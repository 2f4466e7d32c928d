/**
 * The states of a delivery. waiting and claimed: it is pending (`delivery.state`), and the phase of its parcel says
 * which. The others are final until an operator or the platform changes them. A delivery is *held* while it waits and
 * its connection is not active; nothing is stored for that.
 */
export const deliveryStates = ['waiting', 'claimed', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Transition {
  readonly number: number;
  /** Empty: the delivery is new. */
  readonly from: readonly DeliveryState[];
  readonly to: readonly DeliveryState[];
  readonly condition: string;
  /** Files of this folder, with the functions that cause it. */
  readonly where: string;
  /** What happens to the delivery if the process dies right after it. */
  readonly afterCrash: string;
}

/** Every transition of a delivery. states.md has the same table, with the reasons. */
export const transitions: readonly Transition[] = [
  {
    number: 1,
    from: [],
    to: ['waiting'],
    condition:
      'A conversion or a client is registered, and the connection of its account is told of conversions or leads, and is not paused; or an adjustment is registered of a conversion that has a delivery to the connection; or a webhook is told of what happened, and is active.',
    where:
      'enqueue.ts: `enqueued`, `enqueuedLeads`, `enqueuedAdjustments`; tell-webhooks.ts: `toldToWebhooks`; test-webhook.ts: `sendTestToWebhook`',
    afterCrash:
      'Committed: a sweep finds it, without its hint. Not committed: there is no conversion, client or adjustment either, and nothing happened.',
  },
  {
    number: 2,
    from: ['waiting'],
    to: ['claimed'],
    condition:
      'It is due, its connection is active, and its parcel has lost fewer than 2 leases in a row. A suspect (see 9) is claimed alone.',
    where: 'claim.ts: `parcelClaimer`, `claimParcelsOfConnections`; claim.ts: `claimSuspectParcel`',
    afterCrash: 'The lease ends: 3.',
  },
  {
    number: 3,
    from: ['claimed'],
    to: ['claimed'],
    condition: 'Its lease is over, and as 2. Counts one more lost lease.',
    where: 'claim.ts: `parcelClaimer`, `claimParcelsOfConnections`; claim.ts: `claimSuspectParcel`',
    afterCrash: 'The lease ends: 3, 9 or 10.',
  },
  {
    number: 4,
    from: ['claimed'],
    to: ['delivered', 'failed', 'skipped'],
    condition:
      'The last claim settles it with a final outcome. A retry that would come after the last day for retries is failed.',
    where: 'settle.ts: `parcelSettler`',
    afterCrash: 'Not committed: 3, and the platform gets the same event id again.',
  },
  {
    number: 5,
    from: ['claimed'],
    to: ['waiting'],
    condition: 'The last claim settles it after an attempt that may succeed later. It is due after a pause.',
    where: 'settle.ts: `parcelSettler`',
    afterCrash: 'As 4.',
  },
  {
    number: 6,
    from: ['claimed'],
    to: ['waiting'],
    condition:
      'The last claim settles it without an attempt: no quota slot, an open circuit, the worker stops, or an earlier delivery of its conversion is open.',
    where: 'settle.ts: `parcelSettler`',
    afterCrash: 'As 4.',
  },
  {
    number: 7,
    from: ['claimed'],
    to: ['waiting'],
    condition:
      'The platform rejects the connection, or a webhook is gone. The connection needs attention, a webhook is paused, unless its version is newer than the claimed one or it is paused.',
    where: 'settle.ts: `parcelSettler`',
    afterCrash: 'Not committed: 3, and the platform rejects the connection again.',
  },
  {
    number: 8,
    from: ['waiting', 'claimed', 'failed', 'skipped'],
    to: ['delivered'],
    condition: 'A claim that is not the last one, or was settled, reports that the platform accepted the event.',
    where: 'settle.ts: `parcelSettler`',
    afterCrash: 'Not committed: the last claim decides.',
  },
  {
    number: 9,
    from: ['claimed'],
    to: ['waiting'],
    condition: 'Its parcel has lost 3 leases in a row and has other deliveries: each is a suspect, in its own parcel.',
    where: 'claim.ts: `splitSuspectParcels`',
    afterCrash: 'All or nothing; a sweep goes on with 2.',
  },
  {
    number: 10,
    from: ['claimed'],
    to: ['failed'],
    condition: 'It has lost 5 leases in a row, the last two or more alone.',
    where: 'claim.ts: `failCrashedDeliveries`',
    afterCrash: 'All or nothing.',
  },
  {
    number: 11,
    from: ['failed', 'skipped', 'delivered'],
    to: ['waiting'],
    condition:
      'An operator retries it, or a partner a delivery to its webhook, and the connection is active. If it is delivered, it must have a note or be of a webhook. Or it follows its conversion, which an operator retries.',
    where: 'requeue.ts: `requeueDeliveries`, `requeueDeliveriesOfConnection`, `requeueWebhookDelivery`',
    afterCrash: 'All or nothing; a sweep finds it.',
  },
  {
    number: 12,
    from: ['delivered'],
    to: ['failed', 'skipped', 'waiting'],
    condition: 'The platform reports later that it did not use the event, and no later attempt was made.',
    where: 'request-status.ts: `closePlatformRequest`',
    afterCrash: 'All or nothing; the request status is checked again after a lease.',
  },
];
