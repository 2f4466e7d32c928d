import { GradualMigration } from './gradual-migration.ts';

/** A page keeps its former addresses, and a deleted one its name: every address that has a page is a row of a table. */
export class Migration20261129130000 extends GradualMigration {
  override async up(): Promise<void> {
    await this.change(
      ['landing_page'],
      `
        alter table landing_page
          add column if not exists deleted_at timestamptz(6),
          drop constraint if exists landing_page_deleted_check,
          -- the apps of 1.0.0 know pages that are off
          add constraint landing_page_deleted_check check (deleted_at is null or not is_on),
          drop constraint if exists landing_page_slug_unique;
        create unique index if not exists landing_page_slug_unique on landing_page (slug) where deleted_at is null;

        drop index if exists landing_page_own_slug_unique;
        create unique index landing_page_own_slug_unique on landing_page (account_id, (coalesce(own_slug, slug)))
          where deleted_at is null;

        create table if not exists landing_slug (
          scope bigint not null,
          slug text not null,
          landing_page_id bigint constraint landing_slug_landing_page_id_foreign references landing_page,
          primary key (scope, slug)
        );
        create index if not exists landing_slug_landing_page_id_index on landing_slug (landing_page_id);
        insert into landing_slug (scope, slug, landing_page_id)
        select 0, slug, id from landing_page where deleted_at is null
        union all
        select account_id, coalesce(own_slug, slug), id from landing_page where deleted_at is null
        on conflict do nothing;

        -- A slug may be a former one of the same page, that of a deleted page of the same account, or one that was given up.
        create or replace function keep_landing_slugs() returns trigger language plpgsql as $$
        declare wanted record;
        begin
          for wanted in
            select * from (values (0::bigint, new.slug), (new.account_id, coalesce(new.own_slug, new.slug))) v (scope, slug)
          loop
            insert into landing_slug (scope, slug, landing_page_id) values (wanted.scope, wanted.slug, new.id) on conflict do nothing;
            if found then continue; end if;
            perform from landing_slug where scope = wanted.scope and slug = wanted.slug and landing_page_id = new.id;
            if found then continue; end if;
            update landing_slug s set landing_page_id = new.id
            where s.scope = wanted.scope and s.slug = wanted.slug and (s.landing_page_id is null or exists (
              select from landing_page p where p.id = s.landing_page_id and p.account_id = new.account_id and p.deleted_at is not null));
            if not found then
              raise unique_violation using message = 'another page has this slug, or had it', constraint = 'landing_slug_pkey';
            end if;
          end loop;
          return null;
        end $$;
        create or replace trigger keep_slugs after insert or update of slug, own_slug on landing_page
          for each row execute function keep_landing_slugs()`,
    );
  }
}
