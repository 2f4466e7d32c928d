export { type AccountId, type AccountMode, type AccountStatus, accountStatuses } from './account.ts';
export { type AccountSettings, accountSettingsSchema } from './account-settings.ts';
export { type AdjustmentKind, adjustmentKinds } from './adjustment-kind.ts';
export { adjustmentsMax } from './adjustments-max.ts';
export { amountSchema } from './amount.ts';
export {
  type Attributed,
  type AttributedAdjustment,
  type AttributedConversion,
  type AttributedEvent,
  type AttributedLead,
  attributedOf,
  clickTimeOf,
} from './attributed-event.ts';
export {
  type ClickIdName,
  type ClickParameterName,
  type ClickParameters,
  type ClickTimes,
  clickIdNames,
  clickIdsByPlatform,
  clickParametersSchema,
  clickTimesSchema,
  cookieParameterNames,
  queryParameterNames,
} from './click-parameters.ts';
export { type Contact, contactToShare } from './contact.ts';
export { type ContactStorage, contactStorages } from './contact-storage.ts';
export { type ConsoleTaskState, consoleTaskKinds, consoleTaskStates } from './console-task.ts';
export { asText, asTyped, csvRows, csvTable, type Delimiter } from './csv.ts';
export { type Currency, currencies, currencySchema } from './currency.ts';
export { dayAfter, daySchema, today } from './day.ts';
export { emailAddressSchema, emailKey } from './email-address.ts';
export { type DestinationName, destinationNames, webhookName } from './destination.ts';
export {
  type ErasureAsker,
  erasureAskers,
  type ErasureName,
  erasureNames,
  type ErasureState,
  erasureStates,
  erasuresPerKeyAndDay,
  askedErasureDays,
  type ErasureDecider,
  erasureDeciders,
  type ErasureWay,
  erasureWays,
} from './erasure.ts';
export { type KeyScope, keyScopes, keyScopeSchema, keyScopesSchema } from './key-scope.ts';
export { type ErasedPersons, erasedPersonsChoices } from './erased-persons.ts';
export { eventAgeMaxMs } from './event-age.ts';
export { eventIdSchema, leadEventId, testEventIdPrefix } from './event-id.ts';
export { type EventKind, eventKinds } from './event-kind.ts';
export { eventNameSchema } from './event-name.ts';
export { expiryDaySchema } from './expiry-day.ts';
export { fbpShape } from './fbp-shape.ts';
export { type AttemptOutcome, attemptOutcomes, type FeedbackState, feedbackStates } from './feedback-state.ts';
export { decimalOf, inHundredths } from './hundredths.ts';
export { imageTypes, isImageName, newImageName } from './image-name.ts';
export { importBytesMax, importsBytesMax } from './import-bytes-max.ts';
export { invalidFields } from './invalid-fields.ts';
export {
  type AskedField,
  askedFields,
  landingPageModes,
  type PageContent,
  pageFieldSchemas,
  type PageImage,
  pageTextsMax,
} from './landing-page.ts';
export { landingTargetSchema, withServiceId } from './landing-target.ts';
export { type Language, languages } from './language.ts';
export { hasMatchKey, type MatchKey, matchKeys, matchKeySet, type MatchKeySet, matchKeysOf } from './match-keys.ts';
export { type NewLead, newLeadSchema } from './new-lead.ts';
export { occurredAtRange, occurredAtSchema } from './occurred-at.ts';
export { eventTooOld, type FailedEvent, type Failure, type Outcome, type WrongEvent } from './outcome.ts';
export { phoneKey } from './phone-key.ts';
export { type ConnectionState, connectionStates, type PlatformName, platformNames } from './platform-connection.ts';
export {
  type ReconciliationMeasure,
  type ReconciliationOutcome,
  type ReconciliationStep,
  type ReplayableOutcome,
  listedOutcomes,
  reconciliationMeasures,
  reconciliationOutcomes,
  reconciliationSteps,
  replayableOutcomes,
} from './reconciliation.ts';
export { Refusal, type RefusalName, refusalOf } from './refusal.ts';
export { remedies } from './refusal-remedies.ts';
export {
  methodMessage,
  overRateMessage,
  suppressedMessage,
  type RefusalCode,
  type RefusalText,
  refusalCodes,
  refusals,
} from './refusals.ts';
export {
  type ConsentScope,
  consentScopes,
  consentWithdrawn,
  type GpcReading,
  gpcReadings,
  isLimited,
  type Sharing,
  sharingOf,
  sharings,
} from './sharing.ts';
export { isReservedSlug, reservedSlugs, slugSchema } from './slug.ts';
export { nearestName } from './nearest-name.ts';
export { strictSchema } from './strict-schema.ts';
export { optionalText, requiredText } from './text.ts';
export { rangeFromSchema, rangeToSchema } from './time-range.ts';
export type { ClickedPage, VisitorContact, VisitorData, VisitorLead } from './visitor-lead.ts';
export { webAddressSchema } from './web-address.ts';
export {
  type WebhookCredentials,
  webhookCredentialsSchema,
  webhookDeleted,
  webhookPauses,
  webhookSettingsSchema,
  webhooksMax,
} from './webhook.ts';
export { type DeliverableEvent, webhookEventId, type WebhookMessage } from './webhook-message.ts';
export { webhookTopicsSchema, webhookUrlMax } from './webhook-input.ts';
export {
  type WebhookEventType,
  webhookEventTypes,
  type WebhookTopic,
  webhookTopics,
  webhookVerification,
} from './webhook-event.ts';
export { type Role, roles, seesAllAccounts } from './role.ts';
export { looksPersonal } from './looks-personal.ts';
