/**
 * Whether a text has the form of a lead reference: 22 letters and digits. Without a request, it finds values that were
 * cut off or never filled in; only the API knows whether the lead exists.
 */
export const looksLikeLeadReference = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9A-Za-z]{22}$/.test(text);
