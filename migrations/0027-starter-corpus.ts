import { Migration } from '@mikro-orm/migrations';

/** Sources of the starter corpus ship without their abstracts: the search index works from the words of these. */
export class StarterCorpus extends Migration {
  override up(): void {
    this.addSql("alter table evidence_source add column index_words text not null default ''");
    this.addSql("alter table evidence_source add column read_from text not null default 'abstract'");
    this.addSql("alter table evidence_source add column superseded_by text not null default ''");
    this.addSql("alter table evidence_source add column findings jsonb not null default '[]'");
    this.addSql("alter table evidence_source add column basis jsonb not null default '{}'");
  }
}
