import { Migration } from '@mikro-orm/migrations';

export class Feedback extends Migration {
  override up(): void {
    this.addSql(`create table feedback (
      id text primary key, category text not null, message text not null, target_type text not null,
      target_id text not null, page_url text not null, rating integer, email text not null, suggested_pmid text not null,
      status text not null default 'open', created_at timestamptz not null, closed_at timestamptz)`);
    this.addSql('create index feedback_status on feedback (status, created_at)');
    this.addSql(`create table answer_feedback (
      id text primary key, answer_id text not null, voter text not null, rating text not null, reasons jsonb not null,
      comment text not null, question text not null, answer_excerpt text not null, status text not null default 'open',
      created_at timestamptz not null, closed_at timestamptz, unique (answer_id, voter))`);
    this.addSql('create index answer_feedback_status on answer_feedback (status, created_at)');
  }
}
