import { z } from 'zod';

const violationSchema = z.object({ reason: z.string().catch(''), description: z.string().catch('') });

const detailSchema = z.object({
  reason: z.string().catch(''),
  fieldViolations: z.array(violationSchema).catch([]),
  /** Of google.rpc.RetryInfo: `"30s"`. */
  retryDelay: z.string().catch(''),
});

const bodySchema = z.object({
  error: z.object({
    code: z.number(),
    status: z.string().catch(''),
    message: z.string().catch(''),
    details: z.array(detailSchema).catch([]),
  }),
});

export interface GoogleError {
  readonly code: number;
  /** From the most to the least specific. */
  readonly reasons: readonly string[];
  readonly message: string;
  readonly retryDelay: string | undefined;
}

/** Google's error body: a status of google.rpc, with ErrorInfo, BadRequest and RetryInfo among its details. */
export const googleErrorOf = (json: unknown): GoogleError | undefined => {
  const body = bodySchema.safeParse(json);
  if (!body.success) return undefined;
  const { code, status, message, details } = body.data.error;
  const violations = details.flatMap((detail) => detail.fieldViolations);
  const reasons = [...violations, ...details].map(({ reason }) => reason);
  return {
    code,
    reasons: [...new Set([...reasons, status])].filter((reason) => reason !== ''),
    message: violations.find(({ description }) => description !== '')?.description ?? message,
    retryDelay: details.find(({ retryDelay }) => retryDelay !== '')?.retryDelay,
  };
};
