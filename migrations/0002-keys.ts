import { Migration } from '@mikro-orm/migrations';

export class Keys extends Migration {
  override up(): void {
    this.addSql(`create table api_key (
      id text primary key, name text not null, hash text not null unique, prefix text not null,
      is_admin boolean not null, active boolean not null, plan text not null,
      rpm_limit integer not null, daily_limit integer not null, scopes jsonb not null,
      contact_email text not null, notes text not null, created_at timestamptz not null,
      expires_at timestamptz, deactivated_at timestamptz, last_used_at timestamptz, last_used_ip_prefix text not null)`);
    this.addSql(`create table quota_window (
      subject text not null, bucket text not null, window_start timestamptz not null, used integer not null,
      primary key (subject, bucket))`);
    this.addSql(`create table key_usage (
      key_id text not null, day date not null, route text not null, calls integer not null,
      primary key (key_id, day, route))`);
  }
}
