import { describe, expect, it } from 'vitest';
import { contactToShare } from './contact.ts';

const client = { name: null, email: 'ana@shop.example', phoneNumber: null };
const lead = { name: 'Ana García', email: 'ana@home.example', phoneNumber: '11 2345-6789' };

describe('contact data for the platforms', () => {
  it.each(['granted', 'agreed_unpersonalised'] as const)(
    'falls back from client to lead field by field when the visitor agreed: %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual({ ...lead, email: client.email });
    },
  );

  it.each(['refused', 'opted_out', 'unpersonalised', 'unasked'] as const)(
    'never falls back to the lead when sharing is %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual(client);
    },
  );
});
