import { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import { sanePauseMs } from '../retry-after.ts';
import { minuteMs } from '../span.ts';

const usageSchema = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })));

/**
 * `X-Business-Use-Case-Usage`: Meta's estimate of the minutes until calls are accepted again (Graph API "rate
 * limiting"), as milliseconds.
 */
export const regainAccessMs = (header: string | string[] | undefined): number | undefined => {
  const usage = usageSchema.safeParse(parseJson(String(header ?? '')));
  if (!usage.success) return undefined;
  const minutes = Object.values(usage.data).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access));
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? sanePauseMs(longest * minuteMs) : undefined;
};
