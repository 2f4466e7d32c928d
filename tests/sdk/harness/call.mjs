// Calls the SDK as each line of standard input says in JSON, and prints in a line what it returns or throws.
import { createInterface } from 'node:readline';
import { Leadback, LeadbackError } from '@leadback/sdk';

const outcome = async ({ options, call, arguments: given }) => {
  try {
    const leadback = new Leadback(options);
    const result = leadback[call](...given);
    const isList = call === 'listConversions';
    return { result: isList ? await Array.fromAsync(result) : await result };
  } catch (error) {
    if (!(error instanceof LeadbackError)) return { thrown: error.message };
    const { status, code, message, requestId = null } = error;
    return { error: { status, code, message, requestId } };
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await outcome(JSON.parse(line)))}\n`);
}
