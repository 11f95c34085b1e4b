import { Migration } from '@mikro-orm/migrations';

export class Limits extends Migration {
  override up(): void {
    // One holder through all rotations: quota, answers and repeats of requests go by it.
    this.addSql(`alter table api_key add column holder_id text, add column predecessor_id text,
      add column successor_id text`);
    this.addSql('update api_key set holder_id = id');
    this.addSql('alter table api_key alter column holder_id set not null');
    // Scopes had no effect so far: words that mean nothing must not close a key now.
    this.addSql(`update api_key set scopes = (select coalesce(jsonb_agg(word), '[]'::jsonb)
      from jsonb_array_elements_text(scopes) as words (word)
      where word in ('search', 'sources', 'supplements', 'interactions', 'products', 'export', 'ask', 'images',
        'feedback', 'agents', 'admin'))`);
    this.addSql(
      'create table throttle_window (id text primary key, ends_at timestamptz not null, used integer not null)',
    );
    // An answer stands in `sealed` once there is one; until then somebody is at it, or was killed.
    this.addSql(`create table idempotent_request (
      id text primary key, fingerprint text not null, owner text not null, claimed_until timestamptz not null,
      created_at timestamptz not null default now(), sealed bytea)`);
    this.addSql('create index idempotent_request_age on idempotent_request (created_at)');
    this.addSql(`create table quota_warning (
      holder_id text not null, day date not null, level integer not null, primary key (holder_id, day, level))`);
  }
}
