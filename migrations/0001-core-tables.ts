import { Migration } from '@mikro-orm/migrations';

export class CoreTables extends Migration {
  override up(): void {
    this.addSql(`create table change_log (
      id bigint generated always as identity primary key, at timestamptz not null, kind text not null,
      subject_type text not null, subject_id text not null, data jsonb not null)`);
    this.addSql('create index change_log_subject on change_log (subject_type, subject_id, id)');
    this.addSql('create index change_log_kind on change_log (kind, id)');
    this.addSql(`create function refuse_change_of_log() returns trigger language plpgsql as
      $$ begin raise exception 'change_log is append-only'; end $$`);
    this.addSql(`create trigger change_log_append_only before update or delete on change_log
      for each row execute function refuse_change_of_log()`);
    this.addSql(`create trigger change_log_never_emptied before truncate on change_log
      for each statement execute function refuse_change_of_log()`);
    this.addSql(`create table content_file (
      path text primary key, source text not null, digest text not null, synced_at timestamptz not null)`);
    this.addSql('create table lease (name text primary key, owner text not null, expires_at timestamptz not null)');
    this.addSql(`create table job_run (
      id bigint generated always as identity primary key, job text not null, status text not null,
      started_at timestamptz not null, finished_at timestamptz, counts jsonb not null, error text not null)`);
    this.addSql('create index job_run_job on job_run (job, id desc)');
    this.addSql('create table fact (name text primary key, value text not null)');
  }
}
