import { Migration } from '@mikro-orm/migrations';

export class VocabularyMore extends Migration {
  override up(): void {
    this.addSql(`create table condition (
      slug text primary key, name text not null, category text not null, synonyms jsonb not null, topics jsonb not null,
      entry jsonb not null, body text not null, digest text not null, changed_at timestamptz not null)`);
    this.addSql(`create table substance (
      slug text primary key, name text not null, kind text not null, synonyms jsonb not null, ids jsonb not null,
      statement text not null, authority jsonb, status_as_of text not null)`);
    this.addSql(`create table reference_intake (
      supplement text primary key, unit text not null, upper_limit jsonb, recommended jsonb not null,
      authority jsonb not null)`);
    this.addSql(`create table redirect (
      from_slug text primary key, to_slug text not null, kind text not null, reason text not null)`);
  }
}
