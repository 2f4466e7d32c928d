import type { Remedy } from '../platform.ts';
import { type MetaRefusal, metaRefusal } from './error-codes.ts';

const advice: Readonly<Record<MetaRefusal, Remedy>> = {
  token: {
    words:
      'The access token is not valid: it has expired, was revoked, or is incomplete. Generate a new one in Events Manager: data set, Settings, Conversions API, "Generate access token".',
    change: ['accessToken'],
  },
  permission: {
    words:
      'The access token may not send events to this data set. In Business settings, grant "Manage" on the data set to the system user of the token; or generate a token in Events Manager, in the settings of the data set itself.',
    change: ['accessToken'],
  },
  dataSet: {
    words:
      'There is no data set (pixel) with this id, or the access token has no access to it. Compare the id with Events Manager, and generate the token in the settings of that data set.',
    change: ['pixelId', 'accessToken'],
  },
  proof: {
    words:
      'Meta requires an appsecret_proof with each request, and received none or a wrong one. The app that issued the access token requires it ("Require app secret" in its advanced settings): set the secret of that same app (App settings, Basic), or turn the requirement off there.',
    change: ['appSecret'],
  },
  version: {
    words:
      'Meta has retired the version of the Graph API that this installation uses (META_GRAPH_API_VERSION). The credentials are valid. Upgrade Leadback, or set a version that Meta still supports, and restart feedback-worker.',
    change: [],
  },
};

const other: Remedy = {
  words:
    'Meta rejects the connection for an unknown reason. Read the error message and check the data set in Events Manager.',
  change: ['pixelId', 'accessToken'],
};

/** `reason` begins with Meta's code (`190`, or `190/460` with its subcode), which selects the remedy. */
export const remedyForMeta = (reason: string): Remedy => {
  const [, code, subcode, message = ''] = /^(\d+)(?:\/(\d+))?: (.*)/s.exec(reason) ?? [];
  const refusal = metaRefusal({ code: Number(code), subcode: subcode ? Number(subcode) : undefined, message });
  return refusal === undefined ? other : advice[refusal];
};
