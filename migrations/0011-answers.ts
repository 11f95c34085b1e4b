import { Migration } from '@mikro-orm/migrations';

export class Answers extends Migration {
  override up(): void {
    this.addSql(`create table answer (
      answer_id text primary key, owner text not null, question text not null, request json not null, body json not null,
      index_version text not null, retrieval_version text not null, latency_ms integer not null, kept boolean not null,
      rerun_of text references answer on delete cascade, created_at timestamptz not null, expires_at timestamptz not null)`);
    this.addSql('create index answer_expiry on answer (expires_at)');
    this.addSql('create index answer_rerun on answer (rerun_of)');
    this.addSql(`create table answer_stream (
      answer_id text primary key, owner text not null, state text not null, resumes integer not null default 0,
      touched_at timestamptz not null, expires_at timestamptz not null)`);
    this.addSql('create index answer_stream_expiry on answer_stream (expires_at)');
    this.addSql(`create table answer_stream_event (
      answer_id text not null references answer_stream on delete cascade, n integer not null, event text not null,
      data text not null, primary key (answer_id, n))`);
  }
}
