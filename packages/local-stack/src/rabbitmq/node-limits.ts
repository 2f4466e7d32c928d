/** rabbitmq.conf: small enough for a developer's machine, large enough for a load test. */
export const nodeLimits = `vm_memory_high_watermark.absolute = 1GB
disk_free_limit.absolute = 50MB
`;
