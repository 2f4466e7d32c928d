// Preloaded into an app: logs the packages of OpenTelemetry that it loads.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    const [, part] = /.*\/@opentelemetry\/([^/]+)\//.exec(url) ?? [];
    if (part !== undefined) process.stderr.write(`loads opentelemetry ${part}\n`);
    return nextLoad(url, context);
  },
});
