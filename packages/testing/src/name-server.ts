import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode, type StringAnswer } from 'dns-packet';

/** The records of a name by their type; `SERVFAIL`: the server cannot tell. */
type Zone = Record<string, Readonly<Partial<Record<StringAnswer['type'] | 'TXT', string>>> | 'SERVFAIL' | undefined>;

export interface TestNameServer extends AsyncDisposable {
  /** `HOST:PORT` */
  readonly address: string;
  /** Replaces all records. Several values of a type are separated by blanks, those of TXT by `|`. */
  readonly serve: (zone: Zone) => void;
}

const codeOf = { ok: 0, SERVFAIL: 2, NXDOMAIN: 3 };

/** A name server on this machine, which follows no aliases: as the records of one zone. */
export const givenNameServer = async (): Promise<TestNameServer> => {
  let zone: Zone = {};
  const socket = createSocket('udp4');
  socket.on('message', (packet, { port, address }) => {
    const { id, questions = [] } = decode(packet);
    const [question] = questions;
    if (!question) return;
    const { name, type } = question;
    const known = zone[name.toLowerCase()];
    const answers: Answer[] = [];
    // an alias is the answer to each question, with what it leads to
    for (let at = name, records = known; typeof records === 'object'; ) {
      if (type === 'TXT') {
        for (const data of records.TXT?.split('|') ?? [])
          answers.push({ type: 'TXT', name: at, data: [data.slice(0, 9), data.slice(9)] });
      } else if (type === 'A' || type === 'AAAA') {
        for (const data of records[type]?.split(' ') ?? []) answers.push({ type, name: at, data });
      }
      const alias = records.CNAME;
      if (alias === undefined) break;
      answers.push({ type: 'CNAME', name: at, data: alias });
      if (type === 'CNAME') break;
      [at, records] = [alias, zone[alias]];
    }
    const code = known === 'SERVFAIL' ? codeOf.SERVFAIL : known === undefined ? codeOf.NXDOMAIN : codeOf.ok;
    socket.send(encode({ type: 'response', id, flags: code, questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    serve(next) {
      zone = next;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
};
