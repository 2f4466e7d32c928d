/** `all`: select, insert, update and delete. `update(id)`: of this column alone. */
type Rights = string;

export interface TableRights {
  readonly landing: Rights;
  readonly api: Rights;
  readonly worker: Rights;
  readonly console: Rights;
}

const rights = (
  landing: Rights,
  api: Rights,
  worker: Rights,
  console: Rights = 'select insert update',
): TableRights => ({
  landing,
  api,
  worker,
  console,
});

/** What the role of each app may do with each table. A new table needs a line. */
export const tableRights: Readonly<Record<string, TableRights>> = {
  account: rights('select(data_key,erased_persons,id)', 'select update(id)', 'select'),
  account_metric: rights('', 'select insert update(value)', ''),
  api_key: rights('', 'select update(last_used_at)', ''),
  audit_entry: rights('', 'insert', 'insert', 'select insert'),
  client: rights(
    '',
    'select insert update(ad_personalization,ad_personalization_at,ad_user_data,ad_user_data_at,contact,email_hash,external_reference,phone_hash,test_email_hash,test_reference,trace_parent)',
    'select',
  ),
  client_lead: rights('', 'select insert', 'select'),
  connection_settings_change: rights('', '', 'select'),
  consent_withdrawal: rights('', '', ''),
  retry_task: rights('', '', '', 'all'),
  conversion: rights('', 'select insert update(id,items)', 'select'),
  conversion_adjustment: rights('', 'select insert', 'select'),
  erasure: rights(
    'select(account_id,asked_by,confirmed_by,erased_at,finished_at,id,is_test,key_id,named_by,network,receipt,requested_at,signature,state,subject_hash,way) insert(account_id,actor,asked_by,id,is_test,named_by,network,subject,subject_hash)',
    'select insert update(actor,confirmed_by,decided_at,due_at,erased_at,failures,finished_at,key_id,receipt,signature,state,subject,subject_hash,tried_at,way)',
    '',
  ),
  erased_key: rights('select', 'select insert update(allowed_at,asked_by,erased_at,erasure_id)', ''),
  delivery: rights(
    '',
    'select insert update(closed_at,event_note,is_confirmed,parcel_id,reason,retried_since,state) delete',
    'select insert update(attempts,closed_at,event_note,is_confirmed,match_keys,note,parcel_id,reason,retried_since,sent_version,state,throttled)',
    'all',
  ),
  delivery_attempt: rights('', 'select insert update(answer)', 'select insert'),
  delivery_due: rights(
    '',
    'select insert update(not_before) delete',
    'select insert update(claim,claims_lost,delivery_ids,not_before,oldest_at,phase) delete',
    'all',
  ),
  first_sale: rights('', 'select insert', 'select'),
  file_choice: rights('', 'select insert update(changed_at,choices)', ''),
  idempotency_record: rights('', 'select insert update(answer,created_at,fingerprint) delete', '', 'all'),
  import: rights(
    '',
    'select insert update(bytes,counts,digest,done,due_at,email_references,failures,finished_at,last_line,message,money,reading,rows,state,too_old,unshared)',
    '',
  ),
  import_row: rights(
    '',
    'select insert update(cells,dry_run_event_id,dry_run_reference,message,outcome,record_id) delete',
    '',
    'all',
  ),
  installation: rights('', 'select', 'select', 'select'),
  invitation: rights('', '', '', 'all'),
  landing_image: rights('select', '', ''),
  landing_instance: rights('all', 'select', '', 'all'),
  landing_page: rights(
    'select',
    'select(account_id,deleted_at,id,is_of_server,own_slug,slug) insert(account_id,is_hidden,is_of_server,is_on,mode,slug,target_url)',
    '',
  ),
  landing_slug: rights('select', 'select insert', ''),
  lead: rights(
    'insert(accept_language,account_id,ad_user_data,click_parameters,click_times,consent,consent_scope,contact,counts_as_other,created_at,email_hash,global_privacy_control,is_test,landing_page_id,landing_url,proof_hash,reference,referrer,reported_by,trace_parent,unusable_clicks,user_agent)',
    'select insert(accept_language,account_id,ad_user_data,click_parameters,click_times,consent,consent_scope,contact,counts_as_other,created_at,email_hash,global_privacy_control,is_test,landing_page_id,landing_url,proof_hash,reference,referrer,reported_by,trace_parent,unusable_clicks,user_agent) update(accept_language,ad_user_data,click_parameters,click_times,consent,consent_scope,contact,email_hash,global_privacy_control,landing_url,referrer,trace_parent,unusable_clicks,user_agent)',
    'select',
  ),
  membership: rights('', '', '', 'all'),
  metric_increment: rights(
    'insert(account_id,at,campaign,change,landing_page_id,measure)',
    'select insert update(id) delete',
    'insert',
    'all',
  ),
  mikro_orm_migrations: rights('select', 'select', 'select', 'select'),
  own_domain: rights('select(account_id,changed_at,id,name,removed_at)', '', ''),
  periodic_run: rights('', 'select insert update(began_at,failed_at,finished_at,held_until,holder,outcome)', ''),
  passkey: rights('', '', '', 'all'),
  person_identity: rights('', '', '', 'all'),
  person: rights('', '', '', 'all'),
  person_session: rights('', '', '', 'all'),
  platform_connection: rights(
    '',
    'select insert update(credentials,deleted_at,destination,event_kinds,resumed_at,settings,state,state_reason,test_delivery_id,verify_at,verify_attempts)',
    'select update(credentials,credentials_renewed_at,last_accepted_at,state,state_reason,verify_at,verify_attempts)',
  ),
  platform_quota: rights('', '', 'select insert update'),
  platform_request: rights('', '', 'select insert update'),
  quality_increment: rights('', 'select insert update(id) delete', 'insert', 'all'),
  quality_day: rights('', 'select insert update(amount,deliveries)', ''),
  receipt_key: rights('select', 'select insert', ''),
  reconciliation: rights(
    '',
    'select insert update(compared,counts,due_at,failures,finished_at,is_failed,money,replay,rows,step,walked_at,walked_id) delete',
    '',
    'all',
  ),
  reconciliation_row: rights(
    '',
    'select insert update(client_external_reference,contact,conversion_id,email_hash,message,outcome,undelivered,undelivered_in) delete',
    '',
    'all',
  ),
  retention_period: rights('', '', '', 'all'),
  sign_in_challenge: rights('', '', '', 'all'),
  source: rights(
    '',
    'select update(catch_up_at,caught_up_until,id,refused_at,refused_count,refused_since,state,state_reason,state_since)',
    '',
  ),
  source_event: rights(
    '',
    'select insert update(content,conversion_id,due_at,event,failures,fetched,finished_at,is_partial,message,needs_fetch,order_reference,outcome,person_hashes,reason,state_at) delete',
    '',
    'all',
  ),
  webhook_event: rights('', 'select insert', 'select insert'),
};
