import { Migration } from '@mikro-orm/migrations';

export class Snapshots extends Migration {
  override up(): void {
    // A row stands for files that are all there: it is written behind the last of them, and goes before the first.
    this.addSql(`create table snapshot (
      id text primary key, digest text not null, made_at timestamptz not null, checked_at timestamptz not null,
      manifest jsonb not null, files jsonb not null)`);
    this.addSql('create index snapshot_made on snapshot (made_at desc)');
  }
}
