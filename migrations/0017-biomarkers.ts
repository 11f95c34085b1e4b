import { Migration } from '@mikro-orm/migrations';

export class Biomarkers extends Migration {
  override up(): void {
    this.addSql(`create table biomarker (
      slug text primary key, name text not null, marker jsonb not null, entry jsonb not null, body text not null,
      digest text not null)`);
  }
}
