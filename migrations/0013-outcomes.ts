import { Migration } from '@mikro-orm/migrations';

/** Grades per outcome, which sources each was made from, and the sizes of effects that editors entered. */
export class Outcomes extends Migration {
  override up(): void {
    this.addSql("alter table evidence_source add column effect_sizes jsonb not null default '[]'");
    this.addSql("alter table evidence_source add column certainty_stated text not null default ''");
    this.addSql("alter table evidence_source add column compares text not null default ''");
    this.addSql(`create table outcome_grade (
      vertical text primary key, supplement_slug text not null, topic_slug text not null, certainty text not null,
      direction text not null, magnitude jsonb not null, figures jsonb not null, caps jsonb not null,
      reasons jsonb not null, method_version text not null, digest text not null, claims_digest text not null,
      first_graded_at timestamptz not null, graded_at timestamptz not null)`);
    this.addSql('create index outcome_grade_supplement on outcome_grade (supplement_slug)');
    this.addSql('create index outcome_grade_topic on outcome_grade (topic_slug)');
    this.addSql(`create table outcome_source (
      vertical text not null, source_id text not null, primary key (source_id, vertical))`);
    this.addSql('create index outcome_source_vertical on outcome_source (vertical)');
  }
}
