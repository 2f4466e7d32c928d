import { describe, expect, it } from 'vitest';
import { contactToShare } from './contact.ts';

const client = { name: null, email: 'ana@shop.example', phoneNumber: null };
const lead = { name: 'Ana García', email: 'ana@home.example', phoneNumber: '11 2345-6789' };

describe('contact data for the platforms', () => {
  it.each(['granted', 'agreed_unpersonalised'] as const)(
    'takes missing contact fields of the client from the lead if sharing is %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual({ ...lead, email: client.email });
    },
  );

  it.each(['refused', 'opted_out', 'unpersonalised', 'unasked'] as const)(
    'never takes contact data from the lead if sharing is %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual(client);
    },
  );
});
