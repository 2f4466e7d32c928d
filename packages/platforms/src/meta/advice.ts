import type { Mending } from '../platform.ts';

const token: Mending = {
  words:
    'The access token does not work: it has expired, was revoked, or is not whole. Generate a new one in Events Manager: data set, Settings, Conversions API, "Generate access token".',
  change: ['accessToken'],
};

const permission: Mending = {
  words:
    'The access token may not send events to this data set. In Business settings give the system user that it belongs to "Manage" on the data set; or generate a token in Events Manager, in the settings of the data set itself.',
  change: ['accessToken'],
};

const dataSet: Mending = {
  words:
    'Meta knows no data set (pixel) of this id, or the access token has no access to it. Compare the id with Events Manager, and generate the token in the settings of that data set.',
  change: ['pixelId', 'accessToken'],
};

const other: Mending = {
  words: "Meta refuses the connection in words that we do not know. See what they say, and the data set's own page.",
  change: ['pixelId', 'accessToken'],
};

const ofToken: readonly string[] = ['190', '102', '104'];

/** What is to be done about a refusal, by the code (`190`, or `190/460` with its subcode) that its reason begins with. */
export const mendMeta = (reason: string): Mending => {
  const [, code = '', subcode] = /^(\d+)(?:\/(\d+))?:/.exec(reason) ?? [];
  if (ofToken.includes(code)) return token;
  if (code === '3' || code === '10' || /^2\d\d$/.test(code)) return permission;
  return code === '100' && subcode === '33' ? dataSet : other;
};
