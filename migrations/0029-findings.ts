import { Migration } from '@mikro-orm/migrations';

/** Findings of reviews and trials, and the assessments per population that grades are made of. */
export class Findings extends Migration {
  override up(): void {
    this.addSql(`create table finding (
      id text primary key,
      vertical text not null,
      file text not null,
      finding jsonb not null,
      changed_at timestamptz not null
    )`);
    this.addSql('create index finding_file on finding (file)');
    this.addSql('alter table outcome_grade add column assessed boolean not null default true');
    this.addSql("alter table outcome_grade add column assessments jsonb not null default '[]'");
  }
}
