// Preloaded into an app: ends it when the process that started it is killed.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
