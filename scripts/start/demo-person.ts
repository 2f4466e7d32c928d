import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeAt, type ConsolePerson, givenAdmin, openConsole, personSchema } from './accept-invitation.ts';
import { dataFolder } from './data-folder.ts';
import { type OperatorSurroundings, operate } from './operator.ts';

const personFile = join(dataFolder, 'demo-person.json');

const readPerson = (): ConsolePerson | undefined => {
  try {
    return personSchema.parse(JSON.parse(readFileSync(personFile, 'utf8')));
  } catch {
    return undefined; // none yet, or an incomplete write
  }
};

const isKnown = async ({ consoleUrl }: OperatorSurroundings, person: ConsolePerson): Promise<boolean> => {
  const post = await openConsole(consoleUrl);
  const { email, password, secondFactor } = person;
  return (await post('/session/sign-in', { email, password, code: codeAt(secondFactor, Date.now()) })).ok;
};

/** Reuses the person of an earlier start who can sign in; otherwise invites one, who accepts. */
export const demoPerson = async (around: OperatorSurroundings): Promise<ConsolePerson> => {
  const earlier = readPerson();
  if (earlier && (await isKnown(around, earlier))) return earlier;
  const person = await givenAdmin((...args) => operate(around, ...args), around.consoleUrl, 'demo@example.com');
  writeFileSync(personFile, JSON.stringify(person), { mode: 0o600 });
  return person;
};
