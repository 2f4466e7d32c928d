/** SQL assignments for an `update lead` that erase all personal data. Campaign data stays. */
export const withoutPersonalData = `
  click_marks = coalesce(
    (select jsonb_object_agg(mark.key, mark.value) from jsonb_each(click_marks) mark where starts_with(mark.key, 'utm_')), '{}'),
  click_times = null, clicked_at = null, ip_address = null, user_agent = null, accept_language = null, referrer = null, landing_url = null,
  name = null, email = null, phone = null, contact = null, email_hash = null, trace_parent = null`;

/** A condition on `lead`: whether it has personal data. */
export const hasPersonalData = `(
  num_nonnulls(click_times, clicked_at, ip_address, user_agent, accept_language, referrer, landing_url, name, email, phone, contact, email_hash,
               trace_parent) > 0
  or exists (select from jsonb_object_keys(click_marks) mark where not starts_with(mark, 'utm_')))`;
