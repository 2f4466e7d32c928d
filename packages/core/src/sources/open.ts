import type { AccountId, AccountStatus, SourceState } from '@leadback/domain';
import type { SecretsKeys } from '@leadback/domain/keys';
import { preparedStatement, type Queryable, statement } from '@leadback/db';
import type { OpenSource, SourceKind } from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import { decryptSecrets, validEarlier } from './secrets.ts';

/** A source as what it was sent is read with. */
export interface StoredSource {
  readonly id: number;
  readonly accountId: AccountId;
  readonly accountStatus: AccountStatus;
  readonly kind: string;
  readonly state: SourceState;
  readonly isTest: boolean;
  readonly settings: unknown;
  readonly secrets: Buffer;
}

const columns = `s.id, s.account_id as "accountId", a.status as "accountStatus", s.kind, s.state, s.is_test as "isTest",
  s.settings, s.secrets`;

const findByPath = preparedStatement<StoredSource>(
  'find-source',
  `select ${columns} from source s cross join lateral (select status from account where id = s.account_id limit 1) a
   where (s.path_hash = $1 or s.earlier_path_hash = $1 and s.earlier_path_until > now()) and s.deleted_at is null`,
);

const findById = preparedStatement<StoredSource>(
  'read-source',
  `select ${columns} from source s cross join lateral (select status from account where id = s.account_id limit 1) a
   where s.id = $1 and s.deleted_at is null`,
);

export const findSource = async (on: Queryable, pathHash: Buffer): Promise<StoredSource | undefined> =>
  (await findByPath(on, [pathHash]))[0];

export const readSource = async (on: Queryable, id: number): Promise<StoredSource | undefined> =>
  (await findById(on, [id]))[0];

const hold = statement(
  `update source set state = 'needs_attention', state_reason = $2, state_since = now()
   where id = $1 and state = 'active' and deleted_at is null`,
);

/** Nothing more is worked on until somebody changes the source or resumes it. */
export const holdSource = async (on: Queryable, id: number, reason: string): Promise<void> => {
  await hold(on, [id, reason]);
};

/** Why a source is held that cannot be opened. */
export const cannotOpen =
  'its settings or secrets cannot be read: is the SECRETS_KEY of the api the right one, and its version?';

/** Throws if the kind is not known to this version, or what is stored cannot be read. */
export const openSource = (
  secretsKeys: SecretsKeys,
  { id, accountId, kind: name, settings, secrets }: StoredSource,
  nowMs: number,
): { readonly kind: SourceKind; readonly opened: OpenSource } => {
  const kind = kindNamed(name);
  if (!kind) throw new Error(`source ${id} is of the kind ${name}, which this version does not know`);
  const opened = decryptSecrets(secretsKeys, { id, accountId }, secrets);
  return { kind, opened: kind.open(settings, opened.own, validEarlier(opened, nowMs)) };
};
