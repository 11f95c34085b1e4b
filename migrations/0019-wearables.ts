import { Migration } from '@mikro-orm/migrations';

export class Wearables extends Migration {
  override up(): void {
    // All that says anything of a person is in `sealed`; `source` is a random name.
    this.addSql(`create table wearable_daily (
      device text not null references device (hash) on delete cascade,
      day date not null, source text not null, origin text not null,
      updated_at timestamptz not null default now(), sealed bytea not null,
      primary key (device, day, source))`);
    this.addSql(`create table wearable_import (
      id text primary key, device text not null references device (hash) on delete cascade,
      state text not null check (state in ('waiting', 'reading', 'ready')),
      place text not null, attempts int not null default 0, claimed_until timestamptz, report_id text,
      created_at timestamptz not null default now(), finished_at timestamptz, sealed bytea not null)`);
    this.addSql(`create index wearable_import_device on wearable_import (device, created_at desc)`);
    this.addSql(`create index wearable_import_open on wearable_import (created_at) where state <> 'ready'`);
    this.addSql(`create table wearable_connection (
      device text not null references device (hash) on delete cascade, vendor text not null,
      status text not null check (status in ('connected', 'needs_reauth')),
      token_revision int not null default 1, sealed bytea not null, scopes text[] not null default '{}',
      connected_at timestamptz not null default now(), expires_at timestamptz,
      last_sync_at timestamptz, synced_to date, next_sync_at timestamptz not null default now(),
      failures int not null default 0, blocked_until timestamptz, refresh_claimed_until timestamptz,
      vendor_user text, primary key (device, vendor))`);
    this.addSql(`create index wearable_connection_user on wearable_connection (vendor_user)`);
    this.addSql(
      `create index wearable_connection_due on wearable_connection (next_sync_at) where status = 'connected'`,
    );
    this.addSql(`create table wearable_oauth_state (
      state_hash text primary key, device text not null references device (hash) on delete cascade,
      vendor text not null, sealed bytea not null, expires_at timestamptz not null)`);
    this.addSql(`create index wearable_oauth_state_device on wearable_oauth_state (device)`);
    // What is to be revoked outlives the device that it was of, and names none.
    this.addSql(`create table wearable_revocation (
      id text primary key, vendor text not null, sealed bytea not null,
      attempts int not null default 0, next_at timestamptz not null default now(),
      created_at timestamptz not null default now())`);
  }
}
