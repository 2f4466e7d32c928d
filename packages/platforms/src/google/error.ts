import { z } from 'zod';
import type { FieldViolation } from './wrong-events.ts';

const text = z.string().catch('');
const violationSchema = z.object({ field: text, reason: text, description: text });

const detailSchema = z.object({
  reason: text,
  fieldViolations: z.array(violationSchema).catch([]),
  /** Of google.rpc.RetryInfo: `"30s"`. */
  retryDelay: text,
});

const bodySchema = z.object({
  error: z.object({
    code: z.number(),
    status: text,
    message: text,
    details: z.array(detailSchema).catch([]),
  }),
});

export interface GoogleError {
  readonly code: number;
  /** From the most to the least specific. */
  readonly reasons: readonly string[];
  readonly message: string;
  readonly retryDelay: string | undefined;
  readonly violations: readonly FieldViolation[];
}

/** Google's error body: a google.rpc.Status with ErrorInfo, BadRequest and RetryInfo among its details. */
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
    violations,
  };
};
