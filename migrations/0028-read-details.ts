import { Migration } from '@mikro-orm/migrations';

/** What a program read in an abstract in detail, with the sentences that state it. */
export class ReadDetails extends Migration {
  override up(): void {
    this.addSql('alter table evidence_source add column details jsonb');
  }
}
