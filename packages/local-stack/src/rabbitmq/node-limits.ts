/** The part of rabbitmq.conf that keeps a node small enough for a developer's machine, and still able to take a load test. */
export const nodeLimits = `vm_memory_high_watermark.absolute = 1GB
disk_free_limit.absolute = 50MB
`;
