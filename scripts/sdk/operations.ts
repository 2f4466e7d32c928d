/** A method of the SDK and the names of the types of its operation. */
interface Covered {
  readonly method: string;
  readonly query?: string;
  readonly body?: string;
  /** The type of one item of a body with `items`. */
  readonly item?: string;
  readonly reply?: string;
}

interface LeftOut {
  /** Why the SDK has no method for it. */
  readonly isLeftOut: string;
}

const files = {
  isLeftOut:
    'whole files go to the API as they are, with curl or from the console; programs have `registerConversions`',
};
const decision = { isLeftOut: 'a decision of people, in the console or with curl' };
const reconciliation = {
  isLeftOut: 'a comparison with the books, which people start and read, in the console or with curl',
};

/** Every operation of the API by its `operationId`. */
export const sdkOperations: Readonly<Record<string, Covered | LeftOut>> = {
  get: { method: 'checkKey', reply: 'KeyCheck' },
  postClient: { method: 'registerClient', body: 'ClientInput', reply: 'RegisteredClient' },
  postClientBatch: { method: 'registerClients', reply: 'ClientBatch' },
  getClientId: { method: 'getClient', reply: 'Client' },
  postClientErasure: { method: 'eraseClient', body: 'ErasureInput', reply: 'AskedErasure' },
  postClientAllow: { method: 'allowClient', body: 'PersonToAllow', reply: 'AllowedPerson' },
  getClientErasureId: { method: 'getErasure', reply: 'Erasure' },
  getClientErasure: decision,
  postClientErasureIdConfirmation: decision,
  postClientConversion: { method: 'registerConversion', body: 'ConversionInput', reply: 'RegisteredConversion' },
  postClientConversionBatch: { method: 'registerConversions', item: 'ConversionBatchItem', reply: 'ConversionBatch' },
  postClientConversionAdjustment: {
    method: 'adjustConversion',
    body: 'AdjustmentInput',
    reply: 'RegisteredAdjustment',
  },
  getClientConversionId: { method: 'getConversion' },
  getClientConversion: { method: 'findConversion' },
  getClientConversions: { method: 'listConversions', query: 'ConversionFilter', reply: 'ConversionPage' },
  getReportQuality: { isLeftOut: 'advice for people, which the console and the operator show' },
  postImport: files,
  getImportId: files,
  getImportIdResultCsv: files,
  postReconciliation: reconciliation,
  getReconciliationId: reconciliation,
  getReconciliationIdRows: reconciliation,
  getReconciliationIdRowsCsv: reconciliation,
  postReconciliationIdReplay: reconciliation,
  postWebhook: { method: 'createWebhook', body: 'WebhookInput', reply: 'CreatedWebhook' },
  getWebhook: { method: 'listWebhooks', reply: 'WebhookList' },
  patchWebhookId: { method: 'changeWebhook', body: 'WebhookChanges' },
  deleteWebhookId: { method: 'deleteWebhook', reply: 'DeletedWebhook' },
  postWebhookIdSecret: { method: 'rotateWebhookSecret', reply: 'RotatedSecret' },
  postWebhookIdTest: { method: 'testWebhook', reply: 'SentDelivery' },
  getWebhookIdDeliveries: {
    method: 'listWebhookDeliveries',
    query: 'WebhookDeliveryFilter',
    reply: 'WebhookDeliveryPage',
  },
  postWebhookIdDeliveriesDeliveryIdRetry: { method: 'retryWebhookDelivery' },
};
