/** restate: the conversion has another total. retract: it is taken back; its total is 0 for good. */
export const adjustmentKinds = ['restate', 'retract'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];
