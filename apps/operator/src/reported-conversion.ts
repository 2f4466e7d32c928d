import type { Feedback } from '@leadback/db';
import type { Loaded } from '@mikro-orm/core';

/** What must be loaded of a delivery to know its conversion. */
export const withConversion = ['conversion', 'adjustment.conversion'] as const;

/** The conversion that a delivery reports, itself or its adjustment. */
export const reportedConversion = ({
  id,
  conversion,
  adjustment,
}: Loaded<Feedback, (typeof withConversion)[number]>) => {
  const reported = conversion?.$ ?? adjustment?.$.conversion.$;
  if (!reported) throw new Error(`feedback ${id} reports no conversion`);
  return reported;
};
