import { Migration } from '@mikro-orm/migrations';

export class Interactions extends Migration {
  override up(): void {
    this.addSql(`create table interaction_entry (
      id text primary key, kind text not null, subject text not null, data jsonb not null, file text not null,
      digest text not null, changed_at timestamptz not null)`);
    this.addSql('create index interaction_entry_file on interaction_entry (file)');
  }
}
