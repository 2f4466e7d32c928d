import { join } from 'node:path';

interface NodePorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

// a port mapper that Erlang starts by itself is a daemon, and stays behind
const privately = '-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false';

/**
 * The environment that makes a node private: everything it writes is in `dir`, everything it listens on is given and on
 * this machine alone. Its name may be the same for all: names are known per epmd, and every node has its own.
 */
export const nodeEnvironment = (dir: string, ports: NodePorts) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: dir, // of the cookie
  LANG: 'C.UTF-8',
  RUNNING_UNDER_SYSTEMD: 'true', // or a shell script would stand between us and the Erlang VM
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(ports.epmd),
  RABBITMQ_NODENAME: 'leadback@localhost',
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
  RABBITMQ_LOGS: '-', // to standard output, from where we keep it
  // no busy waiting: several nodes share a small machine with everything else
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${privately} +sbwt none +sbwtdcpu none +sbwtdio none`,
  RABBITMQ_CTL_ERL_ARGS: privately,
});
