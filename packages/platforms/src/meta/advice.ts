import type { Remedy } from '../platform.ts';
import { type MetaRefusal, metaRefusal } from './error-codes.ts';

const advice: Readonly<Record<MetaRefusal, Remedy>> = {
  token: {
    words:
      'The access token does not work: it has expired, was revoked, or is not whole. Generate a new one in Events Manager: data set, Settings, Conversions API, "Generate access token".',
    change: ['accessToken'],
  },
  permission: {
    words:
      'The access token may not send events to this data set. In Business settings give the system user that it belongs to "Manage" on the data set; or generate a token in Events Manager, in the settings of the data set itself.',
    change: ['accessToken'],
  },
  dataSet: {
    words:
      'Meta knows no data set (pixel) of this id, or the access token has no access to it. Compare the id with Events Manager, and generate the token in the settings of that data set.',
    change: ['pixelId', 'accessToken'],
  },
  proof: {
    words:
      'Meta wants an appsecret_proof with each request, and got none or a wrong one. The app that issued the access token requires it ("Require app secret" in its advanced settings): give the secret of that very app (App settings, Basic), or turn the requirement off there.',
    change: ['appSecret'],
  },
  version: {
    words:
      'Meta has retired the version of the Graph API that this installation uses (META_GRAPH_API_VERSION). The credentials are fine. Upgrade Leadback, or set a version that Meta still serves, and restart feedback-worker.',
    change: [],
  },
};

const other: Remedy = {
  words: "Meta refuses the connection in words that we do not know. See what they say, and the data set's own page.",
  change: ['pixelId', 'accessToken'],
};

/** What is to be done about a refusal, by the code (`190`, or `190/460` with its subcode) that its reason begins with. */
export const remedyForMeta = (reason: string): Remedy => {
  const [, code, subcode, message = ''] = /^(\d+)(?:\/(\d+))?: (.*)/s.exec(reason) ?? [];
  const refusal = metaRefusal({ code: Number(code), subcode: subcode ? Number(subcode) : undefined, message });
  return refusal === undefined ? other : advice[refusal];
};
