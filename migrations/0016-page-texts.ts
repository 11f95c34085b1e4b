import { Migration } from '@mikro-orm/migrations';

export class PageTexts extends Migration {
  override up(): void {
    this.addSql(`create table page_text (
      path text primary key, kind text not null, title text not null, entry jsonb not null, body text not null,
      digest text not null)`);
    this.addSql(`create table article (
      slug text primary key, title text not null, entry jsonb not null, body text not null, digest text not null)`);
  }
}
