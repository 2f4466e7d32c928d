/** The values of `OTEL_TRACES_SAMPLER` in OpenTelemetry's specification. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
