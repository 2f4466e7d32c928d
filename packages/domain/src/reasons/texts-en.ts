import type { ReasonTexts } from './text.ts';

export const english: ReasonTexts = {
  event_too_old: {
    title: 'Too old for the platform',
    meaning: (days) => `The platform accepts no event older than ${days} days.`,
  },
  consent: {
    title: 'No consent',
    meaning:
      'The visitor did not agree to sharing, you told that the person refused it, or their browser sent Global Privacy Control.',
  },
  consent_withdrawn: {
    title: 'Consent withdrawn',
    meaning:
      'The visitor has withdrawn consent on the page “Your data”, or you told that the person refused it: platforms are told nothing more.',
  },
  before_click: {
    title: 'Before the click',
    meaning:
      'The conversion occurred before the click, which cannot have caused it, and nothing else is known to match by.',
    remedy: 'If the time of the conversion is wrong, correct it at its source; else nothing helps.',
  },
  superseded: {
    title: 'Replaced by a later adjustment',
    meaning: 'A later adjustment was delivered, which this one would overwrite.',
  },
  not_supported: {
    title: 'The platform does not take this',
    meaning: 'The platform has no way to be told of this adjustment.',
    remedy: 'Meta needs a refund event: an operator sets it on the connection.',
  },
  connection_deleted: {
    title: 'Connection deleted',
    meaning: 'Its connection was deleted while this waited for it.',
  },
  no_match_keys: {
    title: 'Nothing to match by',
    meaning: 'The platform cannot match the event: there is no click id and no usable contact data.',
    remedy: 'Register clients with their email or phone number; a retry helps once a client has one.',
  },
  no_lead_event: {
    title: 'No name for leads',
    meaning: 'The connection does not say what the platform calls leads.',
    remedy: 'An operator sets the lead event on the connection, or leaves leads out. Then retry.',
  },
  no_test_mode: {
    title: 'The platform has no tests',
    meaning: 'The conversion is a test, and the platform would count it.',
  },
  no_test_event_code: {
    title: 'No test event code',
    meaning: 'The conversion is a test, and the connection has no test event code.',
    remedy: 'An operator sets a test event code on the connection. Then retry.',
  },
  invalid_amount: {
    title: 'No usable amount',
    meaning: 'The platform takes no sale without an amount that it can read.',
  },
  nothing_taken_back: {
    title: 'Nothing was taken back',
    meaning: 'The new total is not below every earlier one, and the platform is told only of what is taken back.',
  },
  refund_event_taken: {
    title: 'The refund event has a taken name',
    meaning: 'The refund event has the name of another event, which the platform would count.',
    remedy: 'An operator gives the refund event a name of its own on the connection. Then retry.',
  },
  original_not_delivered: {
    title: 'Its conversion is missing at the platform',
    meaning: 'The platform does not have the conversion that this corrects.',
    remedy: 'Retry the conversion: this follows it.',
  },
  original_uncertain: {
    title: 'Its conversion may be missing at the platform',
    meaning: 'It is not known whether the platform used the conversion that this corrects.',
    remedy: 'If the delivery of the conversion has a note, retry it: this follows it.',
  },
  original_sent_elsewhere: {
    title: 'Its conversion went elsewhere',
    meaning: 'The conversion was sent with other settings of the connection. There, this would be one more conversion.',
    remedy:
      'Correct the conversion by hand at the platform; if the change of settings was a mistake, undo it and retry.',
  },
  original_pending: { title: 'Waits for its conversion' },
  original_unconfirmed: { title: 'Waits until its conversion is confirmed' },
  earlier_adjustment_pending: { title: 'Waits for an earlier adjustment' },
  early: { title: 'Occurs later' },
  quota: { title: 'Waits for the quota of the platform' },
  connection_rests: { title: 'The platform is failing: a short pause' },
  internal_error: { title: 'Internal error: sent again soon' },
  currency_not_supported: {
    title: 'Currency not taken',
    meaning: 'The platform does not take the currency of the sale.',
    remedy: 'An operator can have such sales sent without their amount: a setting of the connection. Then retry.',
  },
  waiting: {
    title: 'On its way',
    meaning: 'It is on its way to the platform, or will be tried again.',
  },
  connection_paused: {
    title: 'Connection paused',
    meaning: 'The connection is paused: it waits, and may become too old.',
    remedy: 'Resume the connection.',
  },
  connection_needs_attention: {
    title: 'Connection rejected',
    meaning: 'The platform rejects the connection: it waits, and may become too old.',
    remedy: 'The connection says what to change. Change it, then resume the connection.',
  },
  not_reported_yet: {
    title: 'Not reported yet',
    meaning:
      'The platform accepted it, and has yet to report whether it used it. That takes half an hour to some hours.',
  },
  not_reported: {
    title: 'Not reported',
    meaning: 'The platform did not report whether it used it. The note of the delivery says what it reported instead.',
    remedy: 'A retry sends it again; the platform counts it once.',
  },
  retries_exhausted: {
    title: 'Tried for three days',
    meaning: 'The platform was not available, or throttled, for three days.',
    remedy: 'If it is well again, retry.',
  },
  CLICK_NOT_FOUND: {
    title: 'Click unknown to Google',
    meaning: 'Google knows no such click in this account.',
    remedy:
      'Check that the connection has the account (customer id) whose ads brought the click, and that auto-tagging is on there.',
  },
  INVALID_OPERATING_ACCOUNT_FOR_CLICK: {
    title: 'Click of another account',
    meaning: 'The click is of the ads of another Google account than that of the connection.',
    remedy:
      'Use the account (customer id) that owns the ads, or a manager account with conversion tracking across accounts.',
  },
  INVALID_GCLID: {
    title: 'Click id cannot be read',
    meaning: 'Google cannot read the click id: it was cut or changed on its way.',
    remedy: 'Let ads lead to the landing page directly, without a shortener or a redirect that changes the address.',
  },
  CONVERSION_PRECEDES_CLICK: {
    title: 'Before the click',
    meaning: 'The conversion occurred before the click.',
    remedy: 'If the time of the conversion is wrong, correct it at its source; else nothing helps.',
  },
  TOO_RECENT_CLICK: {
    title: 'Click too recent',
    meaning: 'Google has yet to learn of the click. It is sent again after six hours.',
  },
  DENIED_CONSENT: {
    title: 'No consent at Google',
    meaning: 'Google has no consent of this person to the use of the data for ads.',
    remedy:
      'Ask for consent on the landing page, or tell it with `consent`. Check the consent settings of the account in Google Ads as well.',
  },
};
