import { Migration } from '@mikro-orm/migrations';

export class PubmedSearches extends Migration {
  override up(): void {
    // Rows exist only while a run is at work or interrupted: they are its checkpoint, and go when it ends.
    this.addSql(`create table evidence_pubmed_search (
      run text not null, ordinal integer not null, identity text not null, label text not null, found integer not null,
      repeated integer not null, counts jsonb not null, problem text not null, searched_at timestamptz not null,
      primary key (run, ordinal))`);
    this.addSql('create index evidence_pubmed_search_identity on evidence_pubmed_search (identity)');
    this.addSql(`create table evidence_pubmed_queue (
      run text not null, pmid text not null, ordinal integer not null, state text not null, reason text not null,
      primary key (run, pmid))`);
  }
}
