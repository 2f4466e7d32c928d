/** Where docker-compose.yml publishes its services on this machine. */
export const addresses = {
  landing: 'http://127.0.0.1:3000',
  api: 'http://127.0.0.1:3001/api/v1',
  shop: 'http://127.0.0.1:3002',
  sandbox: 'http://127.0.0.1:3003',
  console: 'http://127.0.0.1:3004',
  prometheus: 'http://127.0.0.1:9090',
} as const;
