// Calls the SDK as the JSON on standard input says, and prints what it returns or throws.
import { text } from 'node:stream/consumers';
import { Leadback, LeadbackError } from '@leadback/sdk';

const { options, call, arguments: given } = JSON.parse(await text(process.stdin));

const outcome = async () => {
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

process.stdout.write(JSON.stringify(await outcome()));
