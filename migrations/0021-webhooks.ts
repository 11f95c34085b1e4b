import { Migration } from '@mikro-orm/migrations';

export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`create table webhook_endpoint (
      id text primary key, url text not null, events text[] not null, description text, active boolean not null,
      sealed bytea not null, public_key text not null, created_at timestamptz not null,
      last_delivery_at timestamptz, last_status_code int, consecutive_failures int not null default 0,
      disabled_reason text, hold_until timestamptz, served_at timestamptz, claim text, claimed_until timestamptz)`);
    // One row for each change that no server has turned into deliveries yet. What was logged before counts as done.
    this.addSql('create table webhook_outbox (change_id bigint primary key)');
    // In the transaction of the change, whichever program makes it. Nothing is noted while nobody listens.
    this.addSql(`create function note_change_for_webhooks() returns trigger language plpgsql as
      $$ begin
        if exists (select 1 from webhook_endpoint where active) then
          insert into webhook_outbox (change_id) select id from added;
        end if;
        return null;
      end $$`);
    this.addSql(`create trigger change_log_to_webhooks after insert on change_log
      referencing new table as added for each statement execute function note_change_for_webhooks()`);
    this.addSql(`create table webhook_event (
      id text primary key, change_id bigint unique, type text not null, body text not null,
      created_at timestamptz not null)`);
    this.addSql('create index webhook_event_created on webhook_event (created_at)');
    this.addSql(`create table webhook_delivery (
      id text primary key, endpoint_id text not null references webhook_endpoint (id) on delete cascade,
      event_id text not null references webhook_event (id),
      state text not null check (state in ('waiting', 'delivered', 'failed')),
      is_test boolean not null default false, replay_of text, attempts int not null default 0,
      tries jsonb not null default '[]', next_at timestamptz, response_status int,
      created_at timestamptz not null, finished_at timestamptz)`);
    this.addSql(`create unique index webhook_delivery_once on webhook_delivery (endpoint_id, event_id)
      where replay_of is null`);
    this.addSql('create index webhook_delivery_event on webhook_delivery (event_id)');
    this.addSql('create index webhook_delivery_log on webhook_delivery (endpoint_id, id collate "C" desc)');
    this.addSql('create index webhook_delivery_created on webhook_delivery (created_at)');
    this.addSql(`create index webhook_delivery_test on webhook_delivery (endpoint_id)
      where is_test and state = 'waiting'`);
    this.addSql(`create index webhook_delivery_due on webhook_delivery (endpoint_id, next_at) where state = 'waiting'`);
  }
}
