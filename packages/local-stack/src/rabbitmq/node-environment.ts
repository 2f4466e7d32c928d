import { join } from 'node:path';

/** rabbitmq.conf: small enough for a developer's machine, large enough for a load test. */
export const nodeLimits = `vm_memory_high_watermark.absolute = 1GB
disk_free_limit.absolute = 50MB
`;

interface NodePorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

// the port mapper that Erlang starts by default is a daemon and would keep running
const privately = '-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false';

interface NodePlace {
  readonly dir: string;
  readonly home: string;
  readonly name: string;
  readonly ports: NodePorts;
}

/**
 * The environment of a private node: it only writes to `dir`, besides the Erlang cookie in `home`, and only listens on these
 * ports of 127.0.0.1.
 */
export const nodeEnvironment = ({ dir, home, name, ports }: NodePlace) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  RUNNING_UNDER_SYSTEMD: 'true', // otherwise a shell script would be the parent of the Erlang VM
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(ports.epmd),
  RABBITMQ_NODENAME: `${name}@localhost`,
  RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
  RABBITMQ_NODE_PORT: String(ports.amqp),
  RABBITMQ_DIST_PORT: String(ports.distribution),
  RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
  RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
  RABBITMQ_CONF_ENV_FILE: join(dir, 'rabbitmq-env.conf'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
  RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'generated'),
  RABBITMQ_SCHEMA_DIR: join(dir, 'schema'),
  RABBITMQ_MNESIA_BASE: join(dir, 'data'),
  RABBITMQ_LOG_BASE: dir,
  RABBITMQ_LOGS: '-', // to standard output, which goes to the log file
  // no busy waiting: several nodes share a small machine with everything else
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${privately} +sbwt none +sbwtdcpu none +sbwtdio none`,
  RABBITMQ_CTL_ERL_ARGS: privately,
});
