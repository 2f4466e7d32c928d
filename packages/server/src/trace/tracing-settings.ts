import { z } from 'zod';

/** The values of `OTEL_TRACES_SAMPLER` in OpenTelemetry's specification. */
const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

/**
 * The tracing settings: the shape of a zod object, to spread into the schema of an app. The exporter and the resource
 * read further OpenTelemetry variables themselves.
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: unlessEmpty(z.url({ protocol: /^https?$/ }).optional()).meta({
    description:
      'An OpenTelemetry collector (OTLP over HTTP), such as `http://localhost:4318`: [tracing](../production.md#tracing)',
    isUsual: true,
  }),
  OTEL_TRACES_SAMPLER: unlessEmpty(z.enum(samplerNames).default('parentbased_always_on')).describe(
    `Which requests are traced: ${samplerNames.join(', ')}`,
  ),
  OTEL_TRACES_SAMPLER_ARG: unlessEmpty(z.coerce.number().min(0).max(1).default(1)).describe(
    'For samplers with `traceidratio`: the share that is traced, 0 to 1',
  ),
};

export interface TracingSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER: (typeof samplerNames)[number];
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}
