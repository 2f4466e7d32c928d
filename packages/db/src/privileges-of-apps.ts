// A lock (`for update`) needs the right to update a column: `update (id)` is the one that can change nothing, because
// other rows refer to the id, or nothing does.
const everything = 'select, insert, update, delete';
// what an erasure clears, which the api performs
const columnsOfChangedClient =
  'email_hash, test_email_hash, phone_hash, external_reference, test_reference, contact, trace_parent, ad_user_data, ad_user_data_at, ad_personalization, ad_personalization_at';
const columnsOfErasedLead =
  'click_parameters, click_times, unusable_clicks, user_agent, accept_language, referrer, landing_url, trace_parent, contact, email_hash';
const columnsOfToldLead = 'consent, consent_scope, ad_user_data, global_privacy_control';
// all but the id: an app that chose ids which the sequence has not reached would stop others from adding rows
const columnsOfNewLead =
  'account_id, landing_page_id, reference, click_parameters, click_times, user_agent, accept_language, referrer, landing_url, contact, email_hash, consent, consent_scope, global_privacy_control, trace_parent, proof_hash, counts_as_other, unusable_clicks, created_at, is_test, ad_user_data, reported_by';
const columnsOfMetricIncrement = 'account_id, at, landing_page_id, campaign, measure, change';
const columnsOfAskedErasure = 'id, account_id, asked_by, actor, is_test, named_by, subject, network, subject_hash';
const columnsOfShownErasure =
  'id, account_id, asked_by, is_test, named_by, state, requested_at, finished_at, receipt, signature, key_id, subject_hash, erased_at, confirmed_by, way, network';
// how work goes on: whose it is, and what was sent, stay
const columnsOfPerformedErasure =
  'actor, confirmed_by, decided_at, due_at, erased_at, failures, finished_at, key_id, receipt, signature, state, subject, subject_hash, tried_at, way';
const columnsOfWorkedImport =
  'bytes, counts, digest, done, due_at, email_references, failures, finished_at, last_line, message, money, reading, rows, state, too_old, unshared';
const columnsOfImportedRow = 'cells, message, outcome, record_id, dry_run_event_id, dry_run_reference';
const columnsOfWorkedList =
  'compared, counts, due_at, failures, finished_at, is_failed, money, replay, rows, step, walked_at, walked_id';
const columnsOfComparedRow =
  'client_external_reference, contact, conversion_id, email_hash, message, outcome, undelivered, undelivered_in';
// how a delivery goes on: whose it is, what it reports and where it goes stay
const columnsOfRetriedDelivery = 'closed_at, event_note, is_confirmed, parcel_id, reason, retried_since, state';
const columnsOfSentDelivery = `${columnsOfRetriedDelivery}, attempts, match_keys, note, sent_version, throttled`;
const columnsOfWorkedEvent =
  'content, conversion_id, due_at, event, failures, fetched, finished_at, is_partial, message, needs_fetch, order_reference, outcome, person_hashes, reason, state_at';
const columnsOfClaimedParcel = 'claim, claims_lost, delivery_ids, not_before, oldest_at, phase';

/** The database role of each app that has its own rights. `leadback_console` may read and write all data. */
export const appRoles = ['leadback_landing', 'leadback_api', 'leadback_feedback_worker'] as const;
export type AppRole = (typeof appRoles)[number];

/**
 * What each app may do with which table, as `grant` writes it; nothing with the others. An app also needs what the
 * triggers of its tables do. A new table needs a line in tests/database/table-rights.ts.
 */
export const privilegesOfApps: Readonly<Record<AppRole, Readonly<Record<string, string>>>> = {
  leadback_landing: {
    // to encrypt contact data
    account: 'select (id, data_key, erased_persons)',
    // asks for erasures and shows how they ended; only the api reads whom they are about
    erasure: `insert (${columnsOfAskedErasure}), select (${columnsOfShownErasure})`,
    // keyed hashes: leads that are recorded after they were erased
    erased_key: 'select',
    landing_image: 'select',
    landing_instance: everything,
    landing_page: 'select',
    landing_slug: 'select',
    lead: `insert (${columnsOfNewLead})`,
    metric_increment: `insert (${columnsOfMetricIncrement})`,
    mikro_orm_migrations: 'select',
    own_domain: 'select (id, account_id, name, removed_at, changed_at)',
    receipt_key: 'select',
  },
  leadback_api: {
    account: 'select, update (id)',
    account_metric: 'select, insert, update (value)',
    api_key: 'select, update (last_used_at)',
    audit_entry: 'insert',
    client: `select, insert, update (${columnsOfChangedClient})`,
    client_lead: 'select, insert',
    // the items of erased persons
    conversion: 'select, insert, update (id, items)',
    conversion_adjustment: 'select, insert',
    erasure: `select, insert, update (${columnsOfPerformedErasure})`,
    erased_key: 'select, insert, update (erased_at, asked_by, erasure_id, allowed_at)',
    // of webhooks that it deletes
    delivery: `select, insert, update (${columnsOfRetriedDelivery}), delete`,
    delivery_attempt: 'select, insert, update (answer)',
    delivery_due: 'select, insert, update (not_before), delete',
    file_choice: 'select, insert, update (changed_at, choices)',
    first_sale: 'select, insert',
    idempotency_record: 'select, insert, update (answer, created_at, fingerprint), delete',
    import: `select, insert, update (${columnsOfWorkedImport})`,
    import_row: `select, insert, update (${columnsOfImportedRow}), delete`,
    installation: 'select',
    landing_instance: 'select',
    // The name of a page, where a partner sees the clicks of a client, or names one. It adds the page of those that name none.
    landing_page:
      'select (id, slug, own_slug, account_id, is_of_server, deleted_at), insert (account_id, slug, mode, is_on, is_hidden, target_url, is_of_server)',
    // of a page that it names, and of the page that it adds
    landing_slug: 'select, insert',
    lead: `select, insert (${columnsOfNewLead}), update (${columnsOfErasedLead}, ${columnsOfToldLead})`,
    metric_increment: 'select, insert, update (id), delete',
    mikro_orm_migrations: 'select',
    // takes daily jobs
    periodic_run: 'select, insert, update (began_at, failed_at, finished_at, held_until, holder, outcome)',
    // webhooks of partners are connections
    platform_connection:
      'select, insert, update (credentials, deleted_at, destination, event_kinds, resumed_at, settings, state, state_reason, test_delivery_id, verify_at, verify_attempts)',
    quality_increment: 'select, insert, update (id), delete',
    quality_day: 'select, insert, update (amount, deliveries)',
    receipt_key: 'select, insert',
    reconciliation: `select, insert, update (${columnsOfWorkedList}), delete`,
    reconciliation_row: `select, insert, update (${columnsOfComparedRow}), delete`,
    // takes what shops send, and holds a source whose shop refuses it
    source:
      'select, update (id, state, state_reason, state_since, refused_count, refused_since, refused_at, catch_up_at, caught_up_until)',
    source_event: `select, insert, update (${columnsOfWorkedEvent}), delete`,
    webhook_event: 'select, insert',
  },
  leadback_feedback_worker: {
    account: 'select',
    audit_entry: 'insert',
    client: 'select',
    client_lead: 'select',
    first_sale: 'select',
    connection_settings_change: 'select',
    conversion: 'select',
    conversion_adjustment: 'select',
    delivery: `select, insert, update (${columnsOfSentDelivery})`,
    delivery_attempt: 'select, insert',
    delivery_due: `select, insert, update (${columnsOfClaimedParcel}), delete`,
    installation: 'select',
    lead: 'select',
    metric_increment: 'insert',
    mikro_orm_migrations: 'select',
    // keeps the refresh tokens with which a platform replaces those that it knows
    platform_connection:
      'select, update (credentials, credentials_renewed_at, last_accepted_at, state, state_reason, verify_at, verify_attempts)',
    platform_quota: 'select, insert, update',
    platform_request: 'select, insert, update',
    quality_increment: 'insert',
    webhook_event: 'select, insert',
  },
};

/**
 * Functions that act with the rights of the owner of the tables, with the types of their parameters, and which of these
 * roles may call them.
 */
export const functionsOfApps: Readonly<Record<string, readonly AppRole[]>> = {
  'follow_promotion()': appRoles,
  'apply_consent_withdrawals(text[])': ['leadback_landing'],
  'apply_retention(text, text)': ['leadback_api'],
  'join_background_clicks(bigint[], boolean[], text[], boolean[])': ['leadback_landing', 'leadback_api'],
  'keep_attempt_partitions()': ['leadback_api'],
  'lead_has_client(bigint, text)': ['leadback_landing', 'leadback_api'],
  'remembered_clicks(bigint, boolean, text, jsonb, timestamptz, jsonb)': ['leadback_landing', 'leadback_api'],
  'visitor_leads(text[],text[])': ['leadback_landing'],
  'withdraw_consent(text)': ['leadback_landing'],
  'withdraw_consent_in(bigint, text)': ['leadback_landing'],
};
