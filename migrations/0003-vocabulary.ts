import { Migration } from '@mikro-orm/migrations';

export class VocabularyTables extends Migration {
  override up(): void {
    this.addSql(`create table supplement (
      slug text primary key, name text not null, latin_name text not null, category text not null,
      traditions jsonb not null, synonyms jsonb not null, entry jsonb not null, body text not null,
      digest text not null, changed_at timestamptz not null)`);
    this.addSql(
      'create table topic (slug text primary key, name text not null, kind text not null, terms jsonb not null)',
    );
  }
}
