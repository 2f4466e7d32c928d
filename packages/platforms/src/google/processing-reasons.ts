import type { Finding } from '../platform.ts';
import { hourMs, minuteMs } from '../span.ts';

type Judged = Pick<Finding, 'meaning' | 'pauseMs'>;

// Google Ads API documentation, TOO_RECENT_EVENT; the Data Manager API names no time
const tooRecent: Judged = { meaning: 'again', pauseMs: 6 * hourMs };

const nameShape = /^[A-Z][A-Z0-9_]{0,99}$/;

/** A reason without the prefix that all of them share; one of them lacks `REASON_`. */
export const shortReason = (reason: string): string => {
  const name = reason.replace(/^PROCESSING_(ERROR|WARNING)_(REASON_)?/, '');
  return nameShape.test(name) ? name : 'UNSPECIFIED';
};

/**
 * The meaning of a ProcessingErrorReason for the events that it counts
 * (google/ads/datamanager/v1/processing_errors.proto). `undefined`: Google has them already. An unknown reason counts
 * as failed.
 */
export const judgeProcessingError = (reason: string): Judged | undefined => {
  if (reason.startsWith('DUPLICATE_')) return undefined;
  if (reason.startsWith('TOO_RECENT_')) return tooRecent;
  if (reason === 'EVENT_TOO_OLD') return { meaning: 'too_old' };
  if (reason === 'INTERNAL_ERROR') return { meaning: 'again', pauseMs: 30 * minuteMs };
  if (reason.endsWith('_TERMS_NOT_SIGNED')) return { meaning: 'refused' };
  const isOfSettings = /_WITH_BRAID$|CUSTOM_VARIABLE|^EXTERNAL_ATTRIBUTION_DATA_MISSING$/.test(reason);
  return { meaning: isOfSettings ? 'settings' : 'failed' };
};
