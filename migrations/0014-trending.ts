import { Migration } from '@mikro-orm/migrations';

/** The last answer of the trending job, whole. */
export class Trending extends Migration {
  override up(): void {
    this.addSql(`create table trending_snapshot (
      name text primary key, method_version text not null, generated_at timestamptz not null, answer jsonb not null)`);
  }
}
