// Preloaded into an app: when whoever started it is killed, nobody is left to end it.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
