import { Migration } from '@mikro-orm/migrations';

export class FeedbackOutcomes extends Migration {
  override up(): void {
    // What came of it, as an editor says; '' while nobody said so.
    this.addSql(`alter table feedback add column outcome text not null default ''`);
    this.addSql(`alter table answer_feedback add column outcome text not null default '',
      add column has_words boolean not null default false`);
    // Votes that were left for somebody to read: their words go later, and that there were some is counted.
    this.addSql(`update answer_feedback set has_words = true where reasons <> '[]'::jsonb or btrim(comment) <> ''`);
    // What was changed, in an editor's words. It stays when the message goes, then under a name of its own.
    this.addSql(`create table feedback_change (
      feedback_id text primary key, at timestamptz not null, path text not null, note text not null)`);
    this.addSql('create index feedback_change_age on feedback_change (at)');
    // Messages that are deleted, by the month (UTC) in which they came.
    this.addSql(`create table feedback_past (
      month text not null, outcome text not null, messages integer not null, primary key (month, outcome))`);
  }
}
